import { randomUUID } from 'node:crypto';
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
  /** Which try it is: the same epoch is tried again when a holder turns out to be alive. */
  by: string;
}

/** Whoever has been at it for this long (ms, the clock of who waits) has died. */
const diedAfter = 3000;

/**
 * A compare-and-set lets one win only where an update of a document is atomic, and it is not in FerretDB 1 (its issue 3040); that
 * an id is inserted once holds everywhere.
 */
export function createTakeovers(db: Db, clock: Clock): Takeovers {
  const collection = db.collection<TakeoverDoc>('op_takeovers');
  const met = new Map<string, { by: string; since: number }>();
  return {
    async alone(name, epoch, work) {
      const mine = { _id: `${name}/${epoch}`, by: randomUUID() };
      if (await inserted(collection, mine)) {
        met.delete(name);
        // What stays behind here is removed by who meets it, or by who takes the next epoch.
        return work().finally(() => collection.deleteMany({ $or: [mine, { _id: `${name}/${epoch - 1}` }] }).catch(() => undefined));
      }
      const theirs = await collection.findOne({ _id: mine._id });
      if (theirs === null) return false;
      const before = met.get(name);
      if (before?.by !== theirs.by) met.set(name, { by: theirs.by, since: clock.monotonic() });
      else if (clock.monotonic() - before.since >= diedAfter) await collection.deleteOne(theirs);
      return false;
    },
  };
}

async function inserted(collection: Collection<TakeoverDoc>, takeover: TakeoverDoc): Promise<boolean> {
  try {
    await collection.insertOne(takeover);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
