import { randomUUID } from 'node:crypto';
import { type Collection, type Db } from 'mongodb';
import { isDuplicate } from '../database/database.js';
import { type Clock } from '../process/time.js';

/** Lets one replica at a time take a lease over. */
export interface Elections {
  /**
   * Calls `work`, unless another replica is taking the same epoch of the same consumer or run; then it returns false.
   */
  alone(name: string, epoch: number, work: () => Promise<boolean>): Promise<boolean>;
}

/** The id is `<consumer or run>/<epoch>`. The document exists only while the lease is being taken. */
interface ElectionDoc {
  _id: string;
  /** The id of the attempt. The same epoch is attempted again when its holder turns out to be alive. */
  by: string;
}

/** After this time (ms, by the clock of the waiting replica) an attempt counts as dead. */
const diedAfter = 3000;
const metAtMost = 10_000;

/**
 * A compare-and-set has one winner only if the database updates documents atomically, which FerretDB 1 does not (its
 * issue 3040). That an id can be inserted only once holds in all databases.
 */
export function createElections(db: Db, clock: Clock): Elections {
  const collection = db.collection<ElectionDoc>('op_takeovers');
  const met = new Map<string, { by: string; since: number }>();
  return {
    async alone(name, epoch, work) {
      const mine = { _id: `${name}/${epoch}`, by: randomUUID() };
      if (await inserted(collection, mine)) {
        met.delete(name);
        try {
          return await work();
        } finally {
          // A document that stays behind here is removed by the next replica that finds it, or that takes the next
          // epoch.
          await collection.deleteMany({ $or: [mine, { _id: `${name}/${epoch - 1}` }] }).catch(() => undefined);
        }
      }
      const theirs = await collection.findOne({ _id: mine._id });
      if (theirs === null) {
        met.delete(name);
        return false;
      }
      const before = met.get(name);
      if (before?.by !== theirs.by) {
        met.delete(name);
        met.set(name, { by: theirs.by, since: clock.monotonic() });
        forgetOldest(met);
      } else if (clock.monotonic() - before.since >= diedAfter) await collection.deleteOne(theirs);
      return false;
    },
  };
}

/** The names of runs are used a few times and then never again, so old ones are dropped. */
function forgetOldest(met: Map<string, unknown>): void {
  const oldest = met.size > metAtMost ? met.keys().next().value : undefined;
  if (oldest !== undefined) met.delete(oldest);
}

async function inserted(collection: Collection<ElectionDoc>, election: ElectionDoc): Promise<boolean> {
  try {
    await collection.insertOne(election);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
