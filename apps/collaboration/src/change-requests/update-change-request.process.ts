import {
  AppError,
  reopenBranch,
  roleAtLeast,
  type InputOf,
  type updateChangeRequestById,
} from '@scriptorium/contracts';
import { ask, untilDeadline, type Call } from '@scriptorium/platform';
import type { ViewedSpace } from '../spaces/index.js';
import { storeText } from '../texts/index.js';
import {
  change,
  changeRequest,
  requireEditor,
  requireUnmerging,
  type Change,
  type Editor,
} from './lifecycle/change-request.js';
import { getRequestText } from './list/change-requests.queries.js';
import { requestState } from './lifecycle/request-state.queries.js';
import { beginReopening } from './lifecycle/reopening.js';
import { changedText, fieldsChanged, type RequestText } from './request-text.process.js';

type Wanted = InputOf<typeof updateChangeRequestById>['body'];

/**
 * Changes a change request. One that was merged takes content again before its status says so; if this breaks off in
 * between, a timer finishes it. When somebody else changes its text at the same moment, the change is made again on the
 * new one. Resolves to its new text, if it has one.
 * @throws AppError `forbidden`, `invalid_request` and `too_large` naming the field, `conflict` when the deadline comes
 * first
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
  const { state, repeated } = await requestState(call, id);
  if (repeated) return { text: undefined };
  const present = requireEditor(state, editor, wanted.status);
  requireUnmerging(present);
  const { text: previous } = present;
  const { described, after } = await describeAnew(call, { space, id, previous }, wanted);
  if (present.status === 'merged' && wanted.status !== undefined) {
    await here.keyed(undefined).handle(changeRequest, id, (now) => beginReopening(now, editor, wanted.status), {
      wait: false,
    });
    await ask(call, reopenBranch, { space, branch: id });
  }
  try {
    await here.handle(changeRequest, id, (now) => change(now, editor, { status: wanted.status, described }));
  } catch (error) {
    if (error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
  return { text: call.store.dry ? after : undefined };
}

/**
 * Stores the text that a request makes of the one before. `described`: what the event says of it, unless it is the
 * same.
 */
export async function describeAnew(
  call: Call,
  { space, id, previous }: { space: string; id: string; previous: string | null },
  wanted: Omit<Wanted, 'status'>,
): Promise<{ after: RequestText; described: Change['described'] }> {
  const before = await getRequestText(call, { _id: id, space, text: previous });
  const after = await changedText(call, before, wanted);
  const fields = fieldsChanged(before, after);
  if (fields.length === 0) return { after, described: undefined };
  const text = call.idFor(`text after ${previous ?? 'nothing'}`);
  if (!call.store.dry) await storeText(call, { space, owner: id, text }, after);
  return { after, described: { text, previous, bytes: Buffer.byteLength(JSON.stringify(after)), fields } };
}
