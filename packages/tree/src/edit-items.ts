import { isSame } from './json.js';
import { type Item } from './make.js';

/** What shall become of a key: an item in its place, or none. */
export type Change = readonly [key: string, item: Item | undefined];

/** The items of a part after changes. */
export interface EditedItems {
  readonly items: readonly Item[];
  readonly changed: boolean;
  /** Items before the first key that came or went, and behind the last one; all of them if the keys are the same. */
  readonly sameLeft: number;
  readonly sameRight: number;
  readonly rekeyed: boolean;
}

/** Items with changes made; both are in the order of keys. What is replaced by the same is no change. */
export function editItems(old: readonly Item[], changes: readonly Change[]): EditedItems {
  const items: Item[] = [];
  let at = 0;
  let changed = false;
  let sameLeft: number | undefined;
  let sameRight = old.length;
  for (const [key, item] of changes) {
    const found = indexFrom(old, at, key);
    for (; at < found; at++) push(items, old[at]);
    const replaced = old[at]?.[0] === key ? old[at] : undefined;
    const next = isSame(replaced, item) ? replaced : item;
    push(items, next);
    changed ||= next !== replaced;
    if ((next === undefined) !== (replaced === undefined)) {
      sameLeft ??= at;
      sameRight = old.length - at - (replaced === undefined ? 0 : 1);
    }
    if (replaced !== undefined) at++;
  }
  for (; at < old.length; at++) push(items, old[at]);
  const rekeyed = sameLeft !== undefined;
  return { items: changed ? items : old, changed, sameLeft: sameLeft ?? old.length, sameRight, rekeyed };
}

function push(items: Item[], item: Item | undefined): void {
  if (item !== undefined) items.push(item);
}

/** The index of the first item from `at` on whose key is not lower. */
function indexFrom(items: readonly Item[], at: number, key: string): number {
  let index = at;
  while ((items[index]?.[0] ?? key) < key) index++;
  return index;
}
