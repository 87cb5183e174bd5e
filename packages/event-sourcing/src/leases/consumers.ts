import { AppError } from '@scriptorium/contracts';
import { type Collection, type Db, Long } from 'mongodb';
import { isDuplicate, positionFrom } from '../database/database.js';
import { createKeyedQueue } from '../process/queues.js';
import { createElections } from './election.js';
import { type Clock, systemClock } from '../process/time.js';

/**
 * `building`: has not caught up for the first time. `live`: readers and writers wait for it. `stopped`: it met an event
 * that it cannot process.
 */
export type ConsumerState = 'building' | 'live' | 'stopped';

/**
 * The lease, checkpoint and state of one consumer: a projection, a reactor or the timers. They are in one document, so
 * that one compare-and-set protects all three against an earlier owner.
 */
interface ConsumerDoc {
  _id: string;
  owner: string | null;
  epoch: number;
  beat: number;
  position: Long;
  fingerprint: string;
  state: ConsumerState;
  problem?: Problem;
  /** For a projection that grows: the event types that it has processed from the beginning. */
  types?: readonly string[];
}

/** The event at which a consumer stopped, without its payload. */
export interface Problem {
  message: string;
  eventId: string;
  eventType: string;
  stream: string;
}

export interface ConsumerDeclaration {
  readonly name: string;
  readonly fingerprint: string;
  /** The first checkpoint of a new consumer; `-1n`: it begins with the first event. */
  readonly position: bigint;
  /** For a projection that grows: its event types. */
  readonly types?: readonly string[];
}

export interface ConsumerEntry {
  owner: string | null;
  epoch: number;
  beat: number;
  position: bigint;
  fingerprint: string;
  state: ConsumerState;
  problem: Problem | undefined;
  /** For a projection that grows: the event types that it has processed from the beginning. */
  types: readonly string[];
}

/** A consumer, and the epoch in which this replica has its lease. */
export interface HeldLease {
  name: string;
  epoch: number;
}

/** A consumer has processed everything up to a position. */
export interface Checkpoint {
  lease: HeldLease;
  at: bigint;
}

export interface Consumers {
  read(names: readonly string[]): Promise<Map<string, ConsumerEntry>>;
  /**
   * Creates the documents of new consumers, without an owner.
   * @throws AppError `unexpected` when the version is known with other code
   */
  declare(consumers: readonly ConsumerDeclaration[]): Promise<void>;
  /** Takes a lease over if the document has not changed since `seen`. Returns whether that succeeded. */
  take(name: string, seen: ConsumerEntry, owner: string): Promise<boolean>;
  /** The same of several at once: the names of those that were taken. */
  takeAll(seen: ReadonlyMap<string, ConsumerEntry>, owner: string): Promise<ReadonlySet<string>>;
  /** Sends a heartbeat with those of these leases that `owner` has, and returns their number. */
  beat(names: readonly string[], owner: string): Promise<number>;
  release(names: readonly string[], owner: string): Promise<void>;
  /** Moves checkpoints forward, if the epochs are still the given ones. All of them are one command. */
  checkpoint(checkpoints: readonly Checkpoint[], owner: string): Promise<void>;
  mark(lease: HeldLease, owner: string, state: ConsumerState, problem?: Problem): Promise<void>;
  /** Records the event types that a projection has processed from the beginning. */
  grown(lease: HeldLease, owner: string, types: readonly string[]): Promise<void>;
  /** Sets a checkpoint back and releases the lease. */
  reset(lease: HeldLease, owner: string, position: bigint): Promise<void>;
}

const writesWaiting = 10_000;

/**
 * A process makes its changes to consumers one after the other. If the database does not update documents atomically, a
 * heartbeat could otherwise undo a checkpoint that is written at the same time.
 */
export function createConsumers(db: Db, clock: Clock = systemClock): Consumers {
  const collection = db.collection<ConsumerDoc>('op_consumers');
  const elections = createElections(db, clock);
  const queue = createKeyedQueue(writesWaiting);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue.run('', work);
  const takeAll: Consumers['takeAll'] = (seen, owner) =>
    inTurn(() =>
      elections.among(new Map([...seen].map(([name, { epoch }]) => [name, epoch + 1])), (won) =>
        take(db, new Map([...seen].filter(([name]) => won.includes(name))), owner),
      ),
    );
  return {
    read: async (names) =>
      new Map((await collection.find({ _id: { $in: [...names] } }).toArray()).map((doc) => [doc._id, entryOf(doc)])),
    declare: (consumers) => declare(collection, consumers),
    take: async (name, seen, owner) => (await takeAll(new Map([[name, seen]]), owner)).has(name),
    takeAll,
    beat: async (names, owner) =>
      (await inTurn(() => collection.updateMany({ _id: { $in: [...names] }, owner }, { $inc: { beat: 1 } })))
        .matchedCount,
    release: async (names, owner) =>
      void (await inTurn(() => collection.updateMany({ _id: { $in: [...names] }, owner }, { $set: { owner: null } }))),
    checkpoint: (checkpoints, owner) => inTurn(() => checkpoint(db, checkpoints, owner)),
    grown: async ({ name, epoch }, owner, types) =>
      void (await inTurn(() => collection.updateOne({ _id: name, owner, epoch }, { $set: { types } }))),
    reset: async ({ name, epoch }, owner, position) => {
      const back = { position: Long.fromBigInt(position), state: 'building' as const, owner: null };
      await inTurn(() => collection.updateOne({ _id: name, owner, epoch }, { $set: back, $unset: { problem: '' } }));
    },
    mark: async ({ name, epoch }, owner, state, problem) => {
      const update =
        problem === undefined ? { $set: { state }, $unset: { problem: '' as const } } : { $set: { state, problem } };
      await inTurn(() => collection.updateOne({ _id: name, owner, epoch }, update));
    },
  };
}

function entryOf({
  owner,
  epoch,
  beat,
  position,
  fingerprint,
  state,
  problem,
  types = [],
}: ConsumerDoc): ConsumerEntry {
  return { owner, epoch, beat, position: positionFrom(position), fingerprint, state, problem, types };
}

async function declare(collection: Collection<ConsumerDoc>, consumers: readonly ConsumerDeclaration[]): Promise<void> {
  const docs = await collection.find({ _id: { $in: consumers.map(({ name }) => name) } }).toArray();
  const known = new Map(docs.map(({ _id, fingerprint }) => [_id, fingerprint]));
  const missing = consumers.filter(({ name }) => !known.has(name));
  if (missing.length > 0) {
    await insertFree(collection, missing);
    return declare(collection, consumers);
  }
  const changed = consumers.find(({ name, fingerprint }) => known.get(name) !== fingerprint);
  if (changed !== undefined)
    throw new AppError('unexpected', [], {
      message: `${changed.name} was built by other code: a projection whose events or code changed needs a new version`,
    });
}

/** Inserts consumers without an owner. What another replica has inserted meanwhile stays. */
async function insertFree(
  collection: Collection<ConsumerDoc>,
  consumers: readonly ConsumerDeclaration[],
): Promise<void> {
  const docs = consumers.map(({ name, fingerprint, position, types }): ConsumerDoc => ({
    _id: name,
    owner: null,
    epoch: 0,
    beat: 0,
    position: Long.fromBigInt(position),
    fingerprint,
    state: 'building',
    ...(types === undefined ? {} : { types }),
  }));
  await collection.insertMany(docs, { ordered: false }).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
  });
}

async function take(db: Db, seen: ReadonlyMap<string, ConsumerEntry>, owner: string): Promise<ReadonlySet<string>> {
  const updates = [...seen].map(([name, { owner: holder, epoch, beat, fingerprint }]) => ({
    q: { _id: name, owner: holder, epoch, beat, fingerprint },
    u: { $set: { owner, epoch: epoch + 1, beat: 0 } },
  }));
  await db.command({ update: 'op_consumers', updates, ordered: false });
  const taken = await db
    .collection<ConsumerDoc>('op_consumers')
    .find({ _id: { $in: [...seen.keys()] }, owner })
    .toArray();
  return new Set(taken.flatMap(({ _id, epoch }) => (seen.get(_id)?.epoch === epoch - 1 ? [_id] : [])));
}

async function checkpoint(db: Db, checkpoints: readonly Checkpoint[], owner: string): Promise<void> {
  const batches = new Map<string, { epoch: number; at: bigint; names: string[] }>();
  for (const { lease, at } of checkpoints) {
    const key = `${lease.epoch}:${at}`;
    const batch = batches.get(key) ?? { epoch: lease.epoch, at, names: [] };
    batch.names.push(lease.name);
    batches.set(key, batch);
  }
  const updates = [...batches.values()].map(({ epoch, at, names }) => ({
    q: { _id: { $in: names }, owner, epoch },
    u: { $max: { position: Long.fromBigInt(at) } },
    multi: true,
  }));
  if (updates.length > 0) await db.command({ update: 'op_consumers', updates, ordered: false });
}
