export { addRevision, branch, openMain, type Branch, type Head, type NewRevision } from './branch.js';
export { commit, type Commit, type Committed } from './commit.process.js';
export { branches, type BranchDocument } from './branch.projection.js';
export { revisions, type RevisionDocument } from './revision.projection.js';
export { eraseMainContent } from './erase-branch.process.js';
