export { ContentObjects } from './content-objects.operational.js';
export { contentTree, createDraft, type ContentTree, type Draft } from './draft.js';
export type { NamedText } from './objects.operational.js';
