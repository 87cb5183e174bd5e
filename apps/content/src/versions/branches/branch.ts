import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { branchEvents, type BranchEvent, type RevisionData } from './branch.events.js';
import { afterBranchEvent, type Head, type OpenBranch, type RevisionRoot } from './branch-state.js';

export type Branch = { status: 'absent' } | ({ status: 'open' } & OpenBranch);

function evolve(state: Branch, event: BranchEvent): Branch {
  const before = state.status === 'absent' ? null : state;
  const next = afterBranchEvent(before, event);
  if (next === null) return { status: 'absent' };
  return next === before ? state : { status: 'open', ...next };
}

/** A line of revisions: the main content of a space, or the content of a change request. */
export const branch = defineAggregate({
  service: 'content',
  entity: 'branch',
  events: branchEvents,
  initial: { status: 'absent' },
  evolve,
});

/**
 * A new revision, without what follows from its branch. `changes`: all that happened. `mergedWith`: the revision of
 * another branch that it was merged with.
 */
export type NewRevision = Omit<RevisionData, 'space' | 'number' | 'parents' | 'more'> & { mergedWith?: string };

/** What happened is named up to this number in an event. */
const mostNamed = 100;

/** Opens the main content of a space with its first revision. Nothing when it is open. */
export function openMain(
  state: Branch,
  { space, pool, first }: { space: string; pool: string; first: NewRevision },
): BranchEvent[] {
  if (state.status !== 'absent') return [];
  const opened: BranchEvent = { type: 'BranchOpened', data: { space, pool, from: null } };
  return [opened, revisionOf({ space, head: null }, first)];
}

/**
 * Opens the branch of a change request at a revision of the main content, with a first revision of its own if there is
 * one. Nothing when it is open.
 * @throws AppError `not_found` for a branch of something else
 */
export function openRequest(
  state: Branch,
  { space, pool, from, first }: { space: string; pool: string; from: RevisionRoot; first: NewRevision | undefined },
): BranchEvent[] {
  if (state.status === 'open') {
    if (state.space !== space || state.request === null) throw new AppError('not_found');
    return [];
  }
  const opened: BranchEvent = { type: 'BranchOpened', data: { space, pool, from } };
  return first === undefined ? [opened] : [opened, revisionOf({ space, head: { ...from, number: 0 } }, first)];
}

/** What is added to a branch at once: a revision, what else happens to the branch with it, both, or nothing. */
export interface Addition {
  revision: NewRevision | undefined;
  events: readonly BranchEvent[];
}

/** Adds to a branch what was made of it. @throws AppError `change_request_merged` */
export function addToBranch(state: OpenBranch, { revision, events }: Addition): BranchEvent[] {
  requireUnmerged(state);
  return [...(revision === undefined ? [] : [revisionOf(state, revision)]), ...events];
}

/** @throws AppError `change_request_merged` for a change request that takes no content any more */
export function requireUnmerged({ request }: OpenBranch): void {
  if (request?.merged == null) return;
  throw new AppError('change_request_merged', [], { message: 'The change request is merged' });
}

/**
 * Marks a change request as merged. Nothing when it is. `head`: its revision that the main content has.
 * @throws AppError `not_found`, `conflict` when it has a newer revision
 */
export function seal(
  state: Branch,
  { head, merged, attempt }: { head: string; merged: RevisionRoot; attempt: string },
): BranchEvent[] {
  if (state.status === 'absent' || state.request === null) throw new AppError('not_found');
  if (state.request.merged !== null) return [];
  if (state.head?.revision !== head) throw moved();
  const { revision, tree } = merged;
  return [{ type: 'BranchMerged', data: { space: state.space, revision, tree, attempt } }];
}

/** Lets a merged change request take content again. Nothing for others. @throws AppError `not_found` */
export function reopen(state: Branch): BranchEvent[] {
  if (state.status === 'absent' || state.request === null) throw new AppError('not_found');
  return state.request.merged === null ? [] : [{ type: 'BranchReopened', data: { space: state.space } }];
}

/** Somebody else was faster. Whoever made something makes it again on what is there now. */
function moved(): AppError {
  return new AppError('conflict', [], { retryAfter: 1 });
}

function revisionOf(
  { space, head }: { space: string; head: Head | null },
  { mergedWith, ...made }: NewRevision,
): BranchEvent {
  const parents = [...(head === null ? [] : [head.revision]), ...(mergedWith === undefined ? [] : [mergedWith])];
  const changes = made.changes.slice(0, mostNamed);
  const more = made.changes.length - changes.length;
  return { type: 'RevisionCreated', data: { ...made, changes, more, space, number: (head?.number ?? 0) + 1, parents } };
}
