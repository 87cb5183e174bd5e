import { roleAtLeast, type InputOf } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { CommentEvent } from '../comment.events.js';
import type { ContentPlaces } from '../../spaces/index.js';
import { commentCounts } from '../reading/comment-count.projection.js';
import type { CommentPlace } from '../places/comment-place.js';
import { resolveTarget } from '../places/comment-target.process.js';
import { change, comment, post, type Comment } from './comment.js';
import type { CommentOperations } from '../places/commenting-place.queries.js';
import { requireComment, requireReply } from '../reading/comments.queries.js';
import { changeReply, postReply } from './reply.js';
import { readBody, readChangedBody, storeBody, type NewText } from './write-text.process.js';

type Body<O extends 'post' | 'update' | 'postReply' | 'updateReply'> = InputOf<CommentOperations[O]>['body'];

/** What was posted: its id and its text. */
interface Posted {
  id: string;
  text: NewText;
}

/** Commands whose events happen in a place. */
export function commandsAt({ store }: Pick<Call, 'store'>, { space, changeRequest }: CommentPlace): Call['store'] {
  return store.within({ space: space.id, ...(changeRequest === null ? {} : { changeRequest }) });
}

/**
 * Posts a comment: first its text, then the event that names it. @throws AppError `limit_reached`, and for its target
 */
export async function postComment(
  call: Call,
  places: ContentPlaces,
  place: CommentPlace,
  body: Body<'post'>,
): Promise<Posted> {
  const [space, id] = [place.space.id, call.idFor('comment')];
  const text = await readBody(call, body.body);
  const target = await resolveTarget(call, places, place, body);
  await withinCommentQuota(call, space, id, async () => {
    await storeBody(call, { space, owner: id }, text);
    await commandsAt(call, place).handle(comment, id, (state) => post(state, { ...target, ...text.written }), {
      isNew: true,
    });
  });
  return { id, text };
}

/** Does work that posts one more comment. @throws AppError `limit_reached` */
export function withinCommentQuota(call: Call, space: string, id: string, work: () => Promise<void>): Promise<void> {
  const look = async () => ({ present: (await call.store.read(commentCounts).byId(space))?.all ?? 0, more: 1 });
  const made = async () => (await call.store.load(comment, id)).status !== 'absent';
  return call.quotas.within({ limit: 'commentsPerSpace', of: space, most: 1, look, made }, work);
}

/**
 * Changes a comment. Resolves to its new text, if it has one. @throws AppError `forbidden` naming the field,
 * `limit_reached`
 */
export async function editComment(
  call: Call,
  place: CommentPlace,
  id: string,
  body: Body<'update'>,
): Promise<NewText | undefined> {
  const doc = await requireComment(call, place, id);
  const text = await readChangedBody(call, body.body, { ...doc, owner: id });
  const editor = { ...editorOf(call), mayResolve: roleAtLeast(place.space.level, 'edit') };
  const wanted = { ...body, written: text?.written };
  await handleWithText(call, place, { owner: id, text }, (state) => change(state, editor, wanted));
  return text;
}

export async function postReplyTo(
  call: Call,
  place: CommentPlace,
  owner: string,
  body: Body<'postReply'>,
): Promise<Posted> {
  const id = call.idFor('reply');
  const text = await readBody(call, body.body);
  const posted = { ...text.written, reply: id, limit: call.limits.repliesPerComment };
  await handleWithText(call, place, { owner, text }, (state) => postReply(state, posted));
  return { id, text };
}

/**
 * Changes a reply. Resolves to its new text, if it has one. @throws AppError `forbidden` naming the field,
 * `limit_reached`
 */
export async function editReply(
  call: Call,
  place: CommentPlace,
  { comment: owner, reply }: { comment: string; reply: string },
  body: Body<'updateReply'>,
): Promise<NewText | undefined> {
  const doc = await requireReply(call, owner, reply);
  const text = await readChangedBody(call, body.body, { ...doc, owner });
  const wanted = { ...body, reply, written: text?.written };
  await handleWithText(call, place, { owner, text }, (state) => changeReply(state, editorOf(call), wanted));
  return text;
}

function editorOf({ principal, limits }: Call): { user: string; limit: number } {
  return { user: principal.id, limit: limits.reactionsPerComment };
}

/**
 * Carries out a command on a comment, and stores the text that it names before. What is refused on the present state
 * leaves no text behind; what was carried out before is not judged again.
 */
async function handleWithText(
  call: Call,
  place: CommentPlace,
  { owner, text }: { owner: string; text: NewText | undefined },
  decide: (state: Comment) => CommentEvent[],
): Promise<void> {
  const commands = commandsAt(call, place);
  if (text !== undefined) {
    const { state, repeated } = await commands.handle(comment, owner, () => [], { wait: false });
    if (!repeated) decide(state);
    await storeBody(call, { space: place.space.id, owner }, text);
  }
  await commands.handle(comment, owner, decide);
}
