import type { ServiceAccess } from '@scriptorium/access';
import type { Principal, Relation, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { findRequest } from '../change-requests/index.js';
import { accessToPart } from '../spaces/index.js';
import { comments } from './reading/comment.projection.js';
import { replies } from './reading/comment-reply.projection.js';

interface CommentPath {
  spaceId?: string;
  changeRequestId?: string;
  commentId?: string;
  commentReplyId?: string;
}

/** How access to comments and replies is resolved: by the level on the space; whoever wrote one is `self`. */
export function commentsAccess(access: ServiceAccess): AccessResolvers {
  const toComment =
    (recoverable: boolean) =>
    (scope: Scope, principal: Principal, path: CommentPath): Promise<ResourceAccess> =>
      commentAccess(scope, access, principal, { ...path, recoverable });
  const toReply =
    (recoverable: boolean) =>
    (scope: Scope, principal: Principal, path: CommentPath): Promise<ResourceAccess> =>
      replyAccess(scope, access, principal, { ...path, recoverable });
  return {
    comment: toComment(false),
    recoverable_comment: toComment(true),
    comment_reply: toReply(false),
    recoverable_comment_reply: toReply(true),
  };
}

async function commentAccess(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { spaceId: id = '', changeRequestId, commentId = '', recoverable }: CommentPath & { recoverable: boolean },
): Promise<ResourceAccess> {
  const [part, doc, request] = await Promise.all([
    accessToPart(scope, access, principal, { id, recoverable }),
    scope.store.read(comments).byId(commentId),
    changeRequestId === undefined ? undefined : findRequest(scope, id, changeRequestId),
  ]);
  const place = request === undefined ? id : request?._id;
  const parentVisible = part.parentVisible && place !== undefined;
  return withAuthor({ ...part, parentVisible }, doc?.place === place ? doc : null, principal);
}

async function replyAccess(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  path: CommentPath & { recoverable: boolean },
): Promise<ResourceAccess> {
  const { commentId = '', commentReplyId = '' } = path;
  const [parent, doc] = await Promise.all([
    commentAccess(scope, access, principal, path),
    scope.store.read(replies).byId(commentReplyId),
  ]);
  const part = { ...parent, parentVisible: parent.parentVisible && parent.exists };
  return withAuthor(part, doc?.comment === commentId ? doc : null, principal);
}

function withAuthor(part: ResourceAccess, doc: { author: string } | null, { id }: Principal): ResourceAccess {
  const relations = [...part.relations].filter((relation) => relation !== 'self');
  const self: Relation[] = doc?.author === id ? ['self'] : [];
  return { ...part, exists: doc !== null, relations: new Set([...relations, ...self]) };
}
