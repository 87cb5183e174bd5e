export { type ChangeCall, changeContent, makingOf } from './change-content.process.js';
export { initialPage, onePage } from './initial-content.js';
export { makeChanges } from './make-changes.js';
export { openMainContent } from './open-main.process.js';
export { withFields } from './operations/page-fields.js';
export { resolvedByReplacement } from './resolution.process.js';
export { isUnedited, templateChanges } from './template-changes.js';
