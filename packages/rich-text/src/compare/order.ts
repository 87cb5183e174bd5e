import { addTo, append } from '../model/append.js';

/** Indexes of a longest increasing subsequence of `values`: the items that can stay while all others move. */
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

/**
 * The longest selection of the pairs in which the second members increase. The pairs must be sorted by their first
 * members.
 */
export function growing<T extends readonly [number, number]>(pairs: readonly T[]): T[] {
  const kept = longestIncreasing(pairs.map(([, second]) => second));
  return pairs.filter((_, i) => kept.has(i));
}

export type MergedOrder = { order: string[]; conflict: boolean };

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/**
 * Merges two orders that grew out of `base`. `members` are the items of the result.
 * - An item that only one side moved stands where that side put it.
 * - An item that one side added stands behind the same neighbour, or before the next one if the other side moved the
 *   first.
 * - `levelOf` gives the level of a heading, and 0 for everything else. Text that was added below a heading does not
 *   come below another one, and a section stays before what followed it.
 * - Moves that exclude each other are a conflict, in which ours counts. Otherwise the result does not depend on which
 *   side is which.
 */
export function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  members: ReadonlySet<string>,
  levelOf: (item: string) => number = () => 0,
): MergedOrder {
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const shared = (list: readonly string[]): string[] =>
    list.filter((item) => members.has(item) && inOurs.has(item) && inTheirs.has(item));
  const { order: skeleton, conflict } = mergeMoves(shared(base), shared(ours), shared(theirs));
  const slots = new Slots(skeleton);
  const sides = [ours, theirs].map((list) => list.filter((item) => members.has(item)));
  const order = slots.filled(sides.flatMap((list) => slots.additions(list, levelOf)));
  const seen = new Set<string>();
  const unique = order.filter((item) => !seen.has(item) && seen.add(item));
  return { order: [...unique, ...[...members].filter((item) => !seen.has(item)).sort()], conflict };
}

/** Merges the order of the items that both sides have. */
function mergeMoves(
  started: readonly string[],
  a: readonly string[],
  b: readonly string[],
): { order: readonly string[]; conflict: boolean } {
  const known = new Set(started);
  const kept = (list: readonly string[]): string[] => list.filter((item) => known.has(item));
  const [movedA, movedB] = [movedFrom(started, kept(a)), movedFrom(started, kept(b))];
  if (same(a, b) || movedB.size === 0)
    return { order: movedA.size > 0 || a.join() < b.join() ? a : b, conflict: false };
  if (movedA.size === 0) return { order: b, conflict: false };
  const [one, other] = [withMoves(a, b, movedB, movedA), withMoves(b, a, movedA, movedB)];
  return same(one, other) ? { order: one, conflict: false } : { order: a, conflict: true };
}

/** The smallest set of items whose moves turn the first order into the second. */
export function movedFrom(before: readonly string[], after: readonly string[]): Set<string> {
  const ranks = new Map(before.map((item, rank) => [item, rank]));
  const stay = longestIncreasing(after.map((item) => ranks.get(item) ?? 0));
  return new Set(after.filter((_, at) => !stay.has(at)));
}

/** For each item the next one. The key `''` has the first item. */
export const followersOf = (list: readonly string[]): Map<string, string> =>
  new Map(list.map((item, at) => [list[at - 1] ?? '', item]));

/** For each item the one before it, `''` for the first. */
const leadersOf = (list: readonly string[]): Map<string, string> =>
  new Map(list.map((item, at) => [item, list[at - 1] ?? '']));

/**
 * The list with the `moved` items at their places in `other`: behind the same item, or before the same item if the
 * first was moved `here`.
 */
function withMoves(
  list: readonly string[],
  other: readonly string[],
  moved: ReadonlySet<string>,
  here: ReadonlySet<string>,
): string[] {
  const followers = followersOf(other.filter((item) => !moved.has(item)));
  const [behind, before] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  for (const [leader, run] of runsOf(other, (item) => !moved.has(item))) {
    const follower = followers.get(leader);
    if (here.has(leader) && follower !== undefined && !here.has(follower)) before.set(follower, run);
    else behind.set(leader, run);
  }
  const out = [...(behind.get('') ?? [])];
  for (const item of list) {
    if (moved.has(item)) continue;
    append(out, before.get(item) ?? []);
    out.push(item);
    append(out, behind.get(item) ?? []);
  }
  return out;
}

/**
 * A part of what one side added, with the item that it stands behind or before. It stands at the end if `before` is
 * undefined.
 */
type Addition = Section<string> & { run: string; behind?: string; before?: string | undefined; isTitle: boolean };

/** The places between items that both sides have. */
class Slots {
  private readonly places: ReadonlySet<string>;
  private readonly before: ReadonlyMap<string, string>;

  constructor(private readonly skeleton: readonly string[]) {
    this.places = new Set(skeleton);
    this.before = leadersOf(skeleton);
  }

  additions(list: readonly string[], levelOf: (item: string) => number): Addition[] {
    const shared = list.filter((item) => this.places.has(item));
    const [moved, followers, leaders] = [movedFrom(shared, this.skeleton), followersOf(shared), leadersOf(shared)];
    const leftAlone = (item: string): boolean => moved.has(item) && this.before.get(item) !== leaders.get(item);
    return [...runsOf(list, (item) => this.places.has(item))].flatMap(([behind, run]) => {
      const before = followers.get(behind);
      const stays = before === undefined || !moved.has(before);
      return sectionsOf(run, levelOf).map((part, at, parts): Addition => {
        const goesOn = stays && (part.level < Infinity || leftAlone(behind));
        const isTitle =
          at === parts.length - 1 && part.items.length === 1 && part.level < Infinity && before !== undefined;
        return { ...part, run: run[0] ?? '', isTitle, ...(goesOn ? { before } : { behind }) };
      });
    });
  }

  /**
   * The whole order. Additions at one place are sorted by level and key, which does not depend on the side. A heading
   * that was added as the title of the text behind it comes last, directly before that text.
   */
  filled(additions: readonly Addition[]): string[] {
    const [behind, before] = [new Map<string, Addition[]>(), new Map<string | undefined, Addition[]>()];
    for (const each of additions) {
      if (each.behind === undefined) addTo(before, each.before, each);
      else addTo(behind, each.behind, each);
    }
    const out: string[] = [];
    const put = (parts: Addition[] = []): void => {
      parts.sort(
        (a, b) =>
          Number(a.isTitle) - Number(b.isTitle) || b.level - a.level || (a.run < b.run ? -1 : a.run > b.run ? 1 : 0),
      );
      for (const { items } of parts) append(out, items);
    };
    put(behind.get(''));
    for (const item of this.skeleton) {
      put(before.get(item));
      out.push(item);
      put(behind.get(item));
    }
    put(before.get(undefined));
    return out;
  }
}

/** The items between anchors, by the anchor before them; '' for those before the first. */
export function runsOf(list: readonly string[], isAnchor: (item: string) => boolean): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let anchor = '';
  for (const item of list) {
    if (isAnchor(item)) anchor = item;
    else addTo(runs, anchor, item);
  }
  return runs;
}

/**
 * A part of a list: a heading with all that is below it, or, with the level `Infinity`, what stands before the first
 * heading.
 */
export type Section<T> = { level: number; start: number; items: readonly T[] };

/**
 * What stands before the first heading, if anything, and the sections, each up to the next heading of its level or
 * above.
 */
export function sectionsOf<T>(list: readonly T[], levelOf: (item: T) => number): Section<T>[] {
  const starts: Array<Omit<Section<T>, 'items'>> = [];
  list.forEach((item, start) => {
    const level = levelOf(item) || Infinity;
    const ends = level < Infinity && level <= (starts.at(-1)?.level ?? Infinity);
    if (start === 0 || ends) starts.push({ level, start });
  });
  return starts.map((each, i) => ({ ...each, items: list.slice(each.start, starts[i + 1]?.start) }));
}
