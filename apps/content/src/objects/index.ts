export { ContentObjects } from './content-objects.js';
export { contentTree, createDraft, type ContentTree, type Draft } from './draft.js';
export { dropPool } from './objects.operational.js';
