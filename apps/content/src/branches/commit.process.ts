import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import type { Call, Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import type { RevisionData } from '../events/index.js';
import { createDraft, type ContentObjects, type Draft } from '../objects/index.js';
import { countContent } from '../pages/index.js';
import { addRevision, branch, type Branch, type Head, type NewRevision } from './branch.js';
import { revisions } from './revision.projection.js';

/** What a new revision is made by. */
export interface Commit<T> {
  space: string;
  branch: string;
  /** The revision that the changes were made for; 412 when it is not the head. */
  base?: string | undefined;
  type: RevisionData['type'];
  /** Changes the draft, which begins with the content of the head. It may be asked several times, each time with a new draft. */
  make(draft: Draft, head: Head | null): Promise<{ result: T; changes: RevisionData['changes'] }>;
}

export interface Committed<T> {
  /** The new head; the present one when nothing changed. */
  revision: string;
  result: T;
}

/**
 * Adds a revision to a branch. Its objects are stored first, then the event that names them; until then nobody sees them. When
 * another revision comes first, the changes are made again on that one, until the deadline. Commits of one process to a branch
 * wait for each other.
 * @throws AppError `not_found` for a branch that is not there, `precondition_failed` when `base` is not the head, `limit_reached`,
 * `conflict` when the deadline comes first, and whatever `make` throws
 */
export function commit<T>(call: Call, objects: ContentObjects, work: Commit<T>): Promise<Committed<T>> {
  return objects.queue.run(work.branch, async () => {
    for (;;) {
      const committed = await attempt(call, objects, work);
      if (committed !== 'moved') return committed;
      if (call.now() >= call.deadline) throw new AppError('conflict', [], { retryAfter: 1 });
    }
  });
}

async function attempt<T>(call: Call, objects: ContentObjects, work: Commit<T>): Promise<Committed<T> | 'moved'> {
  const known = await call.store.handle(branch, work.branch, () => [], { wait: false });
  const { state } = known;
  if (state.status === 'absent') throw new AppError('not_found');
  const earlier = known.repeated ? known.events.find(isRevision) : undefined;
  if (earlier !== undefined) return repeat(call, objects, work, { state, earlier: earlier.data });
  const { head, pool } = state;
  if (work.base !== undefined && work.base !== head?.revision)
    throw blaming('precondition_failed', 'body.base', 'It is not the newest revision any more');
  const draft = createDraft(objects, pool, head?.tree ?? EMPTY_ROOT);
  const { result, changes } = await work.make(draft, head);
  const { root, texts } = await draft.written();
  if (head !== null && root === head.tree) return { revision: head.revision, result };
  const counts = await countContent(draft);
  await refuseTooMuch(call, head, counts);
  const revision = call.idFor('revision');
  const made: NewRevision = {
    revision,
    tree: root,
    type: work.type,
    mergedFrom: null,
    counts,
    changes,
  };
  if (!call.store.dry) await objects.store(pool, texts);
  try {
    await call.store
      .within({ space: work.space })
      .handle(branch, work.branch, (now) => addRevision(now, head?.revision ?? null, made));
  } catch (error) {
    if (error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
  return { revision, result };
}

type Recorded = { type: string; data: object };

function isRevision<E extends Recorded>(event: E): event is E & { type: 'RevisionCreated'; data: RevisionData } {
  return event.type === 'RevisionCreated';
}

/** The answer to a request that was carried out before: the same changes, made on the revision that was the head then. */
async function repeat<T>(
  call: Call,
  objects: ContentObjects,
  work: Commit<T>,
  { state, earlier }: { state: Exclude<Branch, { status: 'absent' }>; earlier: RevisionData },
): Promise<Committed<T>> {
  const [parent] = earlier.parents;
  const before = parent === undefined ? null : await call.store.read(revisions).byId(parent);
  const head = before === null ? null : { revision: before._id, tree: before.tree, number: before.number };
  const draft = createDraft(objects, state.pool, head?.tree ?? EMPTY_ROOT);
  const { result } = await work.make(draft, head);
  return { revision: earlier.revision, result };
}

/** A space that has more than the limit, because the limit was lowered, may shrink. */
async function refuseTooMuch(
  { limits, store }: Pick<Scope, 'limits' | 'store'>,
  head: Head | null,
  counts: RevisionData['counts'],
): Promise<void> {
  const bounds = [
    ['pagesPerSpace', 'pages'],
    ['filesPerSpace', 'files'],
    ['reusableContentsPerSpace', 'reusableContents'],
  ] as const;
  for (const [limit, what] of bounds) {
    if (counts[what] <= limits[limit]) continue;
    const before = head === null ? null : await store.read(revisions).byId(head.revision);
    if (counts[what] > (before?.counts[what] ?? 0)) throw limitReached(limit, limits[limit]);
  }
}
