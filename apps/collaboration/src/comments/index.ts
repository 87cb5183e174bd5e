export { comment, post } from './writing/comment.js';
export { type CommentPlace } from './places/comment-place.js';
export { commentingChangeRequest } from './places/commenting-change-request.queries.js';
export { findCommentsById, type Showing } from './reading/comments.queries.js';
export { showTo } from './showing.queries.js';
export { withinCommentQuota } from './writing/write-comment.process.js';
export { readBody, storeBody, type NewText } from './writing/write-text.process.js';
export { commentEvents } from './comment.events.js';
