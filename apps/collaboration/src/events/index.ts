export {
  abandonment,
  changeRequestEvents,
  numberEvents,
  type ChangeRequestEvent,
  type NumberEvent,
} from './change-request.events.js';
export { commentEvents, type CommentEvent, type CommentTarget, type WrittenText } from './comment.events.js';
export { retentionEvents, type RetentionEvent } from './retention.events.js';
export { branchEvents, spaceAddition, spacePurge, spaceTransfer } from './content.events.js';
