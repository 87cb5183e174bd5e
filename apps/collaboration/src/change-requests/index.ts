export {
  change,
  changeRequest,
  isPresent,
  requireEditor,
  requirePresent,
  type PresentRequest,
} from './change-request.js';
export { changeRequests } from './change-request.projection.js';
export {
  findRequest,
  getRequestText,
  isOutdated,
  requireRequest,
  type NumberedRequest,
} from './change-requests.queries.js';
export { endReopening } from './reopening.js';
export { requestState } from './request-state.queries.js';
export { beginMerge, endMerge, settle, type MergeOutcome } from './merge-attempt.js';
export { requestReviewers, submitReview, withdrawRequest, type Asked, type Reviewer } from './review-requests.js';
export { describeAnew } from './update-change-request.process.js';
