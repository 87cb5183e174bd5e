export { applyChanges } from './apply-changes.js';
export { namesIn, type ContentEvent } from './context.js';
export { countContent } from './count-content.js';
export { pageParser } from './read-document.process.js';
export { initialPage, onePage } from './initial-content.js';
export { openMainContent } from './open-main.process.js';
