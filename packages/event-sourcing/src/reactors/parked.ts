import { AppError } from '@scriptorium/contracts';
import { type Collection, type Db, Long } from 'mongodb';
import { type CollectionIndexes } from '../database/database.js';
import { type RawEvent } from '../events/events.js';
import { type Slice, sliced } from '../database/slice.js';

/**
 * An event that a reactor could not process after its retries, or that waits after such an event of the same stream.
 * The payload is only in the log.
 */
export interface ParkedDoc {
  /** `<reactor's consumer>:<event id>`. */
  _id: string;
  consumer: string;
  stream: string;
  eventId: string;
  eventType: string;
  revision: Long;
  position: Long;
  error: string;
  attempts: number;
  /** Whether the event was never tried, since it waits after another one. */
  waiting: boolean;
  retry: boolean;
  parkedAt: string;
}

/** A parked event as operators see it. */
export interface Parked extends Omit<ParkedDoc, '_id' | 'revision' | 'position'> {
  id: string;
  revision: bigint;
  position: bigint;
}

export interface ParkingLot {
  /** Oldest first; sorted by `parkedAt` and id. */
  list(slice: Slice<string>): Promise<Parked[]>;
  count(): Promise<number>;
  /**
   * Marks the stream of a parked event, so that all its parked events are tried again in order.
   * @throws AppError `not_found`
   */
  retry(id: string): Promise<void>;
  park(
    consumer: string,
    event: RawEvent,
    why: { error: string; attempts: number; waiting: boolean; now: number },
  ): Promise<void>;
  /** Streams with parked events of a reactor. */
  blocked(consumer: string): Promise<Set<string>>;
  /** Streams of a reactor that are marked to be tried again. */
  asked(consumer: string): Promise<Set<string>>;
  /** The parked events of a stream, in order. */
  of(consumer: string, stream: string): Promise<Parked[]>;
  done(id: string): Promise<void>;
  failedAgain(consumer: string, stream: string, id: string, error: string): Promise<void>;
}

/** With more parked events than this, the reactor waits instead: the cause is probably not in the events. */
const parkedAtMost = 10_000;

/** Every process creates the index once, by `prepareParking`. */
export function createParkingLot(db: Db): ParkingLot {
  const collection = db.collection<ParkedDoc>('op_parked');
  const distinctStreams = async (filter: Partial<ParkedDoc>): Promise<Set<string>> =>
    new Set(await collection.distinct('stream', filter));
  return {
    list: async (slice) => (await sliced(collection, 'parkedAt', slice)).map(toParked),
    count: () => collection.countDocuments(),
    async retry(id) {
      const found = await collection.findOne({ _id: id });
      if (found === null) throw new AppError('not_found');
      await collection.updateMany({ consumer: found.consumer, stream: found.stream }, { $set: { retry: true } });
    },
    park: (consumer, event, why) => park(collection, consumer, event, why),
    blocked: (consumer) => distinctStreams({ consumer }),
    asked: (consumer) => distinctStreams({ consumer, retry: true }),
    of: async (consumer, stream) =>
      (await collection.find({ consumer, stream }).sort({ revision: 1 }).toArray()).map(toParked),
    done: async (id) => void (await collection.deleteOne({ _id: id })),
    async failedAgain(consumer, stream, id, error) {
      await collection.updateOne({ _id: id }, { $set: { error, waiting: false }, $inc: { attempts: 1 } });
      await collection.updateMany({ consumer, stream }, { $set: { retry: false } });
    },
  };
}

export const parkingIndexes: CollectionIndexes = {
  op_parked: [
    { key: { consumer: 1, stream: 1, revision: 1 }, name: 'consumer_stream_revision' },
    { key: { parkedAt: 1, _id: 1 }, name: 'parkedAt_id' },
  ],
};

async function park(
  collection: Collection<ParkedDoc>,
  consumer: string,
  event: RawEvent,
  { error, attempts, waiting, now }: Parameters<ParkingLot['park']>[2],
): Promise<void> {
  if ((await collection.countDocuments({ consumer }, { limit: parkedAtMost })) >= parkedAtMost) {
    throw new AppError('limit_reached', [], { message: `${consumer} has ${parkedAtMost} parked events` });
  }
  const { id: eventId, type: eventType, stream } = event;
  const place = { revision: Long.fromBigInt(event.revision), position: Long.fromBigInt(event.position) };
  const doc = {
    consumer,
    stream,
    eventId,
    eventType,
    ...place,
    error,
    attempts,
    waiting,
    retry: false,
    parkedAt: new Date(now).toISOString(),
  };
  await collection.updateOne({ _id: `${consumer}:${eventId}` }, { $setOnInsert: doc }, { upsert: true });
}

function toParked({ _id, revision, position, ...rest }: ParkedDoc): Parked {
  return { id: _id, ...rest, revision: BigInt(revision.toString()), position: BigInt(position.toString()) };
}
