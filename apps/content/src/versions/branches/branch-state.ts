import { unchanged } from '@scriptorium/event-sourcing';
import type { BranchEvent } from './branch.events.js';

/** A revision with the root of its tree. */
export interface RevisionRoot {
  revision: string;
  tree: string;
}

/** The newest revision of a branch. */
export interface Head extends RevisionRoot {
  /** Revisions of the branch so far. */
  number: number;
}

/** What the branch of a change request has besides its head. */
export interface RequestState {
  /** The revision of the main content that it began with. */
  initial: string;
  /** The newest revision of the main content that it has taken over. */
  ancestor: RevisionRoot;
  /** A newer one that it has taken over but for `conflicts`, which names the object that lists them. */
  pending: { ancestor: RevisionRoot; conflicts: string } | null;
  /** The revision of the main content that it was merged into. Then it takes no content. */
  merged: RevisionRoot | null;
}

/** A branch as its events tell it. */
export interface OpenBranch {
  space: string;
  /** The space whose pool has its objects. */
  pool: string;
  /** `null` until the first revision. */
  head: Head | null;
  /** `null` for main content. */
  request: RequestState | null;
}

/** The state of a branch after an event; `null` before it was opened. */
export function afterBranchEvent(state: OpenBranch | null, event: BranchEvent): OpenBranch | null {
  if (event.type === 'BranchOpened') return opened(event.data);
  if (state === null) return null;
  if (event.type === 'RevisionCreated') {
    const { revision, tree, number } = event.data;
    return { ...state, head: { revision, tree, number } };
  }
  return state.request === null ? state : afterRequestEvent(state, state.request, event);
}

function opened({ space, pool, from }: Extract<BranchEvent, { type: 'BranchOpened' }>['data']): OpenBranch {
  if (from === null) return { space, pool, head: null, request: null };
  const request = { initial: from.revision, ancestor: from, pending: null, merged: null };
  return { space, pool, head: { ...from, number: 0 }, request };
}

function afterRequestEvent(
  state: OpenBranch,
  request: RequestState,
  event: Exclude<BranchEvent, { type: 'BranchOpened' | 'RevisionCreated' }>,
): OpenBranch {
  switch (event.type) {
    case 'BranchUpdated': {
      const { ancestor, conflicts } = event.data;
      const next = conflicts === null ? { ancestor, pending: null } : { pending: { ancestor, conflicts } };
      return { ...state, request: { ...request, ...next } };
    }
    case 'BranchConflictsResolved':
      return { ...state, request: afterResolution(request, event.data.left) };
    case 'BranchMerged': {
      const { revision, tree } = event.data;
      return { ...state, request: { ...request, merged: { revision, tree } } };
    }
    case 'BranchReopened':
      return reopened(state, request);
    default:
      return unchanged(state, event);
  }
}

function afterResolution(request: RequestState, left: string | null): RequestState {
  if (request.pending === null) return request;
  const { ancestor } = request.pending;
  return left === null
    ? { ...request, ancestor, pending: null }
    : { ...request, pending: { ancestor, conflicts: left } };
}

/** It goes on from the main content, which has everything of it. */
function reopened(state: OpenBranch, request: RequestState): OpenBranch {
  const { merged } = request;
  if (merged === null) return state;
  const head = { ...merged, number: state.head?.number ?? 0 };
  return { ...state, head, request: { ...request, ancestor: merged, pending: null, merged: null } };
}
