import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import type { Done, StoreScope, Written } from '@scriptorium/event-sourcing';
import { derivedId, type Call, type Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import type { BranchEvent, RevisionData } from '../branch.events.js';
import { createDraft, type ContentObjects, type Draft, type NamedText } from '../../object-store/index.js';
import { keys } from '../../pages/index.js';
import { addToBranch, branch, requireUnmerged, type Addition, type Branch, type NewRevision } from '../branch.js';
import type { Head, OpenBranch } from '../branch-state.js';
import { findHead } from '../find-head.queries.js';

/** What commits need of a request. */
export type CommitCall = Pick<Call, 'store' | 'limits' | 'now' | 'deadline' | 'idFor'>;

/** What was made for a new revision. */
export interface Made<T> {
  result: T;
  /** What happened. */
  changes: RevisionData['changes'];
  /** The content, if it is not that of the draft. */
  draft?: Draft | undefined;
  /** The revision of another branch that was merged with the head. Then there is a revision also if nothing differs. */
  mergedWith?: string | undefined;
  /** The change request that was merged. */
  mergedFrom?: string | undefined;
  /** What else happens to the branch. */
  events?: readonly BranchEvent[] | undefined;
  /**
   * Gives the pool what the revision needs besides objects. It is called when everything is judged, directly before it
   * is recorded.
   */
  keep?: ((pool: string) => Promise<void>) | undefined;
}

/** The branch that a draft was made of. */
export interface SeenBranch extends OpenBranch {
  /** The changes were made before, and only their result is wanted. */
  isRepeated: boolean;
  /** Its last event, which read models may not show yet. */
  written: Written;
}

/** What a new revision is made by. */
export interface Commit<T> {
  space: string;
  branch: string;
  /** The revision that the changes were made for; 412 when it is not the head. */
  base?: string | undefined;
  type: RevisionData['type'];
  /**
   * It is made within a few milliseconds, of nothing but the draft, and keeps nothing: so it may be made on what the
   * commit before it is about to record, and recorded with that.
   */
  isShort?: boolean;
  /** Names the commit instead of the idempotency key of the request: the revision, and a repetition. */
  key?: string;
  /**
   * Changes the draft, which begins with the content of the head. It may be asked several times, each time with a new
   * draft.
   */
  make(draft: Draft, seen: SeenBranch): Promise<Made<T>>;
  /** The result of what was carried out before; the same changes are made again unless given. */
  repeated?(this: void): Promise<T>;
}

export interface Committed<T> {
  /** The new head; the present one when nothing changed. */
  revision: string;
  /** The root of its tree. */
  tree: string;
  result: T;
}

export type Known = Done<Branch, BranchEvent>;

/** What came of a commit. */
export interface Outcome<T> {
  committed: Committed<T>;
  /** What was recorded now, if anything. */
  added?: Known | undefined;
}

/** What a commit wants to add to its branch. */
export interface PreparedCommit<T = unknown> {
  committed: Committed<T>;
  addition: Addition;
  /** The branch that it was made for. */
  seen: SeenBranch;
  /** Objects that have to be stored first. */
  texts: readonly NamedText[];
  /** See `Made`. */
  keep: Made<T>['keep'];
}

/** The branch as this process has cached it, or as it is in the log. */
export function look(call: CommitCall, work: Commit<unknown>, fromMemory: boolean): Promise<Known> {
  return storeOf(call, work).handle(branch, work.branch, () => [], { wait: false, fromMemory });
}

/** Makes what the commit adds to the branch; its outcome when that is nothing. */
export async function prepare<T>(
  call: CommitCall,
  objects: ContentObjects,
  work: Commit<T>,
  known: Known,
): Promise<PreparedCommit<T> | Outcome<T>> {
  const { state } = known;
  if (state.status === 'absent' || state.space !== work.space) throw new AppError('not_found');
  if (known.repeated) return { committed: await repeat(call, objects, work, { state, known }) };
  requireUnmerged(state);
  if (work.base !== undefined && work.base !== state.head?.revision)
    throw blaming('precondition_failed', 'body.base', 'It is not the newest revision any more');
  return prepareOn(call, objects, work, { ...state, isRepeated: false, written: known });
}

async function prepareOn<T>(
  call: CommitCall,
  objects: ContentObjects,
  work: Commit<T>,
  seen: SeenBranch,
): Promise<PreparedCommit<T> | Outcome<T>> {
  const { head, pool } = seen;
  const given = createDraft(objects, pool, head?.tree ?? EMPTY_ROOT);
  const made = await work.make(given, seen);
  const { result, mergedWith, events = [], keep, draft = given } = made;
  const { root: tree, texts } = await draft.written();
  const isSame = head !== null && tree === head.tree && mergedWith === undefined;
  if (isSame && events.length === 0) return { committed: { revision: head.revision, tree, result } };
  const revision = isSame ? undefined : await revisionOf(call, work, { seen, draft, tree, made });
  const committed = { revision: revision?.revision ?? head?.revision ?? '', tree, result };
  return { committed, addition: { revision, events }, seen, texts, keep };
}

async function revisionOf(
  call: CommitCall,
  { branch: id, key, type }: Commit<unknown>,
  { seen, draft, tree, made }: { seen: SeenBranch; draft: Draft; tree: string; made: Made<unknown> },
): Promise<NewRevision> {
  const counts = await countContent(draft);
  await refuseTooMuch(call, seen, counts);
  const { changes, mergedFrom = null, mergedWith } = made;
  // The same commit can be made by two processes at once, and again when its request is repeated. It always makes the
  // same revision.
  const revision = key === undefined ? call.idFor('revision') : derivedId(id, 'revision', key);
  const merged = mergedWith === undefined ? {} : { mergedWith };
  return { revision, tree, type, mergedFrom, counts, changes, ...merged };
}

/** What belongs to a change request happens in it, and in its space. */
function storeOf({ store }: Pick<CommitCall, 'store'>, { space, branch: id, key }: Commit<unknown>): StoreScope {
  const place = store.within(id === space ? { space } : { space, changeRequest: id });
  return key === undefined ? place : place.keyed(key);
}

/** What was added now. What the same commit has added elsewhere is read from the log by the next attempt. */
export async function add<T>(
  call: CommitCall,
  work: Commit<T>,
  { committed, addition, seen }: PreparedCommit<T>,
): Promise<Outcome<T> | 'moved'> {
  try {
    const added = await storeOf(call, work).handle(branch, work.branch, (now) => addToBranch(now, seen, addition), {
      wait: false,
    });
    return added.repeated ? 'moved' : { committed, added };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
}

type Recorded = { type: string; data: object };

function isRevision<E extends Recorded>(event: E): event is E & { type: 'RevisionCreated'; data: RevisionData } {
  return event.type === 'RevisionCreated';
}

/**
 * The answer to a request that was carried out before: the same changes, made on the revision that was the head then.
 */
async function repeat<T>(
  call: CommitCall,
  objects: ContentObjects,
  work: Commit<T>,
  { state, known }: { state: OpenBranch; known: Known },
): Promise<Committed<T>> {
  const made = known.events.find(isRevision)?.data;
  const { revision, tree } = made ?? state.head ?? { revision: '', tree: EMPTY_ROOT };
  if (made !== undefined && work.repeated !== undefined) return { revision, tree, result: await work.repeated() };
  const head = made === undefined ? state.head : await headOf(call, made.parents[0], known);
  const draft = createDraft(objects, state.pool, head?.tree ?? EMPTY_ROOT);
  const { result } = await work.make(draft, { ...state, head, isRepeated: true, written: known });
  return { revision, tree, result };
}

async function headOf(
  { store }: Pick<CommitCall, 'store'>,
  revision: string | undefined,
  written: Written,
): Promise<Head | null> {
  const found = revision === undefined ? null : await findHead(store, revision, written);
  return found === null ? null : { revision: found._id, tree: found.tree, number: found.number };
}

/** A space that has more than the limit, because the limit was lowered, may shrink. */
export async function refuseTooMuch(
  { limits, store }: Pick<Scope, 'limits' | 'store'>,
  { head, written }: Pick<SeenBranch, 'head' | 'written'>,
  counts: RevisionData['counts'],
): Promise<void> {
  const bounds = [
    ['pagesPerSpace', 'pages'],
    ['filesPerSpace', 'files'],
    ['reusableContentsPerSpace', 'reusableContents'],
    ['variablesPerSpace', 'variables'],
  ] as const;
  for (const [limit, what] of bounds) {
    if (counts[what] <= limits[limit]) continue;
    const before = head === null ? null : await findHead(store, head.revision, written);
    if (counts[what] > (before?.counts[what] ?? 0)) throw limitReached(limit, limits[limit]);
  }
}

/** What the tree of a revision has. */
export async function countContent(draft: Draft): Promise<RevisionData['counts']> {
  return {
    pages: await draft.count(keys.pages),
    files: await draft.count(keys.files),
    reusableContents: await draft.count(keys.reusableContents),
    variables: await draft.count(keys.variables),
  };
}
