export { makeChanges } from './make-changes.js';
export { pageParser } from './read-document.process.js';
export { initialPage, onePage } from './initial-content.js';
export { openMainContent } from './open-main.process.js';
