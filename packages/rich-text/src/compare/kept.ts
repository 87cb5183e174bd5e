import { append } from '../model/append.js';
import { headingLevel } from '../model/content.js';
import { type Block } from '../model/types.js';
import { sectionsOf } from './order.js';
import { sameOwn } from './own.js';
import { fragmentPlace, ownerOf, type TreeIndex } from './tree-index.js';

/**
 * What stays of the blocks that one side deleted: all keys, and those of the outermost that the other side changed
 * anything in.
 */
export type Kept = { keys: ReadonlySet<string>; changed: readonly string[] };

/**
 * Of the blocks that `gone` deleted from `base`, those that `left` changed anything in: each with all that it holds,
 * and with the section that was deleted with it, as half of it says what nobody wrote. What `gone` put elsewhere is not
 * deleted, so that a container can be taken away from around what was edited.
 */
export function keptBlocks(base: TreeIndex, left: TreeIndex, gone: TreeIndex): Kept {
  const keys = new Set<string>();
  const isDeleted = (key: string): boolean => base.entries.has(key) && left.entries.has(key) && !gone.entries.has(key);
  const deletedIn = (key: string): string[] => childrenIn(left, key).filter(isDeleted);
  // What `gone` put elsewhere may have been deleted there.
  const held = (index: TreeIndex, key: string): string =>
    JSON.stringify(
      placesIn(index, key).map((place) => [
        place,
        (index.children.get(place) ?? []).filter((child) => !gone.entries.has(child)),
      ]),
    );
  const sameChildren = (key: string): boolean => held(base, key) === held(left, key);
  const isChanged = (key: string): boolean => {
    const [was, is] = [base.entries.get(key)?.block, left.entries.get(key)?.block];
    return !was || !is || !sameOwn(was, is) || !sameChildren(key) || deletedIn(key).some(isChanged);
  };
  // Without its parts a container says nothing, and a box of nothing is not what was edited.
  const isEmptied = (key: string): boolean =>
    childrenIn(left, key).length > 0 && childrenIn(left, key).every((child) => gone.entries.has(child));
  const keep = (key: string): void => {
    if (isEmptied(key)) return;
    keys.add(key);
    deletedIn(key).forEach(keep);
  };
  const changed: string[] = [];
  for (const [place, list] of left.children) {
    if (isDeleted(ownerOf(place))) continue;
    const found = new Set(list.filter((key) => isDeleted(key) && isChanged(key)));
    if (found.size === 0) continue;
    append(changed, [...found]);
    for (const section of deletedSections(list, left.entries, isDeleted))
      if (section.some((key) => found.has(key))) section.filter(isDeleted).forEach(keep);
    found.forEach(keep);
  }
  return { keys, changed };
}

/** The sections of which the heading was deleted, those inside of such left aside. */
function deletedSections(
  list: readonly string[],
  entries: TreeIndex['entries'],
  isDeleted: (key: string) => boolean,
): ReadonlyArray<readonly string[]> {
  const levelOf = (key: string): number => headingLevel(entries.get(key)?.block ?? { type: '' });
  return sectionsOf(list, levelOf).flatMap(({ level, items }): ReadonlyArray<readonly string[]> => {
    const [heading, ...below] = items;
    if (level === Infinity || heading === undefined) return [];
    return isDeleted(heading) ? [items] : deletedSections(below, entries, isDeleted);
  });
}

/** Where the children of a block are: among its nodes and in its fragments. */
function placesIn({ entries }: TreeIndex, key: string): string[] {
  const block: Block | undefined = entries.get(key)?.block;
  return [key, ...(block?.fragments ?? []).map((part, at) => fragmentPlace(key, part, at))];
}

const childrenIn = (index: TreeIndex, key: string): string[] =>
  placesIn(index, key).flatMap((place) => index.children.get(place) ?? []);
