import { buildFrom, inOrder } from './build.js';
import { type Json } from './json.js';
import { withPartCache } from './layered.js';
import { checkedValue, checkKey, limitsOf, type WriteOptions } from './limits.js';
import { type Item, type Written } from './make.js';
import { type Child, EMPTY_ROOT, type Entry, isLeaf, type NewPart, type Parts } from './part.js';
import { recut, type Recut } from './recut.js';
import { readRoot, type Root } from './spans.js';
import { type Changes, type Stretch, stretchesOf } from './stretches.js';

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
