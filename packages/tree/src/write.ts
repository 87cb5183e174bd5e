import { cutsOf, type Cut, REACH } from './cut/cuts.js';
import { type Json } from './json.js';
import { checkedValue, checkKey, limitsOf, type WriteOptions } from './limits.js';
import {
  firstKey,
  type Item,
  makePart,
  type Written,
  EMPTY_ROOT,
  type Entry,
  type NewPart,
  type Child,
  isLeaf,
  type Parts,
  childOf,
  withPartCache,
} from './part.js';
import { readRoot, type Root } from './spans.js';
import { type Changes, type Stretch, stretchesOf, ANY_MARGIN, type Slot } from './stretches.js';

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
const inOrder = <T>(values: ReadonlyMap<string, T>): [string, T][] =>
  [...values].sort(([left], [right]) => (left < right ? -1 : 1));

/** The tree above all items of a level. */
function buildFrom(items: readonly Item[], fromLevel: number): Written {
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

/** What shall become of a key: a value, or `undefined` to remove it. */
export type Edit = readonly [key: string, value: Json | undefined];

/**
 * The tree after edits, of which the last one of a key counts: the root that `build` would give for the same entries,
 * and the parts that are new. Edits that change nothing give the same root and no parts. Reads the parts on the way to
 * the edited keys, and neighbours of those in which keys come or go, a level in a few batches. Throws `TreeError`
 * (`key_invalid`, `key_too_long`, `value_invalid`, `value_too_large`, `part_missing`, `part_invalid`).
 */
export async function apply(
  parts: Parts,
  root: string,
  edits: Iterable<Edit>,
  options: WriteOptions = {},
): Promise<Written> {
  const limits = limitsOf(options);
  const entries = new Map<string, Entry | undefined>();
  for (const [key, value] of edits) {
    checkKey(key, limits);
    entries.set(key, value === undefined ? undefined : [key, checkedValue(key, value, limits)]);
  }
  return applyEntries(parts, root, entries);
}

/** The same for entries that were checked, or stand in a tree already. */
export async function applyEntries(
  parts: Parts,
  root: string,
  entries: ReadonlyMap<string, Entry | undefined>,
): Promise<Written> {
  if (entries.size === 0) return { root, parts: [] };
  const ordered = inOrder(entries);
  const top = await readRoot(withPartCache(parts), root);
  return top === undefined ? buildFrom(present(ordered.map(([, entry]) => entry)), 0) : editTree(top, new Map(ordered));
}

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined);

/** Recuts what changes, level by level from the leaves up; each level's changes are those of its parents' children. */
async function editTree(top: Root, edits: Changes): Promise<Written> {
  const made: NewPart[] = [];
  let changes = edits;
  let children: readonly Child[] = [];
  for (let level = 0; level <= top.span.level; level++) {
    const stretches = await stretchesOf(top.parts, top.span, level, changes);
    const recuts = stretches.map((stretch) => recut(stretch, level));
    for (const { parts } of recuts) for (const part of parts) made.push(part);
    changes = new Map(inOrder(new Map(stretches.flatMap((stretch, at) => changesAbove(stretch, recuts[at])))));
    if (changes.size === 0) return { root: top.span.name, parts: [] };
    children = recuts.flatMap((one) => one.children);
  }
  return crowned(children, made, top.span.level + 1);
}

/** What changes among the children of the level above. */
function changesAbove({ slots }: Stretch, now: Recut | undefined): [string, Item | undefined][] {
  const children = new Map(now?.children.map((child) => [child[0], child]));
  const kept = new Set<string>();
  const gone = slots.flatMap(({ span }): [string, undefined][] => {
    const child = children.get(span.first);
    if (child === undefined) return [[span.first, undefined]];
    if (child[1] === span.name && (child[3] === undefined) === span.anchor) kept.add(span.first);
    return [];
  });
  return [...gone, ...[...children].filter(([first]) => !kept.has(first))];
}

/** The root over the children of the old root's level: levels are added until there is one part, or taken away. */
function crowned(children: readonly Child[], made: readonly NewPart[], level: number): Written {
  if (children.length > 1) {
    const above = buildFrom(children, level);
    return { root: above.root, parts: [...made, ...above.parts] };
  }
  const parts = new Map(made.map((part) => [part.name, part]));
  let root = children[0]?.[1] ?? EMPTY_ROOT;
  for (let below = onlyChild(parts.get(root)); below !== undefined; below = onlyChild(parts.get(root))) {
    parts.delete(root);
    root = below;
  }
  return { root, parts: [...parts.values()] };
}

/** The name of the only part below a part: such a part is not needed. */
function onlyChild(made: NewPart | undefined): string | undefined {
  if (made === undefined || isLeaf(made.part)) return undefined;
  const [only, second] = made.part.children;
  return second === undefined ? only?.[1] : undefined;
}

/** A stretch after its changes: all its parts in order, and those among them that are new. */
interface Recut {
  readonly children: readonly Child[];
  readonly parts: readonly NewPart[];
}

/** Cuts a stretch of a level anew. Parts that stay as they are keep their names without being made again. */
function recut(stretch: Stretch, level: number): Recut {
  const items = stretch.slots.flatMap((slot) => slot.items);
  const cuts = cutsWithin(stretch, items);
  const slotAt = new Map(startsOf(stretch.slots).map(({ at, slot }) => [at, slot]));
  const oldNames = new Set(stretch.slots.map(({ span }) => span.name));
  const parts: NewPart[] = [];
  const children = cuts.map((cut, index) => {
    const end = cuts[index + 1]?.at ?? items.length;
    const first = firstKey(items, cut, stretch.before === undefined);
    const slot = slotAt.get(cut.at);
    if (slot !== undefined && !slot.changed && slot.items.length === end - cut.at)
      return childOf(first, slot.span.name, slot.span.count, cut.anchor);
    const { child, part } = makePart(items.slice(cut.at, end), level, first, cut.anchor);
    if (!oldNames.has(part.name)) parts.push(part);
    return child;
  });
  return { children, parts };
}

/** Where the parts of a stretch begin now. */
function cutsWithin(stretch: Stretch, items: readonly Item[]): Cut[] {
  const before = startsOf(stretch.slots).map(({ at, slot }) => ({ at, anchor: slot.span.anchor }));
  if (!stretch.rekeyed) return before;
  // A stretch may begin or end amid pieces, whose cuts follow from items beyond it. There are unchanged items enough
  // then: near such an end the cuts are as they were, and everything else is out of reach of what is beyond.
  const from = stretch.before !== undefined && stretch.sameLeft >= ANY_MARGIN ? REACH : 0;
  const to = items.length - (stretch.after !== undefined && stretch.sameRight >= ANY_MARGIN ? REACH : 0);
  return [
    ...before.filter(({ at }) => at < from),
    ...cutsOf(items.map(([key]) => key)).filter(({ at }) => at >= from && at < to),
    ...before.filter(({ at }) => at >= to && at < items.length),
  ];
}

/**
 * Where each slot begins among the items of all; of slots without items the last one counts, which leaves none of them.
 */
function startsOf(slots: readonly Slot[]): { at: number; slot: Slot }[] {
  let at = 0;
  return slots.map((slot) => {
    const start = { at, slot };
    at += slot.items.length;
    return start;
  });
}
