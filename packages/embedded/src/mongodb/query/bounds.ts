import { findField, items, keyOf, orderOf, regexOf, T, textOf, type Elem } from '../bson/index.js';
import type { Pred } from '../filter/node.js';

/** A place between keys: before or after all keys that start with `key`. */
export interface Cut {
  readonly key: Buffer;
  readonly after: boolean;
}

/** Keys from `lo` to `hi`; a point holds one value only. */
export interface Interval {
  readonly lo: Cut;
  readonly hi: Cut;
  readonly point: boolean;
}

/** Where the values of a condition lie in key order. `exact`: every value in the intervals satisfies it. */
export interface Bounds {
  readonly intervals: readonly Interval[];
  readonly exact: boolean;
}

const before = (key: Buffer): Cut => ({ key, after: false });
const after = (key: Buffer): Cut => ({ key, after: true });

/** The bytes of a cut for an ascending or a descending field. */
export function cutBytes(cut: Cut, descending: boolean): Buffer {
  const behind = descending ? !cut.after : cut.after;
  const key = descending ? Buffer.from(cut.key.map((x) => 255 - x)) : cut.key;
  if (!behind) return key;
  if (key.length === 1) return Buffer.from([(key[0] as number) + 1]);
  return Buffer.concat([key, LAST]);
}

const LAST = Buffer.from([0xff]);

export const point = (key: Buffer): Interval => ({ lo: before(key), hi: after(key), point: true });

const bracket = (t: number): Buffer => Buffer.from([orderOf(t)]);

const compareCuts = (a: Cut, b: Cut): number => cutBytes(a, false).compare(cutBytes(b, false));

/** Sorts and merges; points that lie apart stay points. */
export function union(list: readonly Interval[]): Interval[] {
  const sorted = [...list].sort((a, b) => compareCuts(a.lo, b.lo));
  const out: Interval[] = [];
  for (const next of sorted) {
    const last = out.at(-1);
    if (last === undefined || compareCuts(next.lo, last.hi) >= 0) out.push(next);
    else if (compareCuts(next.hi, last.hi) > 0) out[out.length - 1] = { lo: last.lo, hi: next.hi, point: false };
  }
  return out;
}

/** Keys that lie in both lists. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const x of a) {
    for (const y of b) {
      const lo = compareCuts(x.lo, y.lo) >= 0 ? x.lo : y.lo;
      const hi = compareCuts(x.hi, y.hi) <= 0 ? x.hi : y.hi;
      if (compareCuts(lo, hi) < 0) out.push({ lo, hi, point: x.point || y.point });
    }
  }
  return out;
}

/** Where a condition's values lie; undefined when keys say nothing about it. */
export function boundsOf(p: Pred): Bounds | undefined {
  switch (p.op) {
    case '$eq':
      return equalTo(p.operand);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return compared(p.op, p.operand);
    case '$in':
      return memberOf(p.operand);
    case '$regex':
      return startingWith(p.operand);
    default:
      return undefined;
  }
}

function equalTo(v: Elem): Bounds {
  if (v.t === T.null || v.t === T.undefined)
    return { intervals: [point(bracket(T.undefined)), point(bracket(T.null))], exact: false };
  if (v.t !== T.array) return { intervals: [point(keyOf(v))], exact: true };
  // An array is listed by its elements, and as a whole only inside another array.
  const first = findField(v.b, v.s, FIRST);
  const element = first === undefined ? bracket(T.undefined) : keyOf(first);
  return { intervals: union([point(keyOf(v)), point(element)]), exact: false };
}

const FIRST = Buffer.from('0');

function compared(op: string, v: Elem): Bounds | undefined {
  if (v.t === T.array || v.t === T.minKey || v.t === T.maxKey) return undefined;
  const orEqual = op.endsWith('e');
  if (v.t === T.null || v.t === T.undefined) return orEqual ? equalTo(v) : { intervals: [], exact: true };
  const key = keyOf(v);
  if (key[0] === NAN) return { intervals: orEqual ? [point(key)] : [], exact: true };
  const type = bracket(v.t);
  const bound: Cut = { key, after: op === '$gt' || op === '$lte' };
  const interval = op.startsWith('$g')
    ? { lo: bound, hi: after(type), point: false }
    : { lo: before(type), hi: bound, point: false };
  return { intervals: [interval], exact: true };
}

const NAN = 0x0e;

function memberOf(list: Elem): Bounds {
  const parts = items(list).map((v) => (v.t === T.regex ? startingWith(v) : equalTo(v)));
  return { intervals: union(parts.flatMap((p) => p.intervals)), exact: parts.every((p) => p.exact) };
}

/** Text that matches, and the same regular expression stored as a value. */
function startingWith(v: Elem): Bounds {
  const { pattern, flags } = v.t === T.regex ? regexOf(v) : { pattern: textOf(v), flags: '' };
  const text = bracket(T.string);
  const stored: Interval = { lo: before(bracket(T.regex)), hi: after(bracket(T.regex)), point: false };
  const prefix = flags === '' ? literalPrefix(pattern) : '';
  if (prefix === '') return { intervals: [{ lo: before(text), hi: after(text), point: false }, stored], exact: false };
  const lo = Buffer.concat([text, Buffer.from(prefix)]);
  return { intervals: [{ lo: before(lo), hi: after(lo), point: false }, stored], exact: false };
}

/** The literal text an anchored pattern must start with. */
function literalPrefix(pattern: string): string {
  const anchored = /^(?:\^|\\A)((?:[^\\^$.|?*+()[\]{}]|\\[^A-Za-z0-9])*)/.exec(pattern);
  if (anchored === null || pattern.includes('|')) return '';
  const rest = pattern.slice(anchored[0].length);
  const literal = (anchored[1] ?? '').replace(/\\(.)/gs, '$1');
  // A quantifier that allows zero times takes the last character back.
  return /^[?*{]/.test(rest) ? [...literal].slice(0, -1).join('') : literal;
}
