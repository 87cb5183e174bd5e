export { conflictList, conflictsIn, type FoundConflict } from './conflict.js';
export { mergeContents } from './merge-contents.js';
export { documentMerger } from './merge-documents.process.js';
export { conflictsLeft, refuseUnknown } from './resolve-conflicts.js';
