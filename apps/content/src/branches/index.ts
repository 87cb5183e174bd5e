export { branch, openMain, type Head, type NewRevision } from './branch.js';
export { commit } from './commit.process.js';
export { branches } from './branch.projection.js';
export { revisions, type RevisionDocument } from './revision.projection.js';
export { eraseMainContent } from './erase-branch.process.js';
