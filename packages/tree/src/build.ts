import { cutsOf } from './cut/cuts.js';
import { type Json } from './json.js';
import { checkedValue, checkKey, limitsOf, type WriteOptions } from './limits.js';
import { firstKey, type Item, makePart, type Written } from './make.js';
import { EMPTY_ROOT, type Entry, type NewPart } from './part.js';

/**
 * The tree of entries, given in any order; the last one of a key counts. Equal entries give an equal root. Throws
 * `TreeError` (`key_invalid`, `key_too_long`, `value_invalid`, `value_too_large`).
 */
export function build(entries: Iterable<Entry>, options: WriteOptions = {}): Written {
  const limits = limitsOf(options);
  const values = new Map<string, Json>();
  for (const [key, value] of entries) {
    checkKey(key, limits);
    values.set(key, checkedValue(key, value, limits));
  }
  return buildFrom(inOrder(values), 0);
}

/** Entries of a map in the order of their keys: by code units, not by locale. */
export const inOrder = <T>(values: ReadonlyMap<string, T>): [string, T][] =>
  [...values].sort(([left], [right]) => (left < right ? -1 : 1));

/** The tree above all items of a level. */
export function buildFrom(items: readonly Item[], fromLevel: number): Written {
  const parts: NewPart[] = [];
  let above = items;
  for (let level = fromLevel; above.length > 0; level++) {
    const below = above;
    const cuts = cutsOf(below.map(([key]) => key));
    const made = cuts.map((cut, index) =>
      makePart(below.slice(cut.at, cuts[index + 1]?.at), level, firstKey(below, cut, true), cut.anchor),
    );
    for (const { part } of made) parts.push(part);
    above = made.map(({ child }) => child);
    if (above.length === 1) break;
  }
  return { root: parts.at(-1)?.name ?? EMPTY_ROOT, parts };
}
