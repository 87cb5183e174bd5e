import { randomUUID } from 'node:crypto';
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import { isDuplicate } from '../database/database.js';
import { type Clock } from '../process/time.js';

/** Lets one replica at a time take a lease over. */
export interface Elections {
  /**
   * Calls `work` with those consumers or runs, by name, whose epoch no other replica is taking at the moment. Returns
   * what it returns; without a call, if there are none, an empty set.
   */
  among(
    epochs: ReadonlyMap<string, number>,
    work: (won: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<ReadonlySet<string>>;
  /** The same of one: whether `work` was called and returned true. */
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
  const among: Elections['among'] = async (epochs, work) => {
    const by = randomUUID();
    const names = new Map([...epochs].map(([name, epoch]) => [`${name}/${epoch}`, name]));
    const won = await inserted(collection, [...names.keys()], by);
    const winners = [...names].flatMap(([_id, name]) => (won.has(_id) ? [name] : []));
    try {
      for (const name of winners) met.delete(name);
      const done = winners.length === 0 ? new Set<string>() : await work(winners);
      for (const [_id, name] of names) if (!won.has(_id)) await meet(name, _id);
      return done;
    } finally {
      // Documents that stay behind here are removed by the next replica that finds them, or that takes the next epoch.
      const before = winners.map((name) => `${name}/${(epochs.get(name) ?? 0) - 1}`);
      if (winners.length > 0)
        await collection
          .deleteMany({ $or: [{ _id: { $in: [...won] }, by }, { _id: { $in: before } }] })
          .catch(() => undefined);
    }
  };
  /** Another replica is taking the epoch. Its document is removed when it has stood there for too long. */
  async function meet(name: string, _id: string): Promise<void> {
    const theirs = await collection.findOne({ _id });
    const before = met.get(name);
    if (theirs === null) met.delete(name);
    else if (before?.by !== theirs.by) {
      met.delete(name);
      met.set(name, { by: theirs.by, since: clock.monotonic() });
      forgetOldest(met);
    } else if (clock.monotonic() - before.since >= diedAfter) await collection.deleteOne(theirs);
  }
  return {
    among,
    async alone(name, epoch, work) {
      const done = await among(new Map([[name, epoch]]), async () => new Set((await work()) ? [name] : []));
      return done.has(name);
    },
  };
}

/** The names of runs are used a few times and then never again, so old ones are dropped. */
function forgetOldest(met: Map<string, unknown>): void {
  const oldest = met.size > metAtMost ? met.keys().next().value : undefined;
  if (oldest !== undefined) met.delete(oldest);
}

/** The ids that were not there. Some databases stop at the first that is: then it is looked which were inserted. */
async function inserted(
  collection: Collection<ElectionDoc>,
  ids: readonly string[],
  by: string,
): Promise<ReadonlySet<string>> {
  try {
    await collection.insertMany(
      ids.map((_id) => ({ _id, by })),
      { ordered: false },
    );
    return new Set(ids);
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicate(error)) throw error;
    const mine = await collection.find({ _id: { $in: [...ids] }, by }).toArray();
    return new Set(mine.map(({ _id }) => _id));
  }
}
