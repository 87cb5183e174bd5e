export { ContentObjects } from './content-objects.operational.js';
export { contentTree, type ContentTree, createDraft, type Draft } from './draft.js';
export type { NamedText } from './objects.operational.js';
