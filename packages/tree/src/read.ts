import { type Json } from './json.js';
import { type Entry, type Parts, isLeaf, EMPTY_ROOT, type Part } from './part.js';
import {
  childSpans,
  distribute,
  entriesOf,
  readParts,
  readRoot,
  type Search,
  type Bounds,
  isIn,
  rangeOf,
  type Range,
  meets,
  openSpans,
  type Root,
  type Span,
  within,
} from './spans.js';
import { TreeError } from './error.js';

/** The value of a key, or `undefined`. Reads one part a level. Throws `TreeError` (`part_missing`, `part_invalid`). */
export async function get(parts: Parts, root: string, key: string): Promise<Json | undefined> {
  return (await getMany(parts, root, [key])).get(key);
}

/**
 * The values of those keys that are there, in the order of keys. Reads only parts on the way to them, all of a level in
 * one batch. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function getMany(parts: Parts, root: string, keys: Iterable<string>): Promise<Map<string, Json>> {
  const top = await readRoot(parts, root);
  const wanted = [...new Set(keys)].sort();
  if (top === undefined) return new Map();
  let searches: Search[] = [{ span: top.span, keys: wanted }];
  let read = [top.part];
  for (let level = top.span.level; level > 0; level--) {
    searches = searches.flatMap(({ span, keys: sought }, at) => {
      const part = read[at];
      return part === undefined ? [] : distribute(childSpans(span, part), sought);
    });
    read = await readParts(
      parts,
      searches.map(({ span }) => span.name),
    );
  }
  const found = searches.flatMap(({ span, keys: sought }, at) => {
    const part = read[at];
    return part === undefined ? [] : pick(entriesOf(span, part), sought);
  });
  return new Map(found);
}

function pick(entries: readonly Entry[], keys: readonly string[]): Entry[] {
  const wanted = new Set(keys);
  return entries.filter(([key]) => wanted.has(key));
}

/** Which entries are wanted, how many at most, and from which end. */
export interface RangeOptions extends Bounds {
  /** The most entries that are answered, at least 0; all if absent. Only parts that can hold them are read. */
  readonly limit?: number;
  /** The greatest key first; `limit` then counts from there. */
  readonly reverse?: boolean;
}

/**
 * Entries in the order of their keys. All parts of a level are read in one batch. To go on where a page ended, ask from
 * its last key with `'\0'` behind it, or in reverse up to its last key. Throws `TreeError` (`range_invalid`,
 * `part_missing`, `part_invalid`).
 */
export async function range(parts: Parts, root: string, options: RangeOptions = {}): Promise<Entry[]> {
  const { limit = Infinity, reverse = false } = options;
  if (!(limit >= 0) || (limit !== Infinity && !Number.isInteger(limit)))
    throw new TreeError('range_invalid', `limit must be a whole number from 0 on, not ${limit}`, { option: 'limit' });
  const keys = rangeOf(options);
  const top = limit === 0 ? undefined : await readRoot(parts, root);
  if (top === undefined) return [];
  const leaves = await leafSpans(top, (spans) => enough(spans, keys, limit, reverse));
  const read = await readParts(
    top.parts,
    leaves.map(({ name }) => name),
  );
  const entries = read.flatMap((part, at) => {
    const span = leaves[at];
    return span === undefined ? [] : entriesOf(span, part).filter(([key]) => isIn(key, keys));
  });
  if (reverse) entries.reverse();
  return limit === Infinity ? entries : entries.slice(0, limit);
}

/** The spans of the leaves that `select` leaves over; it is asked at every level. */
async function leafSpans({ span, parts }: Root, select: (spans: Span[]) => Span[]): Promise<Span[]> {
  let spans = select([span]);
  for (let level = span.level; level > 0; level--) spans = select(await openSpans(parts, spans, () => true));
  return spans;
}

/**
 * The spans that meet the range, from its beginning (or end) up to those that have `limit` entries in it for certain.
 */
function enough(spans: readonly Span[], keys: Range, limit: number, reverse: boolean): Span[] {
  const met = spans.filter((span) => meets(span, keys));
  if (reverse) met.reverse();
  let certain = 0;
  const taken = met.filter((span) => {
    if (certain >= limit) return false;
    if (within(span, keys)) certain += span.count;
    return true;
  });
  return reverse ? taken.reverse() : taken;
}

/**
 * How many keys are within the bounds. Reads at most two parts a level, those at the ends of the range, and for the
 * whole map the root alone. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function count(parts: Parts, root: string, bounds: Bounds = {}): Promise<number> {
  const keys = rangeOf(bounds);
  const top = await readRoot(parts, root);
  if (top === undefined) return 0;
  let sum = 0;
  // A span within the range counts as a whole, one outside does not; only those at its ends are opened.
  const atEnds = (spans: readonly Span[]): Span[] =>
    spans.filter((span) => {
      if (!meets(span, keys)) return false;
      if (!within(span, keys)) return true;
      sum += span.count;
      return false;
    });
  let spans = atEnds([top.span]);
  for (let level = top.span.level; level > 0; level--) spans = atEnds(await openSpans(top.parts, spans, () => true));
  const read = await readParts(
    top.parts,
    spans.map(({ name }) => name),
  );
  for (const part of read) if (isLeaf(part)) sum += part.entries.filter(([key]) => isIn(key, keys)).length;
  return sum;
}

/** Parts that are read in one batch. */
const BATCH = 256;

export interface WalkOptions {
  /** Says of which parts all that is below them is known: they are neither named nor read. */
  readonly known?: (name: string) => boolean;
}

/**
 * The names of all parts of a tree, each once, a parent before its children. Reads what is above the leaves, in
 * batches; what the leaves hold is not needed to name them. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function* walk(parts: Parts, root: string, options: WalkOptions = {}): AsyncGenerator<string, void> {
  const { known = () => false } = options;
  if (root === EMPTY_ROOT || known(root)) return;
  yield root;
  const top = await readRoot(parts, root);
  if (top === undefined || isLeaf(top.part)) return;
  let spans = childSpans(top.span, top.part);
  while (spans.length > 0) {
    const batch = spans.slice(0, BATCH).filter(({ name }) => !known(name));
    yield* batch.map(({ name }) => name);
    spans = [...(await childrenOf(parts, batch)), ...spans.slice(BATCH)];
  }
}

async function childrenOf(parts: Parts, spans: readonly Span[]): Promise<Span[]> {
  const inner = spans.filter(({ level }) => level > 0);
  const read = await readParts(
    parts,
    inner.map(({ name }) => name),
  );
  return inner.flatMap((span, at) => {
    const part: Part | undefined = read[at];
    return part === undefined ? [] : childSpans(span, part);
  });
}
