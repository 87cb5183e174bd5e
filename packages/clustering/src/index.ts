export { longestMasked, maskPersonal, withoutMarks } from './masking/mask-personal.js';
export { languageOf } from './words/language.js';
export { termsOf, type Terms } from './words/terms-of.js';
