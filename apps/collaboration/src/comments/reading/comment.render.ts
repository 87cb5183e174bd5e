import { referTo, roleAtLeast, type Comment, type CommentReply } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { RichDocument } from '@scriptorium/rich-text';
import { renderText, type TextFormat } from '../../texts/index.js';
import type { CommentDocument } from './comment.projection.js';
import type { CommentPlace } from '../places/comment-place.js';
import type { ReplyDocument } from './comment-reply.projection.js';
import type { PostedDocument } from './posted-document.js';

/** How comments and replies are shown. */
export interface Shown {
  place: CommentPlace;
  /** The user who is shown them. */
  viewer: string;
  format: TextFormat | undefined;
  /** The base URL of the API. */
  api: string;
}

/** A comment. `text`: its text, unless it is gone. `isOrphaned`: whether its page is not there any more. */
export function renderComment(
  doc: Stored<CommentDocument>,
  { text, isOrphaned }: { text: RichDocument | undefined; isOrphaned: boolean },
  shown: Shown,
): Comment {
  const { space, changeRequest, review, page, node, tableCell, revision } = doc;
  return {
    object: 'comment',
    ...renderPosted(doc, text, shown),
    status: doc.status,
    ...(doc.resolvedAt === null ? {} : { resolvedAt: doc.resolvedAt }),
    ...(doc.resolvedBy === null ? {} : { resolvedBy: referTo('user', doc.resolvedBy) }),
    replies: doc.replies,
    repliers: doc.repliers.map(({ user, count, at }) => ({ user: referTo('user', user), updatedAt: at, count })),
    target: {
      space,
      ...(changeRequest === null ? {} : { changeRequest }),
      ...(review === null ? {} : { review }),
      ...(page === null ? {} : { page: { id: page } }),
      ...(node === null ? {} : { node: { id: node } }),
      ...(tableCell === null ? {} : { tableCell }),
      ...(revision === null ? {} : { revision }),
    },
    ...(isOrphaned ? { orphaned: true } : {}),
    urls: { location: `${shown.api}${shown.place.path}/comments/${doc._id}` },
  };
}

/** A reply. `text`: its text, unless it is gone. */
export function renderReply(doc: Stored<ReplyDocument>, text: RichDocument | undefined, shown: Shown): CommentReply {
  return {
    object: 'comment-reply',
    ...renderPosted(doc, text, shown),
    urls: { location: `${shown.api}${shown.place.path}/comments/${doc.comment}/replies/${doc._id}` },
  };
}

function renderPosted(doc: Stored<PostedDocument>, text: RichDocument | undefined, { place, viewer, format }: Shown) {
  return {
    id: doc._id,
    postedBy: referTo('user', doc.author),
    postedAt: doc.postedAt,
    ...(doc.editedAt === null ? {} : { editedAt: doc.editedAt }),
    reactions: doc.reactions.map(({ emoji, users }) => ({
      emoji,
      count: users.length,
      users: users.map(({ user, at }) => ({ user: referTo('user', user), reactedAt: at })),
    })),
    body: renderText(text, format),
    permissions: permissionsOn(doc.author, place, viewer),
  };
}

/** About a deleted space nobody writes. */
function permissionsOn(author: string, { space: { level, isDeleted } }: CommentPlace, viewer: string) {
  const mayComment = !isDeleted && roleAtLeast(level, 'comment');
  const isOwn = author === viewer;
  return {
    view: true,
    edit: mayComment && isOwn,
    reply: mayComment,
    delete: !isDeleted && (isOwn || roleAtLeast(level, 'create')),
  };
}
