import type { Outcomes } from '@scriptorium/event-sourcing';
import { untilDeadline } from '@scriptorium/platform';
import type { ContentObjects } from '../objects/index.js';
import { afterAddition, type Branch } from './branch.js';
import {
  add,
  look,
  prepare,
  type Commit,
  type Known,
  type CommitCall,
  type Committed,
  type Outcome,
  type Prepared,
} from './make-commit.process.js';

/**
 * Adds a revision to a branch. Its objects are stored first, then the event that names them; until then nobody sees them. When
 * another revision comes first, the changes are made again on that one, until the deadline. Commits of one process to a branch
 * wait for each other, but not until projections show what the one before has recorded; short ones that have come meanwhile are made one
 * on the other and recorded together.
 * @throws AppError `not_found` for a branch that is not there, `change_request_merged`, `precondition_failed` when `base` is not the
 * head, `limit_reached`, `conflict` when the deadline comes first, and whatever `make` throws
 */
export async function commit<T>(call: CommitCall, objects: ContentObjects, work: Commit<T>): Promise<Committed<T>> {
  const job = new Job(call, work);
  const done = await objects.queue.run(work.branch, job, (jobs) => inTurn(objects, job, jobs));
  const { committed, added } = (
    done === 'moved' ? await objects.alone(work.branch, () => alone(objects, job)) : done
  ) as Outcome<T>;
  if (added !== undefined && call.store.waits) await call.store.shown(added);
  return committed;
}

/** A commit that waits for its turn. */
class Job<T = unknown> {
  readonly call: CommitCall;
  readonly work: Commit<T>;

  constructor(call: CommitCall, work: Commit<T>) {
    this.call = call;
    this.work = work;
  }

  /** Whether it may be recorded together with others. */
  get joins(): boolean {
    return this.work.isShort === true && !this.call.store.dry;
  }
}

/** Commits that are recorded together, and how long they are made, in ms: the first one waits for the last one. */
const [mostTogether, longestMaking] = [32, 100];

/** Carries out the first of the jobs that wait for a branch, and with it short commits directly behind it. */
async function inTurn(
  objects: ContentObjects,
  first: Job,
  [, ...behind]: readonly unknown[],
): Promise<Outcomes<Outcome<unknown> | 'moved'>> {
  const until = behind.findIndex((one) => !(one instanceof Job && one.joins));
  const others = (until < 0 ? behind : behind.slice(0, until)) as Job[];
  const jobs: readonly [Job, ...Job[]] = [first, ...others.slice(0, mostTogether - 1)];
  const [head, ...rest] = first.joins && others.length > 0 ? await makeTogether(objects, jobs) : [];
  if (head === undefined) return [{ status: 'fulfilled', value: await alone(objects, first) }];
  return recordTogether(objects, [head, ...rest]);
}

function alone<T>(objects: ContentObjects, { call, work }: Job<T>): Promise<Outcome<T>> {
  return untilDeadline(call, () => attempt(call, objects, work));
}

interface Waiting {
  job: Job;
  prepared: Prepared;
}

/**
 * Makes commits one on the other. One that comes to anything but something to add ends that, and those behind it wait for their turn: what it was
 * made on may never be recorded.
 */
async function makeTogether(objects: ContentObjects, jobs: readonly Job[]): Promise<Waiting[]> {
  const made: Waiting[] = [];
  const begun = performance.now();
  let ahead: Branch | undefined;
  for (const job of jobs) {
    const prepared = await prepareBehind(objects, job, ahead);
    if (prepared === undefined) break;
    made.push({ job, prepared });
    objects.keep(prepared.seen.pool, prepared.texts);
    ahead = afterAddition(prepared.seen, prepared.addition);
    if (performance.now() - begun > longestMaking) break;
  }
  return made;
}

async function prepareBehind(
  objects: ContentObjects,
  { call, work }: Job,
  ahead: Branch | undefined,
): Promise<Prepared | undefined> {
  try {
    const known = await look(call, work, true);
    const state = known.repeated ? known.state : (ahead ?? known.state);
    const made = await prepare(call, objects, work, { ...known, state });
    return 'addition' in made ? made : undefined;
  } catch {
    // Its own turn tells it what is wrong.
    return undefined;
  }
}

/** Stores the objects of all, then adds them in their order; the log gets them at once. */
async function recordTogether(
  objects: ContentObjects,
  made: readonly [Waiting, ...Waiting[]],
): Promise<Outcomes<Outcome<unknown> | 'moved'>> {
  const { pool } = made[0].prepared.seen;
  await objects.store(
    pool,
    made.flatMap(({ prepared }) => prepared.texts),
  );
  const [first, ...others] = made.map(({ job: { call, work }, prepared }) => add(call, work, prepared));
  return Promise.allSettled([first as Promise<Outcome<unknown> | 'moved'>, ...others]);
}

/** What is added is sure to have been made for the newest state. All else is judged again when the log has another one than memory. */
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
