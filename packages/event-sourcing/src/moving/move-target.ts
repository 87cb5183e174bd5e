import { createHash } from 'node:crypto';
import { AppError } from '@scriptorium/contracts';
import { type Collection, type MongoClient } from 'mongodb';
import { pause } from '../process/time.js';
import { isCompleteCopy, openLog, writeOffset } from '../events/log-offset.js';
import { type Move } from './move.js';
import { firstEventId } from './move-log.js';
import { consumersIn, databasesIn, movingIn, withClient } from './moved-collections.js';

/** How far the copy of one collection is; the document `move` is of the move itself. */
interface MoveState {
  _id: string;
  /** The last id that was copied. */
  after?: unknown;
  done: boolean;
  /** Of the move: `Move.first`. */
  first?: string;
  /** Of the move: which leases there had been in the source, which every start of it changes. */
  leases?: string;
}

/** Holders of leases send a heartbeat every second, or more often. */
const watchMs = 2_500;

/**
 * Marks the target as that of this move, unless it is so already. When the source was started since the last call, the
 * documents that were copied then are removed, and are copied again.
 * @throws AppError `conflict` when the target holds anything else, or the copy is complete
 */
export async function claimTarget(move: Move): Promise<void> {
  const { from, to, namespace, first } = move;
  const isLogEmpty = (await firstEventId(to.eventstore, namespace)) === undefined;
  const leases = await withClient(from.mongodb, (client) => leasesIn(client, namespace));
  await withClient(to.mongodb, async (client) => {
    const state = moveStateIn(client, namespace);
    const marked = await state.findOne({ _id: 'move' });
    const names = await databasesIn(client, namespace);
    if (marked === null ? !isLogEmpty || names.length > 0 : marked.first !== first)
      throw new AppError('conflict', [], {
        message: `the target holds data of the namespace ${namespace} already, which is not of this move`,
      });
    // The mark is left where a move has died at its very end. The target may have been started since.
    if (marked !== null && (await isCompleteCopy(to.eventstore, namespace))) {
      await client.db(movingIn(namespace)).dropDatabase();
      throw new AppError('conflict', [], { message: 'the copy is complete already: the target can be started' });
    }
    if (marked?.leases === leases) return;
    await state.deleteMany({ _id: { $ne: 'move' } });
    for (const name of names) await client.db(name).dropDatabase();
    await shiftBehind(move);
    await state.replaceOne({ _id: 'move' }, { first, done: false, leases }, { upsert: true });
  });
}

/** Has all positions of the target follow those that the source has given. */
async function shiftBehind({ from, to, namespace }: Move): Promise<void> {
  const source = openLog(from.eventstore, namespace);
  try {
    await writeOffset(to.eventstore, namespace, { offset: await source.tail(), isComplete: false });
  } finally {
    await source.close();
  }
}

/** The owners of all leases: different after each start. */
async function leasesIn(client: MongoClient, namespace: string): Promise<string> {
  const docs: unknown[] = [];
  for (const name of await databasesIn(client, namespace))
    for (const { _id, epoch } of await consumersIn(client.db(name)).find().sort({ _id: 1 }).toArray())
      docs.push([name, _id, epoch]);
  return createHash('sha256').update(JSON.stringify(docs)).digest('hex');
}

/** Ends a move: from now on the target is an installation of its own, which can be started. */
export async function releaseTarget({ to, namespace }: Move): Promise<void> {
  await writeOffset(to.eventstore, namespace, { isComplete: true });
  await withClient(to.mongodb, async (client) => void (await client.db(movingIn(namespace)).dropDatabase()));
}

/** Whether any replica holds leases on a server: their heartbeats go on. Takes some seconds. */
export async function isInUse(url: string, namespace: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const beats = async (): Promise<string> => {
      const docs = await Promise.all(
        (await databasesIn(client, namespace)).map((name) =>
          consumersIn(client.db(name))
            .find({ owner: { $ne: null } })
            .sort({ _id: 1 })
            .toArray(),
        ),
      );
      return JSON.stringify(docs.flat().map(({ owner, beat }) => [owner, beat]));
    };
    const before = await beats();
    if (before === '[]') return false;
    await pause(watchMs);
    return (await beats()) !== before;
  });
}

/** How far the copies of collections are. */
export function moveStateIn(client: MongoClient, namespace: string): Collection<MoveState> {
  return client.db(movingIn(namespace)).collection('collections');
}
