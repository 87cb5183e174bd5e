import { type Collection, type Db, type Filter, type FindCursor, type UpdateFilter } from 'mongodb';
import { type CollectionIndexes, isDuplicate } from '../database/database.js';
import { type Actor, type Within } from '../events/events.js';
import { createElections } from '../leases/election.js';
import { type Clock } from '../process/time.js';
import { type Slice, sliced } from '../database/slice.js';
import { createKeyedQueue } from '../process/queues.js';
import { type Run, type RunEnd } from './run.js';
import { type RunFailure, type RunOutcome, type RunProgress } from '../commands/run-request.js';
import { nameOfRun } from './run-kind.js';

/** A run with its lease and the state of its next step. If it is lost, it is created again from the run's stream. */
export interface RunDoc {
  _id: string;
  /** `<kind>_v<version>`. */
  name: string;
  kind: string;
  version: number;
  organization: string | null;
  actor: Actor;
  correlation: string;
  within?: Within;
  /** JSON. */
  input: string;
  requestedAt: number;
  startedAt?: number;
  open: boolean;
  owner: string | null;
  /** The number of its owners so far. */
  epoch: number;
  beat: number;
  /** When it is worked on next. */
  due: number;
  /** Number of finished steps. */
  step: number;
  /** JSON; `null` before the first step. */
  state: string | null;
  /** Why the run is cleaning up. */
  ending?: 'cancelled' | 'failed';
  cancelling: boolean;
  /** Number of failed attempts at the next step. */
  attempts: number;
  /** Number of replicas that died during the next step, which may be the cause. */
  deaths: number;
  /** The last error, for operators. */
  error?: string;
  progress?: RunProgress;
  outcome?: RunOutcome;
  /** JSON. */
  result?: string;
  failure?: RunFailure;
  endedAt?: number;
  /** When it is removed. */
  sweepAt?: number;
}

/** A run and the epoch in which this replica works on it. */
export interface RunLease {
  readonly id: string;
  readonly epoch: number;
}

export interface RunFilter {
  readonly kind?: string;
  readonly organization?: string | null;
  readonly open?: boolean;
}

export interface RunDocuments {
  /** Inserts a run as its stream shows it, unless the document exists. `keepMs`: see `RunKind`. */
  insert(id: string, run: Exclude<Run, { status: 'absent' }>, keepMs: number): Promise<void>;
  /** Runs that are due and without an owner, those due for the longest time first. */
  free(names: readonly string[], now: number, limit: number): Promise<RunDoc[]>;
  /** Whether any run is open, with or without an owner, due or not. */
  isAnyOpen(names: readonly string[]): Promise<boolean>;
  /** Runs with an owner. */
  owned(names: readonly string[]): Promise<RunDoc[]>;
  /**
   * Takes a run over if the document has not changed since `seen`. Returns the new document, or `null` when another
   * replica was faster.
   */
  take(seen: RunDoc, owner: string, now: number): Promise<RunDoc | null>;
  /** Sends a heartbeat for all runs of `owner` and returns their number. */
  beat(ids: readonly string[], owner: string): Promise<number>;
  read(ids: readonly string[]): Promise<RunDoc[]>;
  /** Changes a run if the epoch is still the given one. Returns false when another replica has taken it. */
  save(lease: RunLease, owner: string, update: UpdateFilter<RunDoc>): Promise<boolean>;
  /** Removes a run if the epoch is still the given one. */
  remove(lease: RunLease, owner: string): Promise<void>;
  /** Marks a run as cancelled and due. */
  cancelling(id: string): Promise<void>;
  find(id: string): Promise<RunDoc | null>;
  /** Sorted by `requestedAt` and id. */
  list(filter: RunFilter, slice: Slice<number>): Promise<RunDoc[]>;
  count(filter: RunFilter, atMost?: number): Promise<number>;
}

const writesWaiting = 10_000;
/** More than all replicas together work on at a time. */
const ownedAtMost = 1000;

export function runDocs(db: Db): Collection<RunDoc> {
  return db.collection<RunDoc>('op_runs');
}

/**
 * As with other leases, an insert decides which replica takes a run over, and a process makes its changes to runs one
 * after the other. If the database does not update documents atomically, a heartbeat could otherwise undo what is saved
 * at the same time.
 */
export function createRunDocuments(db: Db, clock: Clock): RunDocuments {
  const collection = runDocs(db);
  const elections = createElections(db, clock);
  const queue = createKeyedQueue(writesWaiting);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.run('', work);
  return {
    insert: (id, run, keepMs) => insert(collection, id, run, keepMs),
    free: (names, now, limit) => free(collection, names, now).limit(limit).toArray(),
    isAnyOpen: async (names) => (await collection.findOne({ open: true, name: { $in: [...names] } })) !== null,
    owned: (names) =>
      collection
        .find({ open: true, owner: { $ne: null }, name: { $in: [...names] } })
        .limit(ownedAtMost)
        .toArray(),
    async take(seen, owner, now) {
      const epoch = seen.epoch + 1;
      const deaths = seen.deaths + (seen.owner === null ? 0 : 1);
      const set = { owner, epoch, beat: 0, deaths, startedAt: seen.startedAt ?? now };
      const taken = await inTurn(() => elections.alone(`run:${seen._id}`, epoch, () => take(collection, seen, set)));
      return taken ? { ...seen, ...set } : null;
    },
    beat: async (ids, owner) =>
      (await inTurn(() => collection.updateMany({ _id: { $in: [...ids] }, owner, open: true }, { $inc: { beat: 1 } })))
        .matchedCount,
    read: (ids) => collection.find({ _id: { $in: [...ids] } }).toArray(),
    save: async ({ id, epoch }, owner, update) =>
      (await inTurn(() => collection.updateOne({ _id: id, owner, epoch }, update))).matchedCount === 1,
    remove: async ({ id: _id, epoch }, owner) => void (await collection.deleteOne({ _id, owner, epoch })),
    cancelling: async (id) =>
      void (await inTurn(() => collection.updateOne({ _id: id, open: true }, { $set: { cancelling: true, due: 0 } }))),
    find: (id) => collection.findOne({ _id: id }),
    list: (filter, slice) => sliced(collection, 'requestedAt', slice, filterOf(filter)),
    count: (filter, atMost) =>
      collection.countDocuments(filterOf(filter), atMost === undefined ? {} : { limit: atMost }),
  };
}

function filterOf({ kind, organization, open }: RunFilter): Filter<RunDoc> {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(organization === undefined ? {} : { organization }),
    ...(open === undefined ? {} : { open }),
  };
}

function free(collection: Collection<RunDoc>, names: readonly string[], now: number): FindCursor<RunDoc> {
  const filter = { open: true, owner: null, name: { $in: [...names] }, due: { $lte: now } };
  return collection.find(filter).sort({ due: 1, _id: 1 });
}

async function insert(
  collection: Collection<RunDoc>,
  id: string,
  run: Exclude<Run, { status: 'absent' }>,
  keepMs: number,
): Promise<void> {
  try {
    await collection.insertOne(docOf(id, run, keepMs));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** The document of a run of which only the stream is known. */
export function docOf(id: string, run: Exclude<Run, { status: 'absent' }>, keepMs: number): RunDoc {
  const { point, request } = run;
  const { kind, version, input, within, ...asked } = request;
  const progress = point?.progress;
  const common = {
    _id: id,
    name: nameOfRun(kind, version),
    kind,
    version,
    ...asked,
    input: JSON.stringify(input) ?? 'null',
    owner: null,
    epoch: 0,
    beat: 0,
    due: request.requestedAt,
    step: point?.step ?? 0,
    state: point === null ? null : (JSON.stringify(point.state) ?? 'null'),
    attempts: 0,
    deaths: 0,
    ...(progress === undefined ? {} : { progress }),
    ...(within === undefined ? {} : { within }),
  };
  if (run.status === 'open') return { ...common, open: true, cancelling: run.cancelled };
  return { ...common, ...endedFields(run.end, run.endedAt, keepMs) };
}

/** The fields of an ended run. */
export function endedFields({ outcome, failure, result }: RunEnd, endedAt: number, keepMs: number) {
  return {
    open: false,
    cancelling: false,
    outcome,
    endedAt,
    sweepAt: endedAt + keepMs,
    ...(failure === undefined ? {} : { failure }),
    ...(result === undefined ? {} : { result: JSON.stringify(result) }),
  };
}

async function take(
  collection: Collection<RunDoc>,
  { _id, owner, epoch, beat }: RunDoc,
  set: Partial<RunDoc>,
): Promise<boolean> {
  const { matchedCount } = await collection.updateOne({ _id, open: true, owner, epoch, beat }, { $set: set });
  return matchedCount === 1;
}

export const runIndexes: CollectionIndexes = {
  op_runs: [
    { key: { open: 1, owner: 1, due: 1, _id: 1 }, name: 'open_owner_due_id' },
    { key: { organization: 1, kind: 1, open: 1 }, name: 'organization_kind_open' },
    { key: { requestedAt: 1, _id: 1 }, name: 'requestedAt_id' },
    { key: { sweepAt: 1 }, name: 'sweepAt' },
  ],
};

const sweptAtOnce = 500;

/** Removes ended runs after the time for which they are kept. */
export async function sweepRuns(db: Db, now: number, holds: () => boolean): Promise<void> {
  while (holds()) {
    const docs = await runDocs(db)
      .find({ open: false, sweepAt: { $lte: now } })
      .project<{ _id: string }>({ _id: 1 })
      .limit(sweptAtOnce)
      .toArray();
    if (docs.length === 0) return;
    await runDocs(db).deleteMany({ _id: { $in: docs.map(({ _id }) => _id) }, open: false });
  }
}
