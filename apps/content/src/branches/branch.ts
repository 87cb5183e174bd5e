import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { branchEvents, type BranchEvent, type RevisionData } from '../events/index.js';

/** The newest revision of a branch. */
export interface Head {
  revision: string;
  /** The root of its tree. */
  tree: string;
  /** Revisions of the branch so far. */
  number: number;
}

export type Branch =
  | { status: 'absent' }
  | {
      status: 'open';
      space: string;
      /** The space whose pool has its objects. */
      pool: string;
      /** `null` until the first revision. */
      head: Head | null;
    };

function evolve(state: Branch, event: BranchEvent): Branch {
  switch (event.type) {
    case 'BranchOpened': {
      const { space, pool, from } = event.data;
      return { status: 'open', space, pool, head: from === null ? null : { ...from, number: 0 } };
    }
    case 'RevisionCreated': {
      const { revision, tree, number } = event.data;
      return state.status === 'absent' ? state : { ...state, head: { revision, tree, number } };
    }
    default:
      return unchanged(state, event);
  }
}

/** A line of revisions: the main content of a space, or the content of a change request. */
export const branch = defineAggregate({
  service: 'content',
  entity: 'branch',
  events: branchEvents,
  initial: { status: 'absent' },
  evolve,
});

/** A new revision, without what follows from its branch. `changes`: all that happened. */
export type NewRevision = Omit<RevisionData, 'space' | 'number' | 'parents' | 'more'>;

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
 * Adds a revision that was made on the head `base`.
 * @throws AppError `not_found` for a branch that is not there, `conflict` when another revision came first
 */
export function addRevision(state: Branch, base: string | null, made: NewRevision): BranchEvent[] {
  if (state.status === 'absent') throw new AppError('not_found');
  if ((state.head?.revision ?? null) !== base) throw new AppError('conflict', [], { retryAfter: 1 });
  return [revisionOf(state, made)];
}

function revisionOf({ space, head }: { space: string; head: Head | null }, made: NewRevision): BranchEvent {
  const parents = head === null ? [] : [head.revision];
  const changes = made.changes.slice(0, mostNamed);
  const more = made.changes.length - changes.length;
  return { type: 'RevisionCreated', data: { ...made, changes, more, space, number: (head?.number ?? 0) + 1, parents } };
}
