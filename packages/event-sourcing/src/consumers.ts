import { AppError } from '@scriptorium/contracts';
import { type Collection, type Db, Long, MongoServerError } from 'mongodb';
import { positionFrom } from './projection-writer.js';

/** `building`: not yet caught up for the first time; `live`: readers and writers count on it; `stopped`: an event it cannot take. */
export type ConsumerState = 'building' | 'live' | 'stopped';

/**
 * Everything that reads the log with a position of its own (projections, reactors, timers) has one of these: its lease, its
 * checkpoint and its state in one document, so that one compare-and-set fences all three.
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
}

/** The event a consumer stopped at, without its payload. */
export interface Problem {
  message: string;
  eventId: string;
  eventType: string;
  stream: string;
}

export interface ConsumerDeclaration {
  readonly name: string;
  readonly fingerprint: string;
  /** Where it begins when it is new; `-1n`: with the first event. */
  readonly position: bigint;
}

export interface Standing {
  owner: string | null;
  epoch: number;
  beat: number;
  position: bigint;
  fingerprint: string;
  state: ConsumerState;
  problem: Problem | undefined;
}

/** A consumer and the epoch in which this replica holds it. */
export interface Grip {
  name: string;
  epoch: number;
}

export interface Consumers {
  read(names: readonly string[]): Promise<Map<string, Standing>>;
  /** Creates missing ones, free. Refuses other code under the same version: `AppError('unexpected')`. */
  declare(consumers: readonly ConsumerDeclaration[]): Promise<void>;
  /** Takes over what still is as `seen`; true when it worked. */
  take(name: string, seen: Standing, owner: string): Promise<boolean>;
  /** Beats for all that `owner` holds; returns how many those were. */
  beat(names: readonly string[], owner: string): Promise<number>;
  release(names: readonly string[], owner: string): Promise<void>;
  /** Moves checkpoints forward, only in the epoch given. */
  checkpoint(grips: readonly Grip[], owner: string, position: bigint): Promise<void>;
  mark(grip: Grip, owner: string, state: ConsumerState, problem?: Problem): Promise<void>;
}

export function createConsumers(db: Db): Consumers {
  const collection = db.collection<ConsumerDoc>('op_consumers');
  return {
    read: async (names) => new Map((await collection.find({ _id: { $in: [...names] } }).toArray()).map((doc) => [doc._id, standingOf(doc)])),
    declare: (consumers) => declare(collection, consumers),
    take: async (name, seen, owner) => {
      const { owner: holder, epoch, beat, fingerprint } = seen;
      const { matchedCount } = await collection.updateOne({ _id: name, owner: holder, epoch, beat, fingerprint }, { $set: { owner, epoch: epoch + 1, beat: 0 } });
      return matchedCount === 1;
    },
    beat: async (names, owner) => (await collection.updateMany({ _id: { $in: [...names] }, owner }, { $inc: { beat: 1 } })).matchedCount,
    release: async (names, owner) => void (await collection.updateMany({ _id: { $in: [...names] }, owner }, { $set: { owner: null } })),
    checkpoint: (grips, owner, position) => checkpoint(db, grips, owner, position),
    mark: async ({ name, epoch }, owner, state, problem) => {
      const update = problem === undefined ? { $set: { state }, $unset: { problem: '' as const } } : { $set: { state, problem } };
      await collection.updateOne({ _id: name, owner, epoch }, update);
    },
  };
}

function standingOf({ owner, epoch, beat, position, fingerprint, state, problem }: ConsumerDoc): Standing {
  return { owner, epoch, beat, position: positionFrom(position), fingerprint, state, problem };
}

async function declare(collection: Collection<ConsumerDoc>, consumers: readonly ConsumerDeclaration[]): Promise<void> {
  for (const consumer of consumers) {
    const { name, fingerprint } = consumer;
    const known = (await collection.findOne({ _id: name })) ?? (await insertFree(collection, consumer));
    if (known.fingerprint === fingerprint) continue;
    throw new AppError('unexpected', [], { message: `${name} was built by other code: a projection whose events or code changed needs a new version` });
  }
}

async function insertFree(collection: Collection<ConsumerDoc>, { name, fingerprint, position }: ConsumerDeclaration): Promise<Pick<ConsumerDoc, 'fingerprint'>> {
  const doc: ConsumerDoc = { _id: name, owner: null, epoch: 0, beat: 0, position: Long.fromBigInt(position), fingerprint, state: 'building' };
  try {
    await collection.insertOne(doc);
    return doc;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== 11000) throw error;
    return (await collection.findOne({ _id: name })) ?? doc;
  }
}

async function checkpoint(db: Db, grips: readonly Grip[], owner: string, position: bigint): Promise<void> {
  const byEpoch = new Map<number, string[]>();
  for (const { name, epoch } of grips) byEpoch.set(epoch, [...(byEpoch.get(epoch) ?? []), name]);
  const updates = [...byEpoch].map(([epoch, names]) => ({
    q: { _id: { $in: names }, owner, epoch },
    u: { $max: { position: Long.fromBigInt(position) } },
    multi: true,
  }));
  if (updates.length > 0) await db.command({ update: 'op_consumers', updates, ordered: false });
}
