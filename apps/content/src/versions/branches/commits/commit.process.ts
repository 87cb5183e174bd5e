import { allRejected, type Outcomes } from '@scriptorium/event-sourcing';
import { untilDeadline } from '@scriptorium/platform';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentObjects } from '../../object-store/index.js';
import { afterAddition, type Branch } from '../branch.js';
import {
  add,
  look,
  prepare,
  type Commit,
  type Known,
  type CommitCall,
  type Committed,
  type Outcome,
  type PreparedCommit,
} from './make-commit.process.js';

/**
 * Adds a revision to a branch. Its objects are stored first, then the event that names them; until then nobody sees
 * them. When another revision comes first, the changes are made again on that one, until the deadline. Commits of one
 * process to a branch wait for each other, but not until projections show what the one before has recorded. Short ones
 * that have come meanwhile are made one on the other, and recorded as one batch.
 * @throws AppError `not_found` for a branch that is not there, `change_request_merged`, `precondition_failed` when
 * `base` is not the head, `limit_reached`, `conflict` when the deadline comes first, and whatever `make` throws
 */
export async function commit<T>(call: CommitCall, objects: ContentObjects, work: Commit<T>): Promise<Committed<T>> {
  const job: Job = { call, objects, work };
  const batched = (await objects.queue.run(work.branch, job, commitBatch)) as Outcome<T> | 'moved';
  const alone = () => objects.alone.run(work.branch, () => commitAlone(call, objects, work));
  const { committed, added } = batched === 'moved' ? await alone() : batched;
  if (added !== undefined && call.store.waits) await call.store.shown(added);
  return committed;
}

/** A commit that waits for its turn. */
interface Job {
  call: CommitCall;
  objects: ContentObjects;
  work: Commit<unknown>;
}

/** The most commits of a batch, and how long a batch may be made, in ms: the first commit waits for the last one. */
const [maxBatch, maxBatchMs] = [32, 100];

/**
 * Carries out the first of the commits that wait for a branch, and in the same batch the short ones directly behind it.
 */
async function commitBatch(jobs: readonly [unknown, ...unknown[]]): Promise<Outcomes<Outcome<unknown> | 'moved'>> {
  const [first, ...behind] = jobs as readonly [Job, ...Job[]];
  const { call, objects, work } = first;
  const [head, ...rest] = behind.length > 0 ? await makeBatch([first, ...behind]) : [];
  if (head === undefined) return [{ status: 'fulfilled', value: await commitAlone(call, objects, work) }];
  return recordBatch(objects, [head, ...rest]);
}

function mayJoin({ call, work }: Job): boolean {
  return work.isShort === true && !call.store.dry;
}

function commitAlone<T>(call: CommitCall, objects: ContentObjects, work: Commit<T>): Promise<Outcome<T>> {
  return untilDeadline(call, () => attempt(call, objects, work));
}

interface MadeCommit {
  job: Job;
  prepared: PreparedCommit;
}

/**
 * Makes the commits of a batch, each on the one before it. The batch ends before a commit that is long, adds nothing,
 * is refused, or takes too long. The commits behind that one wait for their own turn, because what they would be made
 * on may never be recorded.
 */
async function makeBatch(jobs: readonly Job[]): Promise<MadeCommit[]> {
  const made: MadeCommit[] = [];
  const end = performance.now() + maxBatchMs;
  let ahead: Branch | undefined;
  for (const job of jobs.slice(0, maxBatch)) {
    const left = end - performance.now();
    if (!mayJoin(job) || (made.length > 0 && left <= 0)) break;
    const making = makeBehind(job, ahead);
    // The caller of the first commit waits no longer for those behind it. They are made again when their turn comes.
    const prepared = await (made.length === 0
      ? making
      : Promise.race([making, pause(left, undefined, { ref: false })]));
    if (prepared === undefined) break;
    made.push({ job, prepared });
    job.objects.keep(prepared.seen.pool, prepared.texts);
    ahead = afterAddition(prepared.seen, prepared.addition);
  }
  return made;
}

/** Makes a commit on the branch as it will be (`ahead`), or as this process has cached it. Never rejects. */
async function makeBehind(
  { call, objects, work }: Job,
  ahead: Branch | undefined,
): Promise<PreparedCommit | undefined> {
  try {
    const known = await look(call, work, true);
    if (known.repeated) return undefined;
    const made = await prepare(call, objects, work, { ...known, state: ahead ?? known.state });
    return 'addition' in made ? made : undefined;
  } catch {
    // The error is found again when the commit has its own turn.
    return undefined;
  }
}

/** Stores the objects of a batch, then adds its commits in their order; the log gets them by one append. */
async function recordBatch(
  objects: ContentObjects,
  made: readonly [MadeCommit, ...MadeCommit[]],
): Promise<Outcomes<Outcome<unknown> | 'moved'>> {
  const [head, ...rest] = made;
  const { pool } = head.prepared.seen;
  try {
    const texts = made.flatMap(({ prepared }) => prepared.texts);
    await objects.store(pool, texts);
  } catch (reason) {
    return allRejected(made, reason);
  }
  const added = ({ job: { call, work }, prepared }: MadeCommit) => add(call, work, prepared);
  return Promise.allSettled([added(head), ...rest.map(added)]);
}

/**
 * Attempts a commit on the cached state. An append proves that this state is the newest one. Any other outcome counts
 * only if the log has the same state.
 */
async function attempt<T>(call: CommitCall, objects: ContentObjects, work: Commit<T>): Promise<Outcome<T> | 'moved'> {
  if (call.store.dry) return attemptOn(call, objects, work, await look(call, work, false));
  const known = await look(call, work, true);
  const isNewest = async (): Promise<boolean> => (await look(call, work, false)).revision === known.revision;
  try {
    const outcome = await attemptOn(call, objects, work, known);
    const isSure = outcome === 'moved' || outcome.added !== undefined;
    return isSure || (await isNewest()) ? outcome : 'moved';
  } catch (error) {
    if (await isNewest()) throw error;
    return 'moved';
  }
}

async function attemptOn<T>(
  call: CommitCall,
  objects: ContentObjects,
  work: Commit<T>,
  known: Known,
): Promise<Outcome<T> | 'moved'> {
  const prepared = await prepare(call, objects, work, known);
  if (!('addition' in prepared)) return prepared;
  const { seen, texts, keep } = prepared;
  await keep?.(seen.pool);
  if (!call.store.dry) await objects.store(seen.pool, texts);
  return add(call, work, prepared);
}
