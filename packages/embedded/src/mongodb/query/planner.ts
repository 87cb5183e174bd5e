import { orderOf, T } from '../bson/index.js';
import { CUT_ID_KEY, idKeyOf } from '../store/index-keys.js';
import type { Collection, Index, IndexField } from '../store/model.js';
import { point } from './bounds.js';
import { isComplete } from './completeness.js';
import type { Hint } from './hint.js';
import type { Node, Pred } from '../filter/node.js';
import { accessOf, conjuncts, mergeRanges, type IndexAccess, type Range } from './index-plan.js';
import type { SortField } from './sort.js';

/** How a query is going to read its documents. */
export interface Plan {
  readonly collection: Collection;
  /** The index that is walked; undefined for a scan of the collection. */
  readonly access: IndexAccess | undefined;
  readonly ranges: readonly Range[];
  readonly reverse: boolean;
  /** What must still be asked of each document; undefined when the ranges answer everything. */
  readonly residual: Node | undefined;
  /** Whether documents come in the order asked for. */
  readonly sorted: boolean;
  /** Whether one document can be met twice. */
  readonly repeats: boolean;
  /** Key of the only document that can match, when the filter names its `_id`. */
  readonly idKey?: Buffer;
  /** The plans of the branches of an `$or`, each with an index of its own; `residual` is asked of what they find. */
  readonly branches?: readonly Plan[];
}

const MAX_BRANCHES = 100;

/** Chooses how to read. `hint` names the index (or none) that must be used. */
export function plan(c: Collection, filter: Node, sort: readonly SortField[], hint?: Hint): Plan {
  if (hint !== undefined && hint.index === undefined) return scanAll(c, filter, sort, hint.naturalReverse);
  const nodes = conjuncts(filter);
  const byId = hint === undefined ? idPlan(c, nodes) : undefined;
  if (byId !== undefined) return byId;
  return (
    bestIndex(c, nodes, sort, hint) ??
    (hint === undefined ? unionPlan(c, filter, nodes, sort) : undefined) ??
    scanAll(c, filter, sort, false)
  );
}

function bestIndex(
  c: Collection,
  nodes: readonly Node[],
  sort: readonly SortField[],
  hint: Hint | undefined,
): Plan | undefined {
  const usable = c.indexes.filter(
    (i) => i.ready && !i.hidden && (hint === undefined ? isComplete(i, nodes) : i === hint.index),
  );
  let best: Plan | undefined;
  let bestScore = hint === undefined ? 0 : -1;
  for (const index of usable) {
    const candidate = indexPlan(c, index, nodes, sort);
    const score = scoreOf(candidate, sort.length > 0);
    if (score <= bestScore) continue;
    best = candidate;
    bestScore = score;
  }
  return best;
}

/** The plan of a filter that names one `_id`: nothing else needs to be considered. */
function idPlan(collection: Collection, nodes: readonly Node[]): Plan | undefined {
  const [index] = collection.indexes;
  const named = nodes.find((n): n is Pred => n.k === 'pred' && n.op === '$eq' && n.path.text === '_id');
  if (index === undefined || named === undefined || !SINGLE.has(orderOf(named.operand.t))) return undefined;
  const idKey = idKeyOf(named.operand);
  const start = Buffer.concat([collection.prefix, idKey]);
  const ranges = [{ start, end: Buffer.concat([start, LAST]) }];
  const field = index.fields[0] as IndexField;
  const access: IndexAccess = {
    index,
    fields: [{ field, multikey: false, intervals: [point(idKey)] }],
    ranges,
    exact: EXACT_NOTHING,
    bounded: 1,
  };
  const rest = idKey.length < CUT_ID_KEY ? nodes.filter((n) => n !== named) : nodes;
  return {
    collection,
    access,
    ranges,
    reverse: false,
    residual: rest.length === 0 ? undefined : { k: 'and', nodes: rest },
    sorted: true,
    repeats: false,
    idKey,
  };
}

/** An alternative whose branches all have an index, when no single index serves the whole filter. */
function unionPlan(c: Collection, filter: Node, nodes: readonly Node[], sort: readonly SortField[]): Plan | undefined {
  for (const node of nodes) {
    if (node.k !== 'or' || node.nodes.length > MAX_BRANCHES) continue;
    const found = node.nodes.map((branch) => plan(c, branch, []));
    if (found.some((p) => p.access === undefined && p.branches === undefined)) continue;
    return {
      collection: c,
      access: undefined,
      ranges: [],
      reverse: false,
      residual: nodes.length === 1 ? undefined : filter,
      sorted: sort.length === 0,
      repeats: true,
      branches: found,
    };
  }
  return undefined;
}

const LAST = Buffer.from([0xff]);
const EXACT_NOTHING: ReadonlySet<Node> = new Set();
/** Ranks of types whose equality means one key: not null, undefined, arrays. */
const SINGLE = new Set([T.double, T.string, T.object, T.binary, T.objectId, T.bool, T.date, T.timestamp].map(orderOf));

function scanAll(collection: Collection, filter: Node, sort: readonly SortField[], reverse: boolean): Plan {
  const ranges = [{ start: collection.prefix, end: Buffer.concat([collection.prefix, LAST]) }];
  const residual = filter.k === 'and' && filter.nodes.length === 0 ? undefined : filter;
  return { collection, access: undefined, ranges, reverse, residual, sorted: sort.length === 0, repeats: false };
}

function indexPlan(collection: Collection, index: Index, nodes: readonly Node[], sort: readonly SortField[]): Plan {
  const access = accessOf(collection, index, nodes);
  const direction = index.truncated ? 0 : sortDirection(access, sort);
  const branched = branches(collection, index, nodes, access);
  const rest = nodes.filter((n) => !access.exact.has(n) && (branched === undefined || n !== branched.answered));
  const multikey = access.fields.some((f) => f.multikey);
  return {
    collection,
    access: branched === undefined ? access : { ...access, bounded: branched.bounded },
    ranges: branched?.ranges ?? access.ranges,
    reverse: direction < 0,
    residual: rest.length === 0 ? undefined : { k: 'and', nodes: rest },
    sorted: sort.length === 0 || direction !== 0,
    repeats: multikey && !(branched === undefined && access.fields.every((f) => !f.multikey || isPoint(f.intervals))),
  };
}

const isPoint = (intervals: IndexAccess['fields'][number]['intervals']): boolean =>
  intervals?.length === 1 && intervals[0]?.point === true;

/**
 * Ranges of an alternative, branch by branch: this is what makes keyset paging cheap, because
 * `{ a: 1, $or: [{ b: { $gt: x } }, { b: x, _id: { $gt: y } }] }` becomes one contiguous range behind (1, x, y).
 */
function branches(c: Collection, index: Index, nodes: readonly Node[], base: IndexAccess): Branched | undefined {
  let best: Branched | undefined;
  for (const node of nodes) {
    if (node.k !== 'or' || node.nodes.length > MAX_BRANCHES) continue;
    const others = nodes.filter((n) => n !== node);
    const parts = node.nodes.map((branch) => accessOf(c, index, [...others, ...conjuncts(branch)]));
    const bounded = Math.min(...parts.map((p) => p.bounded));
    if (bounded <= (best?.bounded ?? base.bounded)) continue;
    const complete = parts.every((p, i) => conjuncts(node.nodes[i] as Node).every((n) => p.exact.has(n)));
    best = { ranges: mergeRanges(parts.flatMap((p) => p.ranges)), bounded, answered: complete ? node : undefined };
  }
  return best;
}

interface Branched {
  readonly ranges: Range[];
  readonly bounded: number;
  /** The alternative, when the ranges answer it completely. */
  readonly answered: Node | undefined;
}

/** 1 when walking the index forwards gives the order asked for, -1 backwards, 0 neither. */
function sortDirection(access: IndexAccess, sort: readonly SortField[]): number {
  if (sort.length === 0) return 1;
  let direction = 0;
  let j = 0;
  for (const { field, intervals, multikey } of access.fields) {
    const wanted = sort[j];
    if (wanted === undefined) break;
    if (isPoint(intervals) && field.path.text !== wanted.path.text) continue;
    if (field.path.text !== wanted.path.text || multikey) return 0;
    j += 1;
    // After a unique last field nothing is left to order.
    if (!isPoint(intervals)) {
      const step = field.descending === wanted.descending ? 1 : -1;
      if (direction !== 0 && direction !== step) return 0;
      direction = step;
      if (field.path.text === '_id') return direction;
    }
  }
  return j === sort.length ? direction || 1 : 0;
}

function scoreOf(p: Plan, wantsOrder: boolean): number {
  const { access } = p;
  if (access === undefined) return 0;
  const used = access.fields.slice(0, access.bounded);
  let score = used.reduce(
    (sum, f) => sum + (isPoint(f.intervals) ? 100 : f.intervals?.every((x) => x.point) === true ? 80 : 40),
    0,
  );
  const { index } = access;
  const points = used.filter((f) => isPoint(f.intervals)).length;
  if (index.unique && points >= index.fields.length) score += 1000;
  if (index.name === '_id_' && points > 0) score += 10_000;
  if (wantsOrder && p.sorted) score += 30;
  if (score === 0) return 0;
  return (
    score + (p.residual === undefined ? 5 : 0) + (index.partial === undefined ? 0 : 2) - access.fields.length * 0.1
  );
}
