import { ServerError } from '../bson/errors.js';
import { entries, inspect, items, numberOf, T, type Elem } from '../bson/index.js';
import { parseFilter } from '../filter/parse.js';
import type { Node } from '../filter/node.js';
import { planFind, results, type FindQuery, type Source } from '../query/find.js';
import { matches } from '../filter/match.js';
import { parseFieldSort, sortInMemory, type SortField } from '../query/sort.js';
import type { Collection } from '../store/model.js';
import { countStage } from './count.js';
import { groupStage, type Stage } from './group.js';
import { projectStage } from './project.js';
import { unwindStage } from './unwind.js';

/** A parsed stage. The first four kinds can become part of the query plan. */
export type ParsedStage =
  | { readonly k: 'match'; readonly filter: Node }
  | { readonly k: 'sort'; readonly sort: readonly SortField[] }
  | { readonly k: 'skip' | 'limit'; readonly n: number }
  | { readonly k: 'other'; readonly run: Stage };

/** Parses a pipeline. Throws 40324 for stages this server does not have. */
export function pipelineOf(v: Elem | undefined, collectionless: boolean): ParsedStage[] {
  if (v?.t !== T.array) throw new ServerError(14, "'pipeline' option must be specified as an array");
  const stages = items(v).map(stageOf);
  if (collectionless)
    throw new ServerError(
      73,
      '{aggregate: 1} is not valid for an empty pipeline or a pipeline that needs a collection.',
    );
  return stages;
}

function stageOf(v: Elem): ParsedStage {
  if (v.t !== T.object) throw new ServerError(14, "Each element of the 'pipeline' array must be an object");
  const all = entries(v);
  const [first] = all;
  if (first === undefined || all.length > 1)
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const [name, spec] = first;
  switch (name) {
    case '$match':
      if (spec.t !== T.object) throw new ServerError(15959, 'the match filter must be an expression in an object');
      return { k: 'match', filter: parseFilter(spec) };
    case '$sort':
      return { k: 'sort', sort: sortOf(spec) };
    case '$skip':
    case '$limit':
      return { k: name.slice(1) as 'skip' | 'limit', n: amount(name, spec) };
    case '$group':
      return { k: 'other', run: groupStage(spec) };
    case '$project':
      return { k: 'other', run: projectStage(spec) };
    case '$unwind':
      return { k: 'other', run: unwindStage(spec) };
    case '$count':
      return { k: 'other', run: countStage(spec) };
    case '$changeStream':
      throw new ServerError(40573, 'The $changeStream stage is only supported on replica sets');
    default:
      throw new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

function sortOf(v: Elem): SortField[] {
  if (v.t !== T.object) throw new ServerError(15973, 'the $sort key specification must be an object');
  const sort = parseFieldSort(v);
  if (sort.length === 0) throw new ServerError(15976, '$sort stage must have at least one sort key');
  return sort;
}

function amount(name: string, v: Elem): number {
  const n = numberOf(v);
  const code = name === '$skip' ? 5107200 : 5107201;
  if (n === undefined)
    throw new ServerError(code, `invalid argument to ${name} stage: Expected a number in: ${name}: ${inspect(v)}`);
  if (!Number.isInteger(n))
    throw new ServerError(code, `invalid argument to ${name} stage: Expected an integer: ${name}: ${inspect(v)}`);
  if (n < 0)
    throw new ServerError(
      code,
      `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${inspect(v)}`,
    );
  if (n === 0 && name === '$limit') throw new ServerError(15958, 'the limit must be positive');
  return n;
}

/** The part of a pipeline that the query plan takes over, and the stages that remain. */
export function split(
  stages: readonly ParsedStage[],
  hint: Elem | undefined,
): { query: FindQuery; rest: readonly ParsedStage[] } {
  const left = [...stages];
  const filters: Node[] = [];
  while (left[0]?.k === 'match') {
    filters.push(left[0].filter);
    left.shift();
  }
  const sort = left[0]?.k === 'sort' ? left[0].sort : undefined;
  if (sort !== undefined) left.shift();
  const skip = takeAmount(left, 'skip');
  const limit = takeAmount(left, 'limit');
  const filter: Node = filters.length === 1 ? (filters[0] as Node) : { k: 'and', nodes: filters };
  return {
    query: { filter, sort: sort ?? [], skip: skip ?? 0, limit: limit ?? Infinity, projection: undefined, hint },
    rest: left,
  };
}

function takeAmount(left: ParsedStage[], kind: 'skip' | 'limit'): number | undefined {
  const [first] = left;
  if (first?.k !== kind) return undefined;
  left.shift();
  return first.n;
}

/** The documents a pipeline yields. */
export function runPipeline(
  source: Source,
  collection: Collection | undefined,
  stages: readonly ParsedStage[],
  hint: Elem | undefined,
): Iterator<Buffer | undefined, void, undefined> {
  const { query, rest } = split(stages, hint);
  const start: Iterable<Buffer | undefined> =
    collection === undefined ? [] : results(source, planFind(collection, query), query, { keys: 0, docs: 0 });
  const all = rest.reduce<Iterable<Buffer | undefined>>((docs, stage) => runStage(docs, stage), start);
  return all[Symbol.iterator]() as Iterator<Buffer | undefined, void, undefined>;
}

function* runStage(
  docs: Iterable<Buffer | undefined>,
  stage: ParsedStage,
): Generator<Buffer | undefined, void, undefined> {
  switch (stage.k) {
    case 'match':
      for (const doc of docs) if (doc === undefined || matches(stage.filter, doc)) yield doc;
      return;
    case 'sort': {
      const out: Buffer[] = [];
      yield* sortInMemory(docs, out, stage.sort, Infinity, (doc) => doc);
      yield* out;
      return;
    }
    case 'skip':
    case 'limit':
      yield* cut(docs, stage.k, stage.n);
      return;
    case 'other':
      yield* stage.run(docs);
  }
}

function* cut(
  docs: Iterable<Buffer | undefined>,
  kind: 'skip' | 'limit',
  n: number,
): Generator<Buffer | undefined, void, undefined> {
  let seen = 0;
  for (const doc of docs) {
    if (doc === undefined) {
      yield undefined;
      continue;
    }
    seen += 1;
    if (kind === 'skip' ? seen > n : seen <= n) yield doc;
    if (kind === 'limit' && seen >= n) return;
  }
}
