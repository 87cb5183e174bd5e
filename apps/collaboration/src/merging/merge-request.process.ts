import type { ServiceAccess } from '@scriptorium/access';
import { AppError, mergeBranch, type mergeChangeRequest, type ResultOf } from '@scriptorium/contracts';
import { ask, requireLive, untilDeadline, type Asking, type Call } from '@scriptorium/platform';
import {
  beginMerge,
  changeRequest,
  changeRequests,
  endMerge,
  requirePresent,
  requestState,
  requireRequest,
  type MergeOutcome,
  type PresentRequest,
} from '../change-requests/index.js';
import type { ViewedSpace } from '../spaces/index.js';
import { mergeFacts, rulesOf } from './merge-facts.queries.js';
import { failedRules } from './merge-rules.js';

type Merged = ResultOf<typeof mergeChangeRequest>;
type Attempt = NonNullable<PresentRequest['merging']>;

/** A change request and its space. */
interface RequestOfSpace {
  space: string;
  id: string;
}

/**
 * Merges a change request: its rules are checked for its newest revision, content merges that one, and what became of
 * it is recorded. Whoever comes while a merge is under way takes part in it, so that it is finished also when its own
 * process is gone. With conflicts nothing changes.
 * @throws AppError `merge_rules_failed` naming each rule that fails, `not_found`, `limit_reached`, `conflict` when the
 * deadline comes first
 */
export function mergeRequest(call: Call, access: ServiceAccess, space: ViewedSpace, id: string): Promise<Merged> {
  const target = { space: space.id, id };
  return untilDeadline(call, async () => {
    const present = requirePresent((await requestState(call, id)).state);
    if (present.merged !== null) return { revision: present.merged, result: 'merge' };
    const attempt = present.merging ?? (await begin(call, access, space, { id, present }));
    return attempt === 'moved' ? attempt : finishMerge(call, target, attempt);
  });
}

/** Each command is recognised by what it finds, since several may be sent under one idempotency key. */
function commands({ store }: Asking, { space, id }: RequestOfSpace): Asking['store'] {
  return store.within({ space, changeRequest: id }).keyed(undefined);
}

/** Checks the rules and begins a merge. Resolves to the attempt that is under way then. */
async function begin(
  call: Call,
  access: ServiceAccess,
  space: ViewedSpace,
  { id, present }: { id: string; present: PresentRequest },
): Promise<Attempt | 'moved'> {
  // A read model that has stopped would name the same revision again and again.
  requireLive(call.store, [changeRequests]);
  const doc = await requireRequest(call, space.id, id);
  const rules = await rulesOf(call, space);
  if (rules.length > 0) {
    const facts = await mergeFacts(call, access, { space, doc, present, actor: call.principal.id });
    const failed = failedRules(rules, facts);
    if (failed.length > 0)
      throw new AppError('merge_rules_failed', failed, { message: failed.map(({ message }) => message).join('; ') });
  }
  const head = doc.revision ?? '';
  const wanted = { attempt: call.idFor(`merge of ${head}`), head, seen: present };
  try {
    const { state } = await commands(call, { space: space.id, id }).handle(
      changeRequest,
      id,
      (now) => beginMerge(now, wanted),
      { wait: false },
    );
    return requirePresent(state).merging ?? 'moved';
  } catch (error) {
    if (error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
}

/**
 * Content refuses for these reasons before it merges anything; any other error leaves open what became of the merge.
 */
const refusals = new Set(['not_found', 'limit_reached', 'precondition_failed']);

/**
 * Has content merge, and records what became of it. It answers a repeated attempt as before, so this can be done by
 * anybody and any number of times. `moved`: the change request has a newer revision than the one that the rules were
 * checked for.
 */
export async function finishMerge(
  asking: Asking,
  { space, id }: RequestOfSpace,
  { attempt, head: expected }: Attempt,
): Promise<Merged | 'moved'> {
  const end = (outcome: MergeOutcome) =>
    commands(asking, { space, id }).handle(changeRequest, id, (state) => endMerge(state, { attempt, outcome }));
  try {
    const merged = await ask(asking, mergeBranch, { space, branch: id, attempt, expected });
    await end('conflicts' in merged ? { conflicts: merged.conflicts.length } : { revision: merged.revision });
    return merged;
  } catch (error) {
    if (!(error instanceof AppError) || !refusals.has(error.reason)) throw error;
    await end({ conflicts: null });
    if (error.reason === 'precondition_failed') return 'moved';
    throw error;
  }
}
