import { Id } from '../kernel/common.js';
import { commentOperations } from './comment-operations.js';

/** The comments on the main content of a space. */
export const spaceComments = commentOperations({
  path: '/spaces/{spaceId}',
  params: { spaceId: Id },
  name: 'a space',
  resource: 'space',
  ids: {
    list: 'listCommentsInSpace',
    post: 'postCommentInSpace',
    get: 'getCommentInSpace',
    update: 'updateCommentInSpace',
    remove: 'deleteCommentInSpace',
    listReplies: 'listCommentRepliesInSpace',
    postReply: 'postCommentReplyInSpace',
    getReply: 'getCommentReplyInSpace',
    updateReply: 'updateCommentReplyInSpace',
    removeReply: 'deleteCommentReplyInSpace',
    listCommenters: 'listCommentersInSpace',
  },
});

export const {
  list: listCommentsInSpace,
  post: postCommentInSpace,
  get: getCommentInSpace,
  update: updateCommentInSpace,
  remove: deleteCommentInSpace,
  listReplies: listCommentRepliesInSpace,
  postReply: postCommentReplyInSpace,
  getReply: getCommentReplyInSpace,
  updateReply: updateCommentReplyInSpace,
  removeReply: deleteCommentReplyInSpace,
  listCommenters: listCommentersInSpace,
} = spaceComments;
