export type { Head, OpenBranch, RequestState, RevisionRoot } from './branch-state.js';
export { type BranchEvent, branchEvents, type RevisionData } from './branch.events.js';
export { branches } from './branch.projection.js';
export { type Branch, branch, type NewRevision, openMain, openRequest, reopen, seal } from './branch.js';
export { type RequestBranch, requireRequestBranch, takenFrom } from './change-request.queries.js';
export { commit, type CommitCall, countContent, type Made, refuseTooMuch, type SeenBranch } from './commit.process.js';
export { findHead } from './find-head.queries.js';
export { requestBranches } from './request-branch.projection.js';
export { type RevisionDocument, revisions } from './revision.projection.js';
