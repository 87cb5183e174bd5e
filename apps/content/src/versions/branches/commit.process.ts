import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import type { Done, Made as MadeCommand, StoreScope, Written } from '@scriptorium/event-sourcing';
import { derivedId, type Call, type Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import type { BranchEvent, RevisionData } from './branch.events.js';
import { createDraft, type ContentObjects, type Draft, type NamedText } from '../object-store/index.js';
import { keys } from '../pages/index.js';
import { addToBranch, branch, requireUnmerged, type Branch, type NewRevision } from './branch.js';
import type { Head, OpenBranch } from './branch-state.js';
import { findHead } from './find-head.queries.js';

/** What commits need of a request. */
export type CommitCall = Pick<Call, 'store' | 'limits' | 'idFor'>;

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

/** What a commit has made for its branch. */
interface MadeRevision<T> extends MadeCommand<BranchEvent> {
  committed: Committed<T>;
  /** The pool of the branch, and the objects that have to be stored there first. */
  pool: string;
  texts: readonly NamedText[];
}

/**
 * Adds a revision to a branch. Its objects are stored first, then the event that names them; until then nobody sees
 * them. When another revision comes first, the changes are made again on that one, until the deadline. Commits of one
 * process to a branch wait for each other, but not until projections show what the one before has recorded. Short ones
 * that have come meanwhile are made one on the other, and recorded as one batch.
 * @throws AppError `not_found` for a branch that is not there, `change_request_merged`, `precondition_failed` when
 * `base` is not the head, `limit_reached`, `conflict` when the deadline comes first, and whatever `make` throws
 */
export async function commit<T>(call: CommitCall, objects: ContentObjects, work: Commit<T>): Promise<Committed<T>> {
  const done = await storeOf(call, work).make(branch, work.branch, {
    isShort: work.isShort === true,
    make: ({ state, ...written }) => make(call, objects, work, { state, written }),
    async beforeAppend(made) {
      const pool = made[0]?.pool ?? '';
      const texts = made.flatMap((one) => one.texts);
      await objects.store(pool, texts);
    },
  });
  return done.made?.committed ?? repeat(call, objects, work, done);
}

async function make<T>(
  call: CommitCall,
  objects: ContentObjects,
  work: Commit<T>,
  { state, written }: { state: Branch; written: Written },
): Promise<MadeRevision<T>> {
  requireOpen(state, work);
  requireUnmerged(state);
  requireBase(state, work);
  const { head, pool } = state;
  const seen: SeenBranch = { ...state, isRepeated: false, written };
  const given = createDraft(objects, pool, head?.tree ?? EMPTY_ROOT);
  const made = await work.make(given, seen);
  const { draft = given } = made;
  const { root: tree, texts } = await draft.written();
  const isSame = tree === head?.tree && made.mergedWith === undefined;
  const revision = isSame ? undefined : await revisionOf(call, work, { seen, draft, tree, made });
  const events = addToBranch(state, { revision, events: made.events ?? [] });
  if (events.length > 0) await made.keep?.(pool);
  // The next one of a batch is made before these are stored.
  if (work.isShort === true && !call.store.dry) objects.keep(pool, texts);
  const committed = { revision: (revision ?? head)?.revision ?? '', tree, result: made.result };
  return { events, committed, pool, texts };
}

function requireOpen(state: Branch, { space }: Commit<unknown>): asserts state is Branch & { status: 'open' } {
  if (state.status === 'absent' || state.space !== space) throw new AppError('not_found');
}

function requireBase({ head }: OpenBranch, { base }: Commit<unknown>): void {
  if (base === undefined || base === head?.revision) return;
  throw blaming('precondition_failed', 'body.base', 'It is not the newest revision any more');
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
  known: Done<Branch, BranchEvent>,
): Promise<Committed<T>> {
  const { state } = known;
  requireOpen(state, work);
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
