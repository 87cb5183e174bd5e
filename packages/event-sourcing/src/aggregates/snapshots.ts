import { deserialize, serialize } from 'node:v8';
import { Binary, type Collection, type Db, Long } from 'mongodb';
import { type Aggregate } from './aggregate.js';
import { put } from '../database/database.js';
import { type AnyEvent } from '../events/events.js';
import { type Folded } from './folded.js';
import { type Logger, describe } from '../process/observe.js';

/** Stored states of long streams, so that they need not be folded from the beginning. They are only a cache. */
export interface Snapshots {
  find<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<Folded<State> | null>;
  /** Stores the state if the stream has a thousand events more than its last snapshot. Never throws. */
  offer<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
    before: bigint,
    folded: Folded<State>,
  ): void;
  purge(stream: string): Promise<void>;
  settled(): Promise<void>;
}

interface SnapshotDoc {
  _id: string;
  fingerprint: string;
  revision: Long;
  folded: Binary;
}

const every = 1000n;
const largest = 12 * 1024 * 1024;

export function createSnapshots(db: Db, logger: Logger): Snapshots {
  const collection = db.collection<SnapshotDoc>('op_snapshots');
  const running = new Set<Promise<void>>();
  return {
    async find(aggregate, stream) {
      try {
        const kept = await collection.findOne({ _id: stream, fingerprint: aggregate.fingerprint });
        return kept === null ? null : thaw(kept.folded);
      } catch (error) {
        // Without a snapshot the stream is folded from its beginning, which is slower but correct.
        logger.warn({ stream, error: describe(error) }, 'a snapshot could not be read');
        return null;
      }
    },
    offer(aggregate, stream, before, folded) {
      if (folded.revision / every === before / every || folded.revision < every) return;
      const task = keep(collection, aggregate.fingerprint, stream, folded)
        .catch((error: unknown) => logger.warn({ stream, error: describe(error) }, 'a snapshot could not be stored'))
        .finally(() => running.delete(task));
      running.add(task);
    },
    purge: async (stream) => void (await collection.deleteOne({ _id: stream })),
    settled: async () => void (await Promise.all(running)),
  };
}

/**
 * The structured clone format supports maps, sets, dates and bigints. A snapshot that cannot be read counts as absent.
 */
function thaw<State>(folded: Binary): Folded<State> {
  return deserialize(folded.buffer) as Folded<State>;
}

async function keep(
  collection: Collection<SnapshotDoc>,
  fingerprint: string,
  stream: string,
  folded: Folded,
): Promise<void> {
  const bytes = serialize(folded);
  if (bytes.length > largest) return;
  const doc = { fingerprint, revision: Long.fromBigInt(folded.revision), folded: new Binary(bytes) };
  await put(collection, stream, doc);
}
