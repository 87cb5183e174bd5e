import { AppError, roleAtLeast, type InputOf, type updateChangeRequestById } from '@scriptorium/contracts';
import { untilDeadline, type Call } from '@scriptorium/platform';
import type { ViewedSpace } from '../spaces/index.js';
import { storeText } from '../texts/index.js';
import { change, changeRequest, requireEditor, type Change, type Editor } from './change-request.js';
import { changedText, fieldsChanged, noText, requestTexts, type RequestText } from './request-text.process.js';

type Wanted = InputOf<typeof updateChangeRequestById>['body'];

/**
 * Changes a change request. When somebody else changes its text at the same moment, the change is made again on the new one.
 * Resolves to its new text, if it has one.
 * @throws AppError `forbidden`, `invalid_request` and `too_large` naming the field, `conflict` when the deadline comes first
 */
export async function updateRequest(
  call: Call,
  space: ViewedSpace,
  id: string,
  wanted: Wanted,
): Promise<RequestText | undefined> {
  const editor = { user: call.principal.id, mayReview: roleAtLeast(space.level, 'review') };
  const { text } = await untilDeadline(call, () => attempt(call, { space: space.id, id, editor }, wanted));
  return text;
}

async function attempt(
  call: Call,
  { space, id, editor }: { space: string; id: string; editor: Editor },
  wanted: Wanted,
): Promise<{ text: RequestText | undefined } | 'moved'> {
  const here = call.store.within({ space, changeRequest: id });
  const { state } = await here.keyed(undefined).handle(changeRequest, id, () => [], { wait: false });
  const { text: previous } = requireEditor(state, editor);
  const before = (await requestTexts(call, [{ _id: id, space, text: previous }])).get(previous ?? '') ?? noText;
  const after = await changedText(call, before, wanted);
  const fields = fieldsChanged(before, after);
  const made: Change = { status: wanted.status };
  if (fields.length > 0) {
    const text = call.idFor(`text after ${previous ?? 'nothing'}`);
    if (!call.store.dry) await storeText(call, { space, owner: id, text }, after);
    made.described = { text, previous, bytes: Buffer.byteLength(JSON.stringify(after)), fields };
  }
  try {
    await here.handle(changeRequest, id, (now) => change(now, editor, made));
  } catch (error) {
    if (error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
  return { text: call.store.dry ? after : undefined };
}
