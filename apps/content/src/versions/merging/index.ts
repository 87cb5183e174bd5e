export { conflictList, conflictsIn, type FoundConflict } from './conflict.js';
export { mergeContents } from './merge-contents.js';
export { documentMerger } from './merge-documents.process.js';
export { ordersLike } from './order-pages.js';
export { conflictsLeft, refuseUnknown } from './resolve-conflicts.js';
