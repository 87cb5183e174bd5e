export { makeChanges } from './make-changes.js';
export { makingOf } from './making-of.process.js';
export { initialPage, onePage } from './initial-content.js';
export { openMainContent } from './open-main.process.js';
export { givenFields } from './front-matter-fields.js';
export { withFields } from './page-fields.js';
