import {
  type Bounds,
  isIn,
  type Range,
  rangeOf,
  entriesOf,
  meets,
  openSpans,
  readParts,
  readRoot,
  type Root,
  type Span,
} from './spans.js';
import { isSame, type Json } from './json.js';
import { type Entry, type Parts } from './part.js';

/**
 * What a key meant before and means after; absent where the key was not there. Never are both absent, nor are they
 * equal.
 */
export interface Difference {
  readonly key: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Leaves that are read in one batch. */
const BATCH = 64;

/**
 * What differs between two trees, in the order of keys, within bounds if any are given. Below the roots, parts that
 * both trees have are never read, so the cost grows with what differs. Parts above the leaves are read in one batch a
 * level, leaves in batches as the caller goes on. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function* diff(
  parts: Parts,
  before: string,
  after: string,
  bounds: Bounds = {},
): AsyncGenerator<Difference, void> {
  if (before === after) return;
  const keys = rangeOf(bounds);
  const [old, now] = await Promise.all([readRoot(parts, before), readRoot(parts, after)]);
  const [oldLeaves, newLeaves] = await unsharedLeaves(old, now, keys);
  const left = entriesIn(old?.parts ?? parts, oldLeaves, keys);
  const right = entriesIn(now?.parts ?? parts, newLeaves, keys);
  yield* compared(left, right);
}

/** The leaves of each tree that meet the range and are not in the other one. */
async function unsharedLeaves(old: Root | undefined, now: Root | undefined, keys: Range): Promise<[Span[], Span[]]> {
  let left: Span[] = old ? [old.span] : [];
  let right: Span[] = now ? [now.span] : [];
  const top = Math.max(old?.span.level ?? 0, now?.span.level ?? 0);
  // One level of both trees at a time, so that parts which are shared meet before they are read.
  for (let level = top; level > 0; level--) {
    const atLevel = (span: Span): boolean => span.level === level;
    const [openLeft, openRight] = await Promise.all([
      old ? openSpans(old.parts, left, atLevel) : [],
      now ? openSpans(now.parts, right, atLevel) : [],
    ]);
    left = without(openLeft, openRight, keys);
    right = without(openRight, openLeft, keys);
  }
  return [left, right];
}

function without(spans: readonly Span[], others: readonly Span[], keys: Range): Span[] {
  const shared = new Set(others.map(({ name }) => name));
  return spans.filter((span) => !shared.has(span.name) && meets(span, keys));
}

async function* entriesIn(parts: Parts, leaves: readonly Span[], keys: Range): AsyncGenerator<Entry, void> {
  for (let start = 0; start < leaves.length; start += BATCH) {
    const batch = leaves.slice(start, start + BATCH);
    const read = await readParts(
      parts,
      batch.map(({ name }) => name),
    );
    for (const [at, span] of batch.entries()) {
      const part = read[at];
      if (part !== undefined) yield* entriesOf(span, part).filter(([key]) => isIn(key, keys));
    }
  }
}

async function* compared(
  left: AsyncGenerator<Entry, void>,
  right: AsyncGenerator<Entry, void>,
): AsyncGenerator<Difference, void> {
  let old = await nextOf(left);
  let now = await nextOf(right);
  for (let key = firstOf(old, now); key !== undefined; key = firstOf(old, now)) {
    const before = old?.[0] === key ? old : undefined;
    const after = now?.[0] === key ? now : undefined;
    if (!isSame(before?.[1], after?.[1]))
      yield { key, ...(before && { before: before[1] }), ...(after && { after: after[1] }) };
    if (before) old = await nextOf(left);
    if (after) now = await nextOf(right);
  }
}

async function nextOf(entries: AsyncGenerator<Entry, void>): Promise<Entry | undefined> {
  const { value } = await entries.next();
  return value ?? undefined;
}

const firstOf = (left: Entry | undefined, right: Entry | undefined): string | undefined =>
  left === undefined || (right !== undefined && right[0] < left[0]) ? right?.[0] : left[0];
