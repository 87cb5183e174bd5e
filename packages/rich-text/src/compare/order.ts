import { append } from '../model/append.js';

/** Positions of a longest increasing run in `values`: what can stay when the rest moves. */
export function longestIncreasing(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous: number[] = [];
  values.forEach((value, i) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = i;
  });
  const out = new Set<number>();
  for (let i = tails[tails.length - 1] ?? -1; i >= 0; i = previous[i] ?? -1) out.add(i);
  return out;
}

/** The longest part of pairs in the order of their first members in which the second ones grow as well. */
export function growing<T extends readonly [number, number]>(pairs: readonly T[]): T[] {
  const kept = longestIncreasing(pairs.map(([, second]) => second));
  return pairs.filter((_, i) => kept.has(i));
}

export type MergedOrder = { order: string[]; conflict: boolean };

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((item, i) => item === b[i]);

/**
 * One order from two that grew out of `base`. `members` are the items of the result; what one side alone moved follows that side,
 * what one side alone added stands behind the item it was added behind. Both orders changed differently is a conflict,
 * in which ours counts; else the result does not depend on which side is which. `levelOf` is the level of a heading, 0 for all else: what
 * one side added below a heading does not come below one that the other added.
 */
export function mergeOrder(base: readonly string[], ours: readonly string[], theirs: readonly string[], members: ReadonlySet<string>, levelOf: (item: string) => number = () => 0): MergedOrder {
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const shared = (list: readonly string[]): string[] => list.filter((item) => members.has(item) && inOurs.has(item) && inTheirs.has(item));
  const [a, b] = [shared(ours), shared(theirs)];
  const known = new Set(base);
  const started = shared(base);
  const kept = (list: readonly string[]): string[] => list.filter((item) => known.has(item));
  const [movedA, movedB] = [!same(kept(a), started), !same(kept(b), started)];
  const conflict = movedA && movedB && !same(a, b);
  const skeleton = conflict ? a : movedA ? a : movedB ? b : a.join() < b.join() ? a : b;
  const placed = new Set(skeleton);
  const runs = [ours, theirs].map((list) => runsOf(list.filter((item) => members.has(item)), (item) => placed.has(item)));
  const order = place('', runs, levelOf);
  for (const item of skeleton) {
    order.push(item);
    append(order, place(item, runs, levelOf));
  }
  const seen = new Set<string>();
  const unique = order.filter((item) => !seen.has(item) && seen.add(item));
  return { order: [...unique, ...[...members].filter((item) => !seen.has(item)).sort()], conflict };
}

/** The items between anchors, by the anchor before them; '' for those before the first. */
export function runsOf(list: readonly string[], isAnchor: (item: string) => boolean): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let anchor = '';
  for (const item of list) {
    const run = runs.get(anchor);
    if (isAnchor(item)) anchor = item;
    else if (run) run.push(item);
    else runs.set(anchor, [item]);
  }
  return runs;
}

/** What both lists have behind an anchor, one run behind the other, whichever list is which, but what belongs to the heading before it first. */
function place(anchor: string, runs: ReadonlyArray<Map<string, string[]>>, levelOf: (item: string) => number): string[] {
  const added = runs.flatMap((each) => [each.get(anchor) ?? []]).sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  const parts = added.flatMap((run) => sectionsOf(run, levelOf));
  return parts.sort((a, b) => b.level - a.level).flatMap(({ items }) => items);
}

/** A part of a list: what stands before its first heading, below all levels, or a heading and all below it. */
export type Section<T> = { level: number; start: number; items: readonly T[] };

/** What stands before the first heading, if anything, and the sections, each up to the next heading of its level or above. */
export function sectionsOf<T>(list: readonly T[], levelOf: (item: T) => number): Section<T>[] {
  const starts: Array<Omit<Section<T>, 'items'>> = [];
  list.forEach((item, start) => {
    const level = levelOf(item) || Infinity;
    const ends = level < Infinity && level <= (starts.at(-1)?.level ?? Infinity);
    if (start === 0 || ends) starts.push({ level, start });
  });
  return starts.map((each, i) => ({ ...each, items: list.slice(each.start, starts[i + 1]?.start) }));
}
