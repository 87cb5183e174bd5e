import { keyOf, parsePath } from '../bson/index.js';
import { idKeyOf, MAX_VALUE_KEY } from '../store/index-keys.js';
import { prefixOf, type Collection, type Index, type IndexField } from '../store/model.js';
import { boundsOf, cutBytes, intersect, type Interval } from './bounds.js';
import type { Node, Pred } from '../filter/node.js';

/** Keys from `start` up to, not including, `end`. */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** What an index can do for a filter. */
export interface IndexAccess {
  readonly index: Index;
  readonly fields: readonly FieldAccess[];
  readonly ranges: readonly Range[];
  /** Conditions that the ranges answer completely. */
  readonly exact: ReadonlySet<Node>;
  /** How many leading fields are bounded. */
  readonly bounded: number;
}

/** One field of an index (the last one is always `_id`) and its intervals, undefined when unbounded. */
export interface FieldAccess {
  readonly field: IndexField;
  readonly multikey: boolean;
  readonly intervals: readonly Interval[] | undefined;
}

const ID_FIELD: IndexField = { path: parsePath('_id'), descending: false };
const MAX_RANGES = 20_000;
const CUT = MAX_VALUE_KEY - 32;

/** The conditions that must all hold. */
export function conjuncts(node: Node): readonly Node[] {
  return node.k === 'and' ? node.nodes.flatMap(conjuncts) : [node];
}

/** Derives ranges of an index from the conditions; `or` is one alternative whose branches are applied one by one. */
export function accessOf(c: Collection, index: Index, nodes: readonly Node[]): IndexAccess {
  const exact = new Set<Node>();
  const fields = fieldsOf(index).map(({ field, multikey }, i, all) => {
    const shared = all
      .slice(0, i)
      .some((o) => (o.multikey || multikey) && o.field.path.parts[0]?.name === field.path.parts[0]?.name);
    return { field, multikey, intervals: shared ? undefined : intervalsOf(field, multikey, nodes, exact) };
  });
  const base = index.name === '_id_' ? c.prefix : prefixOf(index.id);
  const found: Range[] = [];
  const bounded = leading(fields);
  collect(base, fields, 0, bounded, found);
  const used = new Set(fields.slice(0, bounded).map((f) => f.field.path.text));
  for (const node of exact) if (node.k !== 'pred' || !used.has(node.path.text) || index.truncated) exact.delete(node);
  const ranges = found.map((r) => shorten(r, exact));
  return { index, fields, ranges: mergeRanges(ranges), exact, bounded };
}

function fieldsOf(index: Index): { field: IndexField; multikey: boolean }[] {
  const fields = index.fields.map((field, i) => ({ field, multikey: index.multikey[i] === true }));
  return fields.some((f) => f.field.path.text === '_id') ? fields : [...fields, { field: ID_FIELD, multikey: false }];
}

/** Fields up to and including the first one that is not a list of points. */
function leading(fields: readonly FieldAccess[]): number {
  let product = 1;
  for (let i = 0; i < fields.length; i += 1) {
    const intervals = fields[i]?.intervals;
    if (intervals === undefined) return i;
    product *= Math.max(intervals.length, 1);
    if (i > 0 && product > MAX_RANGES) return i;
    if (intervals.some((x) => !x.point)) return i + 1;
  }
  return fields.length;
}

function intervalsOf(
  field: IndexField,
  multikey: boolean,
  nodes: readonly Node[],
  exact: Set<Node>,
): readonly Interval[] | undefined {
  const { path } = field;
  if (path.parts.some((p) => p.index >= 0)) return undefined;
  let intervals: readonly Interval[] | undefined;
  for (const node of byPoints(nodes.filter((n): n is Pred => n.k === 'pred' && n.path.text === path.text))) {
    const bounds = path.text === '_id' ? idBounds(node) : boundsOf(node);
    if (bounds === undefined) continue;
    // Different elements of an array may satisfy different conditions, so bounds of an array field are not combined.
    if (intervals !== undefined && multikey) break;
    intervals = intervals === undefined ? bounds.intervals : intersect(intervals, bounds.intervals);
    if (bounds.exact) exact.add(node);
  }
  return intervals;
}

const byPoints = (preds: Pred[]): Pred[] => preds.sort((a, b) => Number(b.op === '$eq') - Number(a.op === '$eq'));

/** Bounds on `_id`, whose long keys are cut. */
function idBounds(p: Pred): ReturnType<typeof boundsOf> {
  const bounds = boundsOf(p);
  if (bounds === undefined || p.op === '$regex') return bounds;
  const long = bounds.intervals.some((x) => x.lo.key.length > 480 || x.hi.key.length > 480);
  if (!long) return bounds;
  if (p.op !== '$eq') return undefined;
  const key = idKeyOf(p.operand);
  return {
    intervals: [{ lo: { key, after: false }, hi: { key, after: true }, point: true }],
    exact: key.length <= 480 || keyOf(p.operand).length === key.length,
  };
}

function collect(prefix: Buffer, fields: readonly FieldAccess[], at: number, bounded: number, out: Range[]): void {
  const access = fields[at];
  if (at >= bounded || access?.intervals === undefined) {
    out.push({ start: prefix, end: Buffer.concat([prefix, LAST]) });
    return;
  }
  const { descending } = access.field;
  for (const interval of access.intervals) {
    const lo = cutBytes(descending ? interval.hi : interval.lo, descending);
    if (interval.point) collect(Buffer.concat([prefix, lo]), fields, at + 1, bounded, out);
    else
      out.push({
        start: Buffer.concat([prefix, lo]),
        end: Buffer.concat([prefix, cutBytes(descending ? interval.lo : interval.hi, descending)]),
      });
  }
}

const LAST = Buffer.from([0xff]);

/** Keys on disk are cut to a length; longer bounds are widened and no longer exact. */
function shorten(range: Range, exact: Set<Node>): Range {
  if (range.start.length <= CUT && range.end.length <= CUT) return range;
  exact.clear();
  const end = range.end.subarray(0, CUT);
  return { start: range.start.subarray(0, CUT), end: range.end.length > CUT ? Buffer.concat([end, LAST, LAST]) : end };
}

/** Sorts ranges and joins those that touch. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a.start.compare(b.start));
  const out: Range[] = [];
  for (const next of sorted) {
    const last = out.at(-1);
    if (last === undefined || next.start.compare(last.end) > 0) out.push(next);
    else if (next.end.compare(last.end) > 0) out[out.length - 1] = { start: last.start, end: next.end };
  }
  return out;
}
