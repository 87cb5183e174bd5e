import { AppError, limitReached } from '@scriptorium/contracts';
import { keyedGet } from '@scriptorium/event-sourcing';
import type { CommentEvent, WrittenText } from '../comment.events.js';
import {
  changedFrom,
  placeOf,
  reactionsWithin,
  requireAuthor,
  requirePresent,
  type Comment,
  type Edit,
  type Editor,
} from './comment.js';

/** Adds a reply, also to a resolved comment, which stays resolved. `limit`: replies that a comment can have. */
export function postReply(
  state: Comment,
  { limit, ...posted }: WrittenText & { reply: string; limit: number },
): CommentEvent[] {
  const present = requirePresent(state);
  if (present.replies.size >= limit) throw limitReached('repliesPerComment', limit);
  return [{ type: 'CommentReplyPosted', data: { ...placeOf(present), ...posted } }];
}

/** Changes a reply. @throws AppError `not_found`, `forbidden` for a new text of somebody else, `limit_reached` */
export function changeReply(
  state: Comment,
  editor: Editor,
  { reply, ...wanted }: Edit & { reply: string },
): CommentEvent[] {
  const present = requirePresent(state);
  const known = keyedGet(present.replies, reply);
  if (known === undefined) throw new AppError('not_found');
  const { written } = wanted;
  if (written !== undefined) requireAuthor(known, editor.user);
  const { added, removed } = reactionsWithin(present.reactions, editor, { reply, wanted });
  const place = placeOf(present);
  return [
    ...(written === undefined
      ? []
      : [{ type: 'CommentReplyEdited' as const, data: { ...place, ...changedFrom(known, written), reply } }]),
    ...removed.map((emoji): CommentEvent => ({ type: 'CommentReplyReactionRemoved', data: { reply, emoji } })),
    ...added.map((emoji): CommentEvent => ({ type: 'CommentReplyReactionAdded', data: { reply, emoji } })),
  ];
}

export function removeReply(state: Comment, { reply }: { reply: string }): CommentEvent[] {
  if (state.status === 'absent' || state.status === 'deleted') return [];
  const known = keyedGet(state.replies, reply);
  if (known === undefined) return [];
  const { author, text } = known;
  return [{ type: 'CommentReplyDeleted', data: { ...placeOf(state), reply, author, text } }];
}
