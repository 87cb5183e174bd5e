import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { judgeByLibrary, library, restore, restoredPlace, type Library } from '../../nodes/index.js';
import { configure, space } from '../space.js';

/**
 * Restores a space to where it was; to the top when its collection is gone, and then without the levels that the
 * collection gave.
 * @throws AppError `not_found` from the seventh day on, `no_change` for a space that is not deleted, `conflict` when
 * its collection is deleted at this moment
 */
export async function restoreInLibrary(
  { store, now }: Pick<Scope, 'store' | 'now'>,
  { id, organization, parent }: { id: string; organization: string; parent: string | null },
): Promise<void> {
  const here = store.within({ space: id });
  const leaves = (state: Library): boolean => parent !== null && restoredPlace(state, id)?.parent === null;
  const decide = (state: Library) => restore(state, { space: id, now: now() });
  let isLeaving = false;
  // What the library refuses must not change the settings of the space.
  await judgeByLibrary({ store }, organization, (state) => {
    decide(state);
    isLeaving = leaves(state);
  });
  // At the top nobody gets in by what the collection let them have: before the space is there, not after.
  const closed = isLeaving
    ? await here.handle(space, id, (state) => configure(state, { defaultLevel: null }), { wait: false })
    : undefined;
  await here.handle(library, organization, (state) => {
    if (closed === undefined && leaves(state)) throw new AppError('conflict', [], { retryAfter: 1 });
    return decide(state);
  });
  if (closed !== undefined) await store.shown(closed);
}
