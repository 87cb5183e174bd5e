import { REACH, WINDOW } from './cut/cuts.js';
import { type Item, type Parts } from './part.js';
import { distribute, itemsOf, openSpans, readParts, type Span } from './spans.js';
import { isSame } from './json.js';

/** What shall become of keys of a level, in the order of keys: items in their places, or none. */
export type Changes = ReadonlyMap<string, Item | undefined>;

/** A part that was read, with the changes that fall into it. */
export interface Slot extends EditedItems {
  readonly span: Span;
}

/** Neighbouring parts that are cut anew together, and what stands beside them. */
export interface Stretch {
  readonly slots: readonly Slot[];
  readonly before: Span | undefined;
  readonly after: Span | undefined;
  /** Whether any key comes or goes, and how many items there are up to the first one and behind the last one. */
  readonly rekeyed: boolean;
  readonly sameLeft: number;
  readonly sameRight: number;
}

/** So many unchanged keys beside an anchor make sure that it stays one. */
const ANCHOR_MARGIN = WINDOW + 1;
/** So many make sure that a cut of any kind stays, and that those which do not are found again. */
export const ANY_MARGIN = 2 * REACH;

/**
 * The parts of a level that changes fall into, with as many of their neighbours as it takes for all cuts outside to
 * stay as they are. Where the keys stay the same, so do the cuts. What is wanted at a time is read in one batch.
 */
export async function stretchesOf(parts: Parts, root: Span, level: number, changes: Changes): Promise<Stretch[]> {
  const keys = [...changes.keys()];
  const touched = (among: readonly Span[]): Set<Span> => new Set(distribute(among, keys).map(({ span }) => span));
  let spans: Span[] = [root];
  for (let at = root.level; at > level; at--) {
    const opened = touched(spans);
    spans = await openSpans(parts, spans, (span) => opened.has(span));
  }
  const slots = new Map<Span, Slot>();
  let stretches: Stretch[] = [];
  for (let wanted = touched(spans); wanted.size > 0; wanted = new Set(stretches.flatMap(wantedBeside))) {
    const atLevel = [...wanted].filter((span) => span.level === level);
    const opened = wanted;
    for (const slot of await readSlots(parts, atLevel, changes)) slots.set(slot.span, slot);
    spans = await openSpans(parts, spans, (span) => span.level > level && opened.has(span));
    stretches = runsOf(spans, slots);
  }
  return stretches;
}

async function readSlots(parts: Parts, spans: readonly Span[], changes: Changes): Promise<Slot[]> {
  const read = await readParts(
    parts,
    spans.map(({ name }) => name),
  );
  const keysOf = new Map(distribute(spans, [...changes.keys()]).map(({ span, keys }) => [span, keys]));
  return spans.flatMap((span, at) => {
    const part = read[at];
    if (part === undefined) return [];
    const own = keysOf.get(span)?.map((key) => [key, changes.get(key)] as const) ?? [];
    return [{ span, ...editItems(itemsOf(span, part), own) }];
  });
}

/** Runs of neighbours that were read. */
function runsOf(spans: readonly Span[], slots: ReadonlyMap<Span, Slot>): Stretch[] {
  const runs: Stretch[] = [];
  let run: Slot[] = [];
  for (const [at, span] of spans.entries()) {
    const slot = slots.get(span);
    if (slot === undefined) continue;
    run.push(slot);
    const after = spans[at + 1];
    if (after !== undefined && slots.has(after)) continue;
    runs.push(stretchOf(run, spans[at - run.length], after));
    run = [];
  }
  return runs;
}

function stretchOf(slots: readonly Slot[], before: Span | undefined, after: Span | undefined): Stretch {
  const first = slots.findIndex(({ rekeyed }) => rekeyed);
  const last = slots.findLastIndex(({ rekeyed }) => rekeyed);
  if (first === -1)
    return { slots, before, after, rekeyed: false, sameLeft: itemCount(slots), sameRight: itemCount(slots) };
  const sameLeft = itemCount(slots.slice(0, first)) + (slots[first]?.sameLeft ?? 0);
  const sameRight = itemCount(slots.slice(last + 1)) + (slots[last]?.sameRight ?? 0);
  return { slots, before, after, rekeyed: true, sameLeft, sameRight };
}

const itemCount = (slots: readonly Slot[]): number => slots.reduce((sum, { items }) => sum + items.length, 0);

/** The neighbours that have to be read because the cut beside them is not certain to stay. */
function wantedBeside({ slots, before, after, rekeyed, sameLeft, sameRight }: Stretch): Span[] {
  const first = slots[0]?.span;
  if (!rekeyed || first === undefined) return [];
  const wanted: Span[] = [];
  if (before !== undefined && !isSettled(first, first.level, sameLeft)) wanted.push(before);
  if (after !== undefined && !isSettled(after, first.level, sameRight)) wanted.push(after);
  return wanted;
}

/**
 * Whether a part of a level is certain to begin where this span does, so many items from the next key that comes or
 * goes. An anchor of a level above need not be one of this level.
 */
const isSettled = (span: Span, level: number, margin: number): boolean =>
  margin >= ANY_MARGIN || (margin >= ANCHOR_MARGIN && span.anchor && span.level === level);

/** What shall become of a key: an item in its place, or none. */
type Change = readonly [key: string, item: Item | undefined];

/** The items of a part after changes. */
interface EditedItems {
  readonly items: readonly Item[];
  readonly changed: boolean;
  /** Items before the first key that came or went, and behind the last one; all of them if the keys are the same. */
  readonly sameLeft: number;
  readonly sameRight: number;
  readonly rekeyed: boolean;
}

/** Items with changes made; both are in the order of keys. What is replaced by the same is no change. */
function editItems(old: readonly Item[], changes: readonly Change[]): EditedItems {
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
