export { branch, openMain, openRequest, reopen, seal, type NewRevision } from './branch.js';
export type { Head, OpenBranch, RequestState, RevisionRoot } from './branch-state.js';
export { commit } from './commit.process.js';
export { refuseTooMuch, type CommitCall, type Made, type SeenBranch } from './make-commit.process.js';
export { branches } from './branch.projection.js';
export { findHead } from './find-head.queries.js';
export { revisions, type RevisionDocument } from './revision.projection.js';
export { requireRequestBranch, takenFrom, type RequestBranch } from './change-request.queries.js';
export { requestBranches } from './request-branch.projection.js';
