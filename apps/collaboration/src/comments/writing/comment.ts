import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
  type Metadata,
} from '@scriptorium/event-sourcing';
import { commentEvents, type CommentEvent, type CommentTarget, type WrittenText } from '../comment.events.js';
import {
  noReactions,
  reactionsChanged,
  withReaction,
  withoutReaction,
  withoutReply,
  type ReactionChange,
  type Reactions,
} from './reactions.js';

/** Who wrote something, the name of its text, and whom that mentions. */
interface Written {
  author: string;
  text: string;
  mentions: readonly string[];
}

export interface PresentComment extends Written {
  status: 'open' | 'resolved';
  space: string;
  changeRequest: string | null;
  replies: Keyed<Written>;
  reactions: Reactions;
}

export type Comment = { status: 'absent' } | { status: 'deleted' } | PresentComment;

function evolve(state: Comment, event: CommentEvent, { actor }: Metadata): Comment {
  if (event.type === 'CommentPosted') {
    const { space, changeRequest, text, mentions } = event.data;
    const written = { author: actor.id, text, mentions };
    return { status: 'open', space, changeRequest, ...written, replies: emptyKeyed, reactions: noReactions };
  }
  return state.status === 'absent' || state.status === 'deleted' ? state : evolvePresent(state, event, actor.id);
}

function withReplyEdited(
  replies: PresentComment['replies'],
  { reply, text, mentions }: Extract<CommentEvent, { type: 'CommentReplyEdited' }>['data'],
): PresentComment['replies'] {
  const present = keyedGet(replies, reply);
  return present === undefined ? replies : keyedPut(replies, reply, { ...present, text, mentions });
}

function evolvePresent(
  state: PresentComment,
  event: Exclude<CommentEvent, { type: 'CommentPosted' }>,
  by: string,
): Comment {
  const { replies, reactions } = state;
  switch (event.type) {
    case 'CommentEdited':
      return { ...state, text: event.data.text, mentions: event.data.mentions };
    case 'CommentResolved':
      return { ...state, status: 'resolved' };
    case 'CommentReopened':
      return { ...state, status: 'open' };
    case 'CommentDeleted':
      return { status: 'deleted' };
    case 'CommentReplyPosted': {
      const { reply, text, mentions } = event.data;
      return { ...state, replies: keyedPut(replies, reply, { author: by, text, mentions }) };
    }
    case 'CommentReplyEdited':
      return { ...state, replies: withReplyEdited(replies, event.data) };
    case 'CommentReplyDeleted': {
      const { reply } = event.data;
      return { ...state, replies: keyedDrop(replies, reply), reactions: withoutReply(reactions, reply) };
    }
    case 'CommentReactionAdded':
      return { ...state, reactions: withReaction(reactions, { reply: null, ...event.data }, by) };
    case 'CommentReactionRemoved':
      return { ...state, reactions: withoutReaction(reactions, { reply: null, ...event.data }, by) };
    case 'CommentReplyReactionAdded':
      return { ...state, reactions: withReaction(reactions, event.data, by) };
    case 'CommentReplyReactionRemoved':
      return { ...state, reactions: withoutReaction(reactions, event.data, by) };
    default:
      return unchanged(state, event);
  }
}

/** A comment with its replies, and the reactions to both. */
export const comment = defineAggregate({
  service: 'collaboration',
  entity: 'comment',
  events: commentEvents,
  initial: { status: 'absent' },
  evolve,
});

export function post(state: Comment, posted: CommentTarget & WrittenText): CommentEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [{ type: 'CommentPosted', data: posted }];
}

/** @throws AppError `not_found` for a comment that is not there, or not any more */
export function requirePresent(state: Comment): PresentComment {
  if (state.status === 'absent' || state.status === 'deleted') throw new AppError('not_found');
  return state;
}

/** Whoever changes a comment or reply, and what they may. */
export interface Editor {
  user: string;
  /** Reactions that a comment and its replies can have together. */
  limit: number;
}

/** A change of a comment or reply by its author, and reactions of whoever sends it. */
export interface Edit extends ReactionChange {
  /** The new text, if it is another one. */
  written?: WrittenText | undefined;
}

/** Changes a comment. Its author and those who may `resolve` set whether it is resolved. */
export function change(
  state: Comment,
  editor: Editor & { mayResolve: boolean },
  wanted: Edit & { resolved?: boolean | undefined },
): CommentEvent[] {
  const present = requirePresent(state);
  return [
    ...edit(present, editor, wanted),
    ...settle(present, editor, wanted.resolved),
    ...react(present, editor, wanted),
  ];
}

function edit(present: PresentComment, { user }: Editor, { written }: Edit): CommentEvent[] {
  if (written === undefined) return [];
  requireAuthor(present, user);
  return [{ type: 'CommentEdited', data: { ...placeOf(present), ...changedFrom(present, written) } }];
}

/** A new text in the place of another: what that was, and whom the new one mentions for the first time. */
export function changedFrom(
  { text: previous, mentions }: Written,
  written: WrittenText,
): WrittenText & { previous: string; mentioned: string[] } {
  const known = new Set(mentions);
  return { ...written, previous, mentioned: written.mentions.filter((user) => !known.has(user)) };
}

/** @throws AppError `forbidden` naming the field */
export function requireAuthor({ author }: Written, user: string): void {
  if (author !== user) throw blaming('forbidden', 'body.body', 'Only its author can change it');
}

function settle(
  present: PresentComment,
  { user, mayResolve }: Editor & { mayResolve: boolean },
  resolved: boolean | undefined,
): CommentEvent[] {
  if (resolved === undefined) return [];
  if (!mayResolve && present.author !== user)
    throw blaming('forbidden', 'body.resolved', 'Only its author and those who may edit can set it');
  if (resolved === (present.status === 'resolved')) return [];
  return [{ type: resolved ? 'CommentResolved' : 'CommentReopened', data: placeOf(present) }];
}

function react({ reactions }: PresentComment, editor: Editor, wanted: Edit): CommentEvent[] {
  const { added, removed } = reactionsWithin(reactions, editor, { reply: null, wanted });
  return [
    ...removed.map((emoji): CommentEvent => ({ type: 'CommentReactionRemoved', data: { emoji } })),
    ...added.map((emoji): CommentEvent => ({ type: 'CommentReactionAdded', data: { emoji } })),
  ];
}

/** @throws AppError `limit_reached` */
export function reactionsWithin(
  reactions: Reactions,
  { user, limit }: Editor,
  { reply, wanted }: { reply: string | null; wanted: ReactionChange },
): { added: string[]; removed: string[] } {
  const changed = reactionsChanged(reactions, { reply, user }, wanted);
  const { added, removed } = changed;
  if (added.length > 0 && reactions.count - removed.length + added.length > limit)
    throw limitReached('reactionsPerComment', limit);
  return changed;
}

/** Deletes a comment with its replies. */
export function remove(state: Comment): CommentEvent[] {
  if (state.status === 'absent' || state.status === 'deleted') return [];
  const items = new Map<string, number>();
  for (const { author } of [state, ...keyedEntries(state.replies).map(([, reply]) => reply)])
    items.set(author, (items.get(author) ?? 0) + 1);
  const authors = [...items].map(([user, count]) => ({ user, items: count }));
  return [{ type: 'CommentDeleted', data: { ...placeOf(state), status: state.status, authors } }];
}

/** Where a comment is, as its events say. */
export function placeOf({ space, changeRequest }: PresentComment): Pick<CommentTarget, 'space' | 'changeRequest'> {
  return { space, changeRequest };
}
