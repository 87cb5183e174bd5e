export { dropTexts, findTexts, missingTexts, storeTexts, type TextPart, type TextPlace } from './texts.operational.js';
