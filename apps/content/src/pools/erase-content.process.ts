import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { branch, branches, requestBranches } from '../branches/index.js';
import type { ContentObjects } from '../objects/index.js';
import { scheduleSweep } from './sweep-pool.run.js';

/**
 * Deletes the main content of a space for good: its stream and its objects. When other spaces read from the same pool, a run removes
 * what these do not have. Safe to repeat.
 */
async function eraseMainContent(store: StoreScope, objects: ContentObjects, space: string): Promise<void> {
  const state = await store.load(branch, space);
  if (state.status === 'absent') return;
  const others = await store.read(branches).count({ pool: state.pool, space: { $ne: space } });
  if (others === 0) await objects.dropPool(state.pool);
  // Before the stream goes, so that a crash in between loses no sweep. It is due at once.
  else await scheduleSweep(store, { pool: state.pool, purged: space, round: 0 }, 0);
  await store.erase(branch, space);
}

/** How far the content of a space is erased. */
export interface Erasure {
  /** Streams that were deleted. */
  erased: number;
  /** The last branch of a change request that was erased, when there are more. */
  after: string | null;
}

/**
 * Deletes all content of a space for good: the branches of its change requests, `most` of them at a time and behind `after`, then
 * the main content with the objects of all. Safe to repeat.
 * @throws AppError `unavailable` as long as it is not known which change requests there are
 */
export async function eraseContent(
  store: StoreScope,
  objects: ContentObjects,
  space: string,
  { after, most }: { after: string | null; most: number },
): Promise<Erasure> {
  if (!store.isLive([requestBranches]))
    throw new AppError('unavailable', [], { message: 'The branches of change requests are not known yet' });
  const filter = after === null ? { space } : { space, _id: { $gt: after } };
  const found = await store.read(requestBranches).find(filter).sort({ _id: 1 }).limit(most).toArray();
  for (const { _id: id } of found) await store.erase(branch, id);
  const last = found.at(-1);
  if (found.length === most && last !== undefined) return { erased: found.length, after: last._id };
  await eraseMainContent(store, objects, space);
  return { erased: found.length + 1, after: null };
}
