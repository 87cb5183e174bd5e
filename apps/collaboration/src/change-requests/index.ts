export {
  change,
  changeRequest,
  isPresent,
  requireEditor,
  requirePresent,
  type PresentRequest,
} from './lifecycle/change-request.js';
export { changeRequests } from './list/change-request.projection.js';
export {
  findRequest,
  getRequestText,
  isOutdated,
  requireRequest,
  type NumberedRequest,
} from './list/change-requests.queries.js';
export { endReopening } from './lifecycle/reopening.js';
export { requestState } from './lifecycle/request-state.queries.js';
export { beginMerge, endMerge, settle, type MergeOutcome } from './lifecycle/merge-attempt.js';
export {
  requestReviewers,
  submitReview,
  withdrawRequest,
  type Asked,
  type Reviewer,
} from './lifecycle/review-requests.js';
export { describeAnew } from './update-change-request.process.js';
export { changeRequestEvents, type ChangeRequestEvent } from './change-request.events.js';
