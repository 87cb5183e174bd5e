import { append } from '../model/append.js';
import { headingLevel } from '../model/content.js';
import { sectionsOf } from './order.js';
import { sameOwn } from './own.js';
import { childrenIn, ownerOf, placesIn, type TreeIndex } from './tree-index.js';

/**
 * Blocks that one side deleted and the other one edited. A merge keeps them: `keys` are those of all blocks to keep,
 * `changed` those of the outermost edited ones.
 */
export type EditedDeletions = { keys: ReadonlySet<string>; changed: readonly string[] };

/**
 * Finds the blocks that `gone` deleted from `base` although `left` changed them. A merge keeps each of them with all
 * its content, and with the rest of the section that was deleted with it: half a section would say what nobody wrote.
 * A block that `gone` moved is not deleted, so one side can remove a container while the other edits what is in it.
 */
export function editedDeletions(base: TreeIndex, left: TreeIndex, gone: TreeIndex): EditedDeletions {
  const keys = new Set<string>();
  const isDeleted = (key: string): boolean => base.entries.has(key) && left.entries.has(key) && !gone.entries.has(key);
  const deletedIn = (key: string): string[] => childrenIn(left, key).filter(isDeleted);
  // A child that `gone` moved elsewhere is compared at its new place.
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
  // A container whose children all moved elsewhere has no content of its own that could be kept.
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

/** The outermost sections whose headings were deleted. */
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
