export { applyChanges } from './apply-changes.js';
export type { ContentEvent } from './context.js';
export { countContent } from './count-content.js';
export { pageParser } from './read-document.process.js';
export { onePage } from './initial-content.js';
export { openMainContent } from './open-main.process.js';
