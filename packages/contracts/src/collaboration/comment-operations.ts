import * as z from 'zod';
import { Id, Order, listOf, paging } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { DocumentFormat } from '../kernel/rich-document.js';
import { collaborationBounds } from './bounds.js';
import { Comment, CommentBodyInput, CommentReply, commentTargetInput } from './comment.js';
import { Commenter } from './commenter.js';
import { ReactionEmoji } from './emoji.js';

/** Where comments are: on the main content of a space, or on a change request. */
interface Place<S extends z.ZodRawShape> {
  /** The path that the paths of the operations begin with. */
  path: string;
  /** The parameters of `path`. */
  params: S;
  /** How summaries name it. */
  name: string;
  /** The kind of resource that the place itself is, for those who write there; `recoverable_` before it for readers. */
  resource: string;
  ids: Record<
    | 'list'
    | 'post'
    | 'get'
    | 'update'
    | 'remove'
    | 'listReplies'
    | 'postReply'
    | 'getReply'
    | 'updateReply'
    | 'removeReply'
    | 'listCommenters',
    string
  >;
}

const service = 'collaboration' as const;
const tag = 'Comments';
const reading = { scope: 'space:read', view: ['read'], allow: ['read'] } as const;
const commenting = { scope: 'space:write', view: ['read'], allow: ['comment'] } as const;
const removing = { scope: 'space:write', view: ['read'], allow: ['self', 'create'] } as const;

const formatQuery = {
  format: DocumentFormat.optional().meta({ description: 'The form of the bodies: `markdown` unless given.' }),
};
const filters = {
  order: Order.default('desc'),
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  targetPage: Id.optional().meta({ description: 'Only those on this page.' }),
  authors: z.array(Id).max(collaborationBounds.authors).optional().meta({ description: 'Only those of these users.' }),
};
const emojis = z.array(ReactionEmoji).max(collaborationBounds.reactions);
const edits = {
  body: CommentBodyInput.optional().meta({ description: 'Only its author can change it.' }),
  addedReactions: emojis.optional(),
  removedReactions: emojis.optional().meta({ description: 'They win over `addedReactions`.' }),
};

/** The operations on the comments of one place. */
export function commentOperations<S extends z.ZodRawShape>(place: Place<S>) {
  return { ...ofPlace(place), ...ofComment(place), ...ofReplies(place), ...ofReply(place) };
}

function ofPlace<S extends z.ZodRawShape>({ path, params, name, resource, ids }: Place<S>) {
  const base = { service, tag, params: z.object(params) };
  return {
    list: operation({
      ...base,
      id: ids.list,
      method: 'GET',
      path: `${path}/comments`,
      summary: `List the comments on ${name} by when they were posted`,
      access: { ...reading, resource: `recoverable_${resource}` },
      query: z.object({ ...paging, ...formatQuery, ...filters }),
      response: listOf(Comment),
    }),
    post: operation({
      ...base,
      id: ids.post,
      method: 'POST',
      path: `${path}/comments`,
      summary: `Post a comment on ${name}, or on a part of it`,
      access: { ...commenting, resource },
      query: z.object(formatQuery),
      body: z.object({ body: CommentBodyInput, ...commentTargetInput }),
      response: Comment,
      reasons: ['limit_reached'],
    }),
    listCommenters: operation({
      ...base,
      id: ids.listCommenters,
      method: 'GET',
      path: `${path}/commenters`,
      summary: `List the members who have commented on ${name} or replied there, by their first comment`,
      access: { ...reading, resource: `recoverable_${resource}` },
      query: z.object(paging),
      response: listOf(Commenter),
    }),
  };
}

function ofComment<S extends z.ZodRawShape>({ path, params, name, ids }: Place<S>) {
  const base = {
    service,
    tag,
    path: `${path}/comments/{commentId}`,
    params: z.object(params).extend({ commentId: Id }),
  };
  return {
    get: operation({
      ...base,
      id: ids.get,
      method: 'GET',
      summary: `Get a comment on ${name}`,
      access: { ...reading, resource: 'recoverable_comment' },
      query: z.object(formatQuery),
      response: Comment,
    }),
    update: operation({
      ...base,
      id: ids.update,
      method: 'PUT',
      summary: `Change, resolve or reopen a comment on ${name}, or react to it`,
      access: { ...commenting, resource: 'comment' },
      query: z.object(formatQuery),
      body: z.object({
        ...edits,
        resolved: z.boolean().optional().meta({ description: 'Its author and those who may edit can set it.' }),
      }),
      response: Comment,
      reasons: ['limit_reached'],
    }),
    remove: operation({
      ...base,
      id: ids.remove,
      method: 'DELETE',
      summary: `Delete a comment on ${name}, with its replies`,
      access: { ...removing, resource: 'comment' },
    }),
  };
}

function ofReplies<S extends z.ZodRawShape>({ path, params, name, ids }: Place<S>) {
  const base = {
    service,
    tag,
    path: `${path}/comments/{commentId}/replies`,
    params: z.object(params).extend({ commentId: Id }),
  };
  return {
    listReplies: operation({
      ...base,
      id: ids.listReplies,
      method: 'GET',
      summary: `List the replies to a comment on ${name}, the oldest first`,
      access: { ...reading, resource: 'recoverable_comment' },
      query: z.object({ ...paging, ...formatQuery }),
      response: listOf(CommentReply),
    }),
    postReply: operation({
      ...base,
      id: ids.postReply,
      method: 'POST',
      summary: `Reply to a comment on ${name}`,
      access: { ...commenting, resource: 'comment' },
      query: z.object(formatQuery),
      body: z.object({ body: CommentBodyInput }),
      response: CommentReply,
      reasons: ['limit_reached'],
    }),
  };
}

function ofReply<S extends z.ZodRawShape>({ path, params, name, ids }: Place<S>) {
  const base = {
    service,
    tag,
    path: `${path}/comments/{commentId}/replies/{commentReplyId}`,
    params: z.object(params).extend({ commentId: Id, commentReplyId: Id }),
  };
  return {
    getReply: operation({
      ...base,
      id: ids.getReply,
      method: 'GET',
      summary: `Get a reply to a comment on ${name}`,
      access: { ...reading, resource: 'recoverable_comment_reply' },
      query: z.object(formatQuery),
      response: CommentReply,
    }),
    updateReply: operation({
      ...base,
      id: ids.updateReply,
      method: 'PUT',
      summary: `Change a reply to a comment on ${name}, or react to it`,
      access: { ...commenting, resource: 'comment_reply' },
      query: z.object(formatQuery),
      body: z.object(edits),
      response: CommentReply,
      reasons: ['limit_reached'],
    }),
    removeReply: operation({
      ...base,
      id: ids.removeReply,
      method: 'DELETE',
      summary: `Delete a reply to a comment on ${name}`,
      access: { ...removing, resource: 'comment_reply' },
    }),
  };
}
