import { type Collection, type Db, type Filter, type UpdateFilter } from 'mongodb';
import { createIndexes, isDuplicate } from '../database/database.js';
import { type Actor, type Within } from '../events/metadata.js';
import { createElections } from '../leases/election.js';
import { type Clock } from '../shared/time.js';
import { type Slice, sliced } from '../shared/slice.js';
import { createKeyedQueue } from '../shared/stream-queue.js';
import { type Run, type RunEnd, type RunFailure, type RunOutcome, type RunProgress } from './run.js';
import { nameOfRun } from './run-kind.js';

/** A run with its lease, and the state of the next step. What is lost of it is made again from the run's stream. */
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
  /** How many owners it has had. */
  epoch: number;
  beat: number;
  /** When it is worked on next. */
  due: number;
  /** Steps that are done. */
  step: number;
  /** JSON; `null` before the first step. */
  state: string | null;
  /** Why it is cleaning up. */
  ending?: 'cancelled' | 'failed';
  cancelling: boolean;
  /** How often the next step has failed. */
  attempts: number;
  /** How many replicas have died while they did the next step: it may be the reason. */
  deaths: number;
  /** By what it failed last, for operators. */
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
  /** Inserts what a run's stream says, unless the run has a document. `keepMs`: see `RunKind`. */
  insert(id: string, run: Exclude<Run, { status: 'absent' }>, keepMs: number): Promise<void>;
  /** Runs that are due and that nobody works on, the longest due first. */
  free(names: readonly string[], now: number, limit: number): Promise<RunDoc[]>;
  /** Runs that somebody works on. */
  owned(names: readonly string[]): Promise<RunDoc[]>;
  /** Takes over what still is as `seen`; what it is then, or `null` when somebody else was faster. */
  take(seen: RunDoc, owner: string, now: number): Promise<RunDoc | null>;
  /** Beats for the runs that `owner` holds; returns how many those were. */
  beat(ids: readonly string[], owner: string): Promise<number>;
  read(ids: readonly string[]): Promise<RunDoc[]>;
  /** Changes a run in the epoch given; false when somebody else has taken it. */
  save(lease: RunLease, owner: string, update: UpdateFilter<RunDoc>): Promise<boolean>;
  /** Removes a run in the epoch given. */
  remove(lease: RunLease, owner: string): Promise<void>;
  /** Shows that a run shall end, and has it looked at soon. */
  cancelling(id: string): Promise<void>;
  find(id: string): Promise<RunDoc | null>;
  /** Sorted by `requestedAt` and id. */
  list(filter: RunFilter, slice: Slice<number>): Promise<RunDoc[]>;
  count(filter: RunFilter, atMost?: number): Promise<number>;
}

const writesWaiting = 10_000;
/** More than all replicas together work on. */
const ownedAtMost = 1000;

export function runDocs(db: Db): Collection<RunDoc> {
  return db.collection<RunDoc>('op_runs');
}

/**
 * As with other leases, one replica at a time takes a run over, which an insert decides, and a process changes its runs one
 * statement after the other: where an update is no atomic step, a beat would otherwise undo what is saved at the same time.
 */
export function createRunDocuments(db: Db, clock: Clock): RunDocuments {
  const collection = runDocs(db);
  const elections = createElections(db, clock);
  const queue = createKeyedQueue(writesWaiting);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.run('', work);
  return {
    insert: (id, run, keepMs) => insert(collection, id, run, keepMs),
    free: (names, now, limit) =>
      collection
        .find({ open: true, owner: null, name: { $in: [...names] }, due: { $lte: now } })
        .sort({ due: 1, _id: 1 })
        .limit(limit)
        .toArray(),
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
    remove: async ({ id, epoch }, owner) => void (await collection.deleteOne({ _id: id, owner, epoch })),
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

/** The document of a run of which only its stream is known. */
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

/** What is known of a run once it has ended. */
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

export async function prepareRuns(db: Db): Promise<void> {
  await createIndexes(runDocs(db), [
    { key: { open: 1, owner: 1, due: 1, _id: 1 }, name: 'open_owner_due_id' },
    { key: { organization: 1, kind: 1, open: 1 }, name: 'organization_kind_open' },
    { key: { requestedAt: 1, _id: 1 }, name: 'requestedAt_id' },
    { key: { sweepAt: 1 }, name: 'sweepAt' },
  ]);
}

const sweptAtOnce = 500;

/** Removes ended runs that have been kept long enough. */
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
