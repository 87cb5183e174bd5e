export type { FoundResult, ResultName } from './computed-results.operational.js';
export type { Computation, Computed } from './computed-results.process.js';
export { ContentObjects } from './content-objects.operational.js';
export { contentTree, type ContentTree, createDraft, type Draft } from './draft.js';
export type { NamedText } from './objects.operational.js';
