import { type Block } from '../model/types.js';
import { type MergeConflict } from './conflict.js';
import { childrenIn, type TreeIndex } from './tree-index.js';

/** Items that both sides deleted, and what each of them put in their place. */
export type Replacement = { was: string[]; mine: string[]; other: string[] };

/** The lists that are merged, and which items are nowhere any more (`isGone`) or are in one side alone (`isNew`). */
export type Lists = {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
  isGone: (item: string) => boolean;
  isNew: (item: string) => boolean;
};

/** The stretches of a list of which neither side kept anything, and for which both put something else. */
export function replacedByBoth({ base, ours, theirs, isGone, isNew }: Lists): Replacement[] {
  const [mine, other] = [new Gaps(base, ours, isNew), new Gaps(base, theirs, isNew)];
  return stretches(base, isGone).flatMap(([from, to]): Replacement[] => {
    const found = { was: base.slice(from, to), mine: mine.free(from, to), other: other.free(from, to) };
    if (found.mine.length === 0 || found.other.length === 0) return [];
    mine.take(found.mine);
    other.take(found.other);
    return [found];
  });
}

/** Where the items that are gone stand in a list, each run of them once. */
function stretches(list: readonly string[], isGone: (item: string) => boolean): Array<[from: number, to: number]> {
  const out: Array<[number, number]> = [];
  list.forEach((item, at) => {
    if (!isGone(item)) return;
    const last = out[out.length - 1];
    if (last?.[1] === at) last[1] = at + 1;
    else out.push([at, at + 1]);
  });
  return out;
}

/** What one side has between the neighbours that a stretch of the base has there. */
class Gaps {
  /**
   * For each place of the base, where the gap begins that holds what follows, and where the gap ends that holds what
   * precedes.
   */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly used = new Set<string>();

  constructor(
    base: readonly string[],
    private readonly side: readonly string[],
    private readonly isNew: (item: string) => boolean,
  ) {
    const places = new Map(side.map((item, at) => [item, at]));
    let start = 0;
    for (const item of base) {
      this.starts.push(start);
      start = (places.get(item) ?? start - 1) + 1;
    }
    let end = side.length;
    for (let at = base.length - 1; at >= 0; at--) {
      this.ends[at] = end;
      end = places.get(base[at] ?? '') ?? end;
    }
  }

  /** The new items in the place of a stretch that no stretch before has taken. */
  free(from: number, to: number): string[] {
    const items = this.side.slice(this.starts[from], this.ends[to - 1]);
    return items.filter((item) => this.isNew(item) && !this.used.has(item));
  }

  take(items: readonly string[]): void {
    for (const item of items) this.used.add(item);
  }
}

/**
 * What becomes of blocks that both sides put for the same others: `ours` and `theirs` with other blocks for some of
 * theirs.
 */
export type Settled = {
  ours: ReadonlyMap<Block, readonly Block[]>;
  theirs: ReadonlyMap<Block, readonly Block[]>;
  conflicts: MergeConflict[];
};

/**
 * Where both sides replaced the same blocks by others, those of ours stay, under the lesser key of each two that stand
 * at the same place, so that conflicts do not depend on which side is which. What theirs has more of follows, as
 * deleted by ours.
 */
export function settleReplaced(base: TreeIndex, ours: TreeIndex, theirs: TreeIndex): Settled {
  const settled = {
    ours: new Map<Block, Block[]>(),
    theirs: new Map<Block, Block[]>(),
    conflicts: [] as MergeConflict[],
  };
  const isNew = (index: TreeIndex, other: TreeIndex, key: string): boolean =>
    index.entries.has(key) &&
    !base.entries.has(key) &&
    !other.entries.has(key) &&
    childrenIn(index, key).every((child) => isNew(index, other, child));
  for (const [place, was] of base.children) {
    const found = replacedByBoth({
      base: was,
      ours: ours.children.get(place) ?? [],
      theirs: theirs.children.get(place) ?? [],
      isGone: (key) => !ours.entries.has(key) && !theirs.entries.has(key),
      isNew: (key) => isNew(ours, theirs, key) || isNew(theirs, ours, key),
    });
    for (const each of found) settle(each, [base, ours, theirs], settled);
  }
  return settled;
}

type Changed = { ours: Map<Block, Block[]>; theirs: Map<Block, Block[]>; conflicts: MergeConflict[] };

function settle(found: Replacement, [base, ours, theirs]: [TreeIndex, TreeIndex, TreeIndex], out: Changed): void {
  const blockOf = (index: TreeIndex, key: string | undefined): Block | null =>
    (key === undefined ? undefined : index.entries.get(key)?.block) ?? null;
  const more: Block[] = [];
  let last: Block | undefined;
  for (let at = 0; at < Math.max(found.mine.length, found.other.length); at++) {
    const [mine, other] = [found.mine[at], found.other[at]];
    const [was, a, b] = [blockOf(base, found.was[at]), blockOf(ours, mine), blockOf(theirs, other)];
    const key = [mine, other].filter((each) => each !== undefined).sort()[0] ?? '';
    if (b) out.theirs.set(b, []);
    if (a) out.ours.set((last = a), [{ ...a, key }]);
    else if (b) more.push({ ...b, key });
    out.conflicts.push({ kind: a && b ? 'edit' : 'delete', key, base: a && b ? was : null, ours: a, theirs: b });
  }
  if (last) out.ours.set(last, [...(out.ours.get(last) ?? []), ...more]);
}
