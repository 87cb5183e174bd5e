export { scheduleDrop } from './drop-texts.timer.js';
export { readText } from './read-text.process.js';
export { renderText, type TextFormat } from './text.render.js';
export { findTexts, storeText, type TextPlace } from './texts.operational.js';
