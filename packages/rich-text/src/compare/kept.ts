import { type Block } from '../model/types.js';
import { sameOwn } from './own.js';
import { fragmentPlace, ownerOf, type TreeIndex } from './tree-index.js';

/** What stays of the blocks that one side deleted: all keys, and those of the outermost. */
export type Kept = { keys: ReadonlySet<string>; outermost: readonly string[] };

/**
 * Of the blocks that `gone` deleted from `base`, those that `left` changed anything in: each with all that it holds, as half a block says
 * what nobody wrote. What `gone` put elsewhere is not deleted, so that a container can be taken away from around what was edited.
 */
export function keptBlocks(base: TreeIndex, left: TreeIndex, gone: TreeIndex): Kept {
  const keys = new Set<string>();
  const outermost: string[] = [];
  const isDeleted = (key: string): boolean => base.entries.has(key) && left.entries.has(key) && !gone.entries.has(key);
  const deletedIn = (key: string): string[] => placesIn(left, key).flatMap((place) => left.children.get(place) ?? []).filter(isDeleted);
  const isChanged = (key: string): boolean => {
    const [was, is] = [base.entries.get(key)?.block, left.entries.get(key)?.block];
    return !was || !is || !sameOwn(was, is) || !sameParts(base, left, key) || deletedIn(key).some(isChanged);
  };
  const keep = (key: string): void => {
    keys.add(key);
    deletedIn(key).forEach(keep);
  };
  for (const [key, { parent }] of left.entries) {
    if (!isDeleted(key) || isDeleted(ownerOf(parent)) || !isChanged(key)) continue;
    outermost.push(key);
    keep(key);
  }
  return { keys, outermost };
}

/** Where the children of a block are: among its nodes and in its fragments. */
function placesIn({ entries }: TreeIndex, key: string): string[] {
  const block: Block | undefined = entries.get(key)?.block;
  return [key, ...(block?.fragments ?? []).map((part, at) => fragmentPlace(key, part, at))];
}

/** True when a block holds the same blocks in the same places. */
function sameParts(base: TreeIndex, left: TreeIndex, key: string): boolean {
  const held = (index: TreeIndex): string => JSON.stringify(placesIn(index, key).map((place) => [place, index.children.get(place) ?? []]));
  return held(base) === held(left);
}
