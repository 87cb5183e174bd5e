import { type Collection, type Db } from 'mongodb';
import { isDuplicate } from './database.js';
import { type Clock } from './time.js';

/** One at a time takes a lease over. */
export interface Takeovers {
  /** Does `work` unless somebody else is about to take the same epoch of the same consumer; false then. */
  alone(name: string, epoch: number, work: () => Promise<boolean>): Promise<boolean>;
}

/** `<consumer>/<epoch>`; there only while it is taken. */
interface TakeoverDoc {
  _id: string;
}

/** Whoever has been at it for this long (ms, the clock of who waits) has died. */
const diedAfter = 3000;

/**
 * A compare-and-set lets one win only where an update of a document is atomic, and it is not in FerretDB 1 (its issue 3040); that
 * an id is inserted once holds everywhere.
 */
export function createTakeovers(db: Db, clock: Clock): Takeovers {
  const collection = db.collection<TakeoverDoc>('op_takeovers');
  const met = new Map<string, { id: string; since: number }>();
  return {
    async alone(name, epoch, work) {
      const id = `${name}/${epoch}`;
      if (await inserted(collection, id)) {
        met.delete(name);
        // What stays behind here is removed by who meets it.
        return work().finally(() => collection.deleteOne({ _id: id }).catch(() => undefined));
      }
      const before = met.get(name);
      if (before?.id !== id) met.set(name, { id, since: clock.monotonic() });
      else if (clock.monotonic() - before.since >= diedAfter) await collection.deleteOne({ _id: id });
      return false;
    },
  };
}

async function inserted(collection: Collection<TakeoverDoc>, _id: string): Promise<boolean> {
  try {
    await collection.insertOne({ _id });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
