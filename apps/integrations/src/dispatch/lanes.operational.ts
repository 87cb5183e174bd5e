import { isDuplicate } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<ServiceContext, 'database'>;

/** A lease, or a replica that competes for leases. */
export interface LaneDocument {
  _id: string;
  /** A replica that is there. */
  isReplica: boolean;
  owner: string | null;
  /** Counts the owners. */
  epoch: number;
  /** Counts the heartbeats of the owner. */
  beat: number;
}

function lanes({ database }: Within): Collection<LaneDocument> {
  return database.collection<LaneDocument>('op_lanes');
}

export function readLanes(scope: Within): Promise<LaneDocument[]> {
  return lanes(scope).find().toArray();
}

/** Declares a lease that nobody has. One that is there stays as it is. */
export async function declareLane(scope: Within, _id: string): Promise<void> {
  try {
    await lanes(scope).insertOne({ _id, isReplica: false, owner: null, epoch: 0, beat: 0 });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** Takes a lease over, unless it has changed since it was seen. Whether that succeeded. */
export async function takeLane(scope: Within, seen: LaneDocument, owner: string): Promise<boolean> {
  const { _id, owner: before, epoch, beat } = seen;
  const taken = { $set: { owner, epoch: epoch + 1, beat: 0 } };
  return (await lanes(scope).updateOne({ _id, owner: before, epoch, beat }, taken)).matchedCount === 1;
}

/**
 * Says that the owner, and what it has, is still there.
 * @returns how many leases the owner has; `undefined` if it was not listed as a replica
 */
export async function beatLanes(scope: Within, owner: string): Promise<number | undefined> {
  const update = { $inc: { beat: 1 } };
  const replica = { $setOnInsert: { isReplica: true, owner, epoch: 0 } };
  const { matchedCount, upsertedCount } = await lanes(scope).bulkWrite([
    { updateOne: { filter: { _id: `replica-${owner}` }, update: { ...update, ...replica }, upsert: true } },
    { updateMany: { filter: { owner, isReplica: false }, update } },
  ]);
  return upsertedCount > 0 ? undefined : matchedCount - 1;
}

export async function releaseLanes(scope: Within, owner: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await lanes(scope).updateMany({ _id: { $in: [...names] }, owner }, { $set: { owner: null } });
}

export async function removeReplica(scope: Within, owner: string): Promise<void> {
  await lanes(scope).deleteOne({ _id: `replica-${owner}` });
}
