import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { branch, branches, requestBranches } from '../branches/index.js';
import type { ContentObjects } from '../object-store/index.js';
import { lookAgainAt } from './drop-late-objects.timer.js';
import { scheduleSweep } from './sweep-pool.run.js';

/**
 * Deletes the main content of a space for good: its stream and its objects. When other spaces read from the same pool,
 * a run removes what these do not have. Safe to repeat. @returns whether nothing is left
 */
async function eraseMainContent(
  store: StoreScope,
  objects: ContentObjects,
  space: string,
  isOver: () => boolean,
): Promise<boolean> {
  const state = await store.load(branch, space);
  if (state.status === 'absent') return true;
  const { pool } = state;
  await objects.computed.dropSpace(space);
  const others = await store.read(branches).count({ pool, space: { $ne: space } });
  // Scheduled before the stream goes, so that a crash in between loses nothing. A sweep is due at once.
  if (others > 0) await scheduleSweep(store, { pool, purged: space, round: 0 }, 0);
  else if (await objects.dropPool(pool, isOver)) await lookAgainAt(store, objects, pool);
  else return false;
  await store.erase(branch, space);
  return true;
}

/** How far the content of a space is erased. */
export interface Erasure {
  /** Streams that were deleted. */
  erased: number;
  /** The last branch of a change request that was erased, when there are more. */
  after: string | null;
  /** Whether nothing is left. */
  isDone: boolean;
}

/**
 * Deletes all content of a space for good: the branches of its change requests, `most` of them at a time and behind
 * `after`, then the main content with the objects of all, until `isOver`. Safe to repeat.
 * @throws AppError `unavailable` as long as it is not known which change requests there are
 */
export async function eraseContent(
  store: StoreScope,
  objects: ContentObjects,
  space: string,
  { after, most, isOver }: { after: string | null; most: number; isOver: () => boolean },
): Promise<Erasure> {
  if (!store.isLive([requestBranches]))
    throw new AppError('unavailable', [], { message: 'The branches of change requests are not known yet' });
  const filter = after === null ? { space } : { space, _id: { $gt: after } };
  const found = await store.read(requestBranches).find(filter).sort({ _id: 1 }).limit(most).toArray();
  for (const { _id: id } of found) await store.erase(branch, id);
  const last = found.at(-1);
  const erased = found.length;
  if (found.length === most && last !== undefined) return { erased, after: last._id, isDone: false };
  const isDone = await eraseMainContent(store, objects, space, isOver);
  return { erased: erased + 1, after: null, isDone };
}
