import { isDuplicate } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<ServiceContext, 'database'>;

/** The latest replay of a receiver. */
export interface LatestReplay {
  /** The queue of the receiver. */
  _id: string;
  run: string;
  /** When it was asked for, ms. */
  at: number;
  /** The one before, which is shown until the run of this one is there. */
  before?: string | undefined;
}

function latest({ database }: Within): Collection<LatestReplay> {
  return database.collection<LatestReplay>('op_replays');
}

export function latestReplay(scope: Within, queue: string): Promise<LatestReplay | null> {
  return latest(scope).findOne({ _id: queue });
}

/** Makes a replay the latest one of its receiver, in the place of the one before. Whether no other was faster. */
export async function setLatestReplay(
  scope: Within,
  wanted: LatestReplay,
  before: LatestReplay | null,
): Promise<boolean> {
  const { _id, run, at } = wanted;
  if (before !== null) {
    const next = { run, at, before: before.run };
    const { matchedCount } = await latest(scope).updateOne({ _id, run: before.run }, { $set: next });
    return matchedCount > 0;
  }
  try {
    await latest(scope).insertOne(wanted);
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/** The receiver is not there any more. */
export async function dropReplay(scope: Within, queue: string): Promise<void> {
  await latest(scope).deleteOne({ _id: queue });
}
