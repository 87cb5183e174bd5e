export { comment, post } from './comment.js';
export { type CommentPlace } from './comment-place.js';
export { commentingChangeRequest } from './commenting-change-request.queries.js';
export { findCommentsById, type Showing } from './comments.queries.js';
export { showTo } from './showing.queries.js';
export { withinCommentQuota } from './write-comment.process.js';
export { readBody, storeBody, type NewText } from './write-text.process.js';
