export { makeChanges } from './make-changes.js';
export { makingOf } from './making-of.process.js';
export { initialPage, onePage } from './initial-content.js';
export { openMainContent } from './open-main.process.js';
export { givenFields, keysOfFields } from './front-matter-fields.js';
export { titleIn } from './parse-page.js';
export { withFields } from './page-fields.js';
export { areShort } from './short-changes.js';
