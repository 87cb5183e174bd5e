import { changeRequestParams, changeRequestPath } from './change-requests.js';
import { commentOperations } from './comment-operations.js';

/** The comments on a change request. */
export const changeRequestComments = commentOperations({
  path: changeRequestPath,
  params: changeRequestParams,
  name: 'a change request',
  resource: 'change_request',
  ids: {
    list: 'listCommentsInChangeRequest',
    post: 'postCommentInChangeRequest',
    get: 'getCommentInChangeRequest',
    update: 'updateCommentInChangeRequest',
    remove: 'deleteCommentInChangeRequest',
    listReplies: 'listCommentRepliesInChangeRequest',
    postReply: 'postCommentReplyInChangeRequest',
    getReply: 'getCommentReplyInChangeRequest',
    updateReply: 'updateCommentReplyInChangeRequest',
    removeReply: 'deleteCommentReplyInChangeRequest',
    listCommenters: 'listCommentersInChangeRequest',
  },
});

export const {
  list: listCommentsInChangeRequest,
  post: postCommentInChangeRequest,
  get: getCommentInChangeRequest,
  update: updateCommentInChangeRequest,
  remove: deleteCommentInChangeRequest,
  listReplies: listCommentRepliesInChangeRequest,
  postReply: postCommentReplyInChangeRequest,
  getReply: getCommentReplyInChangeRequest,
  updateReply: updateCommentReplyInChangeRequest,
  removeReply: deleteCommentReplyInChangeRequest,
  listCommenters: listCommentersInChangeRequest,
} = changeRequestComments;
