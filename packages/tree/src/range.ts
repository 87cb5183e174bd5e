import { type Bounds, isIn, rangeOf, type Range } from './bounds.js';
import { TreeError } from './error.js';
import { type Entry, isLeaf, type Parts } from './part.js';
import { entriesOf, meets, openSpans, readParts, readRoot, type Root, type Span, within } from './spans.js';

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
