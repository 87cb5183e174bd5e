import { EMPTY_ROOT } from '@scriptorium/tree';
import type { BranchEvent, OpenBranch } from '../branches/index.js';
import { conflictList, conflictsIn, conflictsLeft, type FoundConflict } from '../merging/index.js';
import { contentTree, type ContentObjects, type Draft } from '../object-store/index.js';

/** The conflicts of a change request that are not resolved. */
export async function openConflicts(draft: Draft, { request }: OpenBranch): Promise<FoundConflict[]> {
  const name = request?.pending?.conflicts;
  return name === undefined ? [] : conflictsIn(await draft.object(name));
}

/** What resolving conflicts adds to the events of a branch: none while all of them are as they were. */
export function resolution(
  draft: Draft,
  space: string,
  open: readonly FoundConflict[],
  left: readonly FoundConflict[],
): BranchEvent[] {
  const isSame =
    left.length === open.length && left.every((one, at) => one.blocks?.length === open[at]?.blocks?.length);
  if (isSame) return [];
  const name = left.length === 0 ? null : draft.add(conflictList(left));
  return [{ type: 'BranchConflictsResolved', data: { space, left: name } }];
}

/**
 * What it means for the conflicts of a change request that its whole content was replaced: whoever did that has seen
 * both versions and decided. A conflict is left where the document still has its markers, since it was kept as it was.
 */
export async function resolvedByReplacement(
  objects: ContentObjects,
  draft: Draft,
  { space, seen }: { space: string; seen: OpenBranch },
): Promise<BranchEvent[]> {
  const open = await openConflicts(draft, seen);
  if (open.length === 0) return [];
  const before = contentTree(objects, draft.pool, seen.head?.tree ?? EMPTY_ROOT);
  const resolve = open.filter(({ blocks }) => blocks === undefined).map(({ id }) => id);
  return resolution(draft, space, open, await conflictsLeft(draft, { open, resolve, changes: [], before }));
}
