import { AppError } from '@scriptorium/contracts';
import type { ChangeRequestEvent } from '../change-request.events.js';
import { requirePresent, type ChangeRequest, type PresentRequest } from './change-request.js';

/** An attempt at a merge. `head`: the newest revision of the change request, which the rules were checked for. */
export interface NewAttempt {
  attempt: string;
  head: string;
  /** What the rules were checked for besides. */
  seen: Pick<PresentRequest, 'status' | 'text' | 'reviewed'>;
}

/**
 * Begins a merge. Returns no event when a merge is under way or done.
 * @throws AppError `not_found`, `conflict` when the rules were checked for an earlier state
 */
export function beginMerge(state: ChangeRequest, { attempt, head, seen }: NewAttempt): ChangeRequestEvent[] {
  const { space, status, merging, text, reviewed } = requirePresent(state);
  if (merging !== null || status === 'merged') return [];
  if (status !== seen.status || text !== seen.text || reviewed !== seen.reviewed)
    throw new AppError('conflict', [], { retryAfter: 1 });
  return [{ type: 'ChangeRequestMergeBegan', data: { space, attempt, head } }];
}

/**
 * The outcome of an attempt: merged, or not with the number of `conflicts`; `null` when another reason prevented it.
 */
export type MergeOutcome = { revision: string } | { conflicts: number | null };

/** Records the outcome of an attempt. Returns no event when that attempt is no longer under way. */
export function endMerge(
  state: ChangeRequest,
  { attempt, outcome }: { attempt: string; outcome: MergeOutcome },
): ChangeRequestEvent[] {
  const { space, merging, status } = requirePresent(state);
  if (merging?.attempt !== attempt || status === 'merged') return [];
  const { by } = merging;
  return 'revision' in outcome
    ? [{ type: 'ChangeRequestMerged', data: { space, attempt, by, revision: outcome.revision, from: status } }]
    : [{ type: 'ChangeRequestMergeEnded', data: { space, attempt, by, conflicts: outcome.conflicts } }];
}

/**
 * Records a merge that content has carried out and nobody has recorded. Nothing unless the change request is as it was
 * `seen` before content was asked, and nothing while a merge is under way.
 */
export function settle(
  state: ChangeRequest,
  { seen, merged, attempt }: { seen: PresentRequest; merged: string | null; attempt: { id: string; by: string } },
): ChangeRequestEvent[] {
  const { space, merging, status } = requirePresent(state);
  if (merging !== null || status !== seen.status || status === 'merged' || merged === null) return [];
  const data = { space, attempt: attempt.id, by: attempt.by, revision: merged, from: status };
  return [{ type: 'ChangeRequestMerged', data }];
}
