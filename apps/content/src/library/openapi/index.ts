export { readFormPart } from './spec-forms.operational.js';
export { findSpecHead, findSpecHeads, type SpecHead } from './spec-heads.queries.js';
