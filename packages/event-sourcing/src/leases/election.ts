import { randomUUID } from 'node:crypto';
import { type Collection, type Db } from 'mongodb';
import { isDuplicate } from '../database/database.js';
import { type Clock } from '../shared/time.js';

/** One at a time takes a lease over. */
export interface Elections {
  /** Does `work` unless somebody else is about to take the same epoch of the same consumer or run; false then. */
  alone(name: string, epoch: number, work: () => Promise<boolean>): Promise<boolean>;
}

/** `<consumer or run>/<epoch>`; there only while it is taken. */
interface ElectionDoc {
  _id: string;
  /** Which try it is: the same epoch is tried again when a holder turns out to be alive. */
  by: string;
}

/** Whoever has been at it for this long (ms, the clock of who waits) has died. */
const diedAfter = 3000;
const metAtMost = 10_000;

/**
 * A compare-and-set lets one win only where an update of a document is atomic, and it is not in FerretDB 1 (its issue 3040); that
 * an id is inserted once holds everywhere.
 */
export function createElections(db: Db, clock: Clock): Elections {
  const collection = db.collection<ElectionDoc>('op_takeovers');
  const met = new Map<string, { by: string; since: number }>();
  return {
    async alone(name, epoch, work) {
      const mine = { _id: `${name}/${epoch}`, by: randomUUID() };
      if (await inserted(collection, mine)) {
        met.delete(name);
        // What stays behind here is removed by who meets it, or by who takes the next epoch.
        return work().finally(() =>
          collection.deleteMany({ $or: [mine, { _id: `${name}/${epoch - 1}` }] }).catch(() => undefined),
        );
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

/** Runs are taken by names of their own, each of which is met a few times and never again. */
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
