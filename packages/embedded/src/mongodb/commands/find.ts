import type { BatchLimits } from '../cursors.js';
import type { Engine } from '../engine.js';
import { badValue, ServerError } from '../errors.js';
import { items, textOf, truthy, T, type Elem } from '../bson/index.js';
import { filterOf } from '../query/filter.js';
import type { Node } from '../query/node.js';
import { hintOf } from '../query/hint.js';
import { plan, type Plan } from '../query/planner.js';
import { parseProjection, project, type Projection } from '../query/projection.js';
import { byId, scan, type Counters } from '../query/scan.js';
import { parseSort, sortInMemory, type SortField } from '../query/sort.js';
import type { Collection } from '../store/model.js';
import type { Stored } from '../store/records.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, flag, numberField, objectField, sizeField, textField, type CommandSpec } from './command.js';

const DEFAULT_BATCH = 101;

/** A find as the command describes it. */
export interface FindQuery {
  readonly filter: Node;
  readonly sort: readonly SortField[];
  readonly skip: number;
  /** Infinity when unlimited. */
  readonly limit: number;
  readonly projection: Projection | undefined;
  readonly hint: Elem | undefined;
}

/** Reads the query part of a find command. */
export function findQuery(c: Command): FindQuery {
  const limit = sizeField(c, 'limit') ?? 0;
  for (const name of ['min', 'max', 'returnKey', 'showRecordId', 'let']) {
    const v = c.fields.get(name);
    if (v !== undefined && (v.t === T.object ? items(v).length > 0 : truthy(v)))
      throw new ServerError(238, `find option '${name}' is not supported by this server`);
  }
  return {
    filter: filterOf(objectField(c, 'filter'), 'find.filter'),
    sort: parseSort(c.fields.get('sort')).filter((f) => f.path.text !== '$natural'),
    skip: sizeField(c, 'skip') ?? 0,
    limit: limit === 0 ? Infinity : limit,
    projection: parseProjection(objectField(c, 'projection')),
    hint: c.fields.get('hint') ?? naturalOf(c.fields.get('sort')),
  };
}

/** `{ $natural: -1 }` as a sort means the same as a hint. */
function naturalOf(sort: Elem | undefined): Elem | undefined {
  return sort !== undefined && parseSort(sort)[0]?.path.text === '$natural' ? sort : undefined;
}

export const planFind = (collection: Collection, q: FindQuery): Plan =>
  plan(collection, q.filter, q.sort, hintOf(collection, q.hint, parseSort, textOf));

/** Stored documents of a plan in the order asked for, sorted in memory where the plan does not give the order. */
export function* ordered(
  engine: Engine,
  p: Plan,
  sort: readonly SortField[],
  keep: number,
  counters: Counters,
): Generator<Stored | undefined, void, undefined> {
  const found = scan(engine.storage, engine.records, p, counters, p.sorted ? keep : Infinity);
  if (p.sorted) {
    yield* found;
    return;
  }
  const all: Stored[] = [];
  yield* sortInMemory(found, all, sort, keep, (s) => s.doc);
  yield* all;
}

/** The documents of a find, projected; `undefined` marks a place to pause at. */
export function* results(
  engine: Engine,
  p: Plan,
  q: FindQuery,
  counters: Counters,
): Generator<Buffer | undefined, void, undefined> {
  let skip = q.skip;
  let left = q.limit;
  for (const stored of ordered(engine, p, q.sort, q.skip + q.limit, counters)) {
    if (stored === undefined) yield undefined;
    else if (skip > 0) skip -= 1;
    else {
      yield q.projection === undefined ? stored.doc : project(q.projection, stored.doc);
      left -= 1;
      if (left <= 0) return;
    }
  }
}

/** The answer for a filter that names one `_id`, at once. */
function single(engine: Engine, p: Plan, idKey: Buffer, q: FindQuery): Reply {
  const stored = byId(engine.records, p, idKey, { keys: 0, docs: 0 });
  const doc = stored === undefined || q.projection === undefined ? stored?.doc : project(q.projection, stored.doc);
  return { cursor: { firstBatch: doc === undefined ? [] : [doc], id: 0n, ns: p.collection.ns } };
}

function find(engine: Engine, c: Command): Reply | Promise<Reply> {
  const name = collectionName(c);
  const ns = `${c.db}.${name}`;
  const query = findQuery(c);
  if (flag(c, 'tailable'))
    throw badValue(
      `error processing query: ns=${ns} :: caused by :: tailable cursor requested on non capped collection`,
    );
  if (flag(c, 'awaitData')) throw new ServerError(9, 'Cannot set awaitData without tailable');
  const size = sizeField(c, 'batchSize') ?? DEFAULT_BATCH;
  const limits: BatchLimits = { size, maxTimeMS: numberField(c, 'maxTimeMS'), single: flag(c, 'singleBatch') };
  const collection = engine.catalog.get(ns);
  if (collection === undefined) return { cursor: { firstBatch: [], id: 0n, ns } };
  const p = planFind(collection, query);
  if (p.idKey !== undefined && query.skip === 0) return single(engine, p, p.idKey, query);
  const documents = results(engine, p, query, { keys: 0, docs: 0 });
  return engine.cursors
    .first(ns, documents, limits, flag(c, 'noCursorTimeout'))
    .then(({ id, docs }) => ({ cursor: { firstBatch: docs, id, ns } }));
}

async function getMore(engine: Engine, c: Command): Promise<Reply> {
  const v = c.fields.get('getMore');
  if (v?.t !== T.int64)
    throw new ServerError(14, `BSON field 'getMore.getMore' is the wrong type, expected type 'long'`);
  const ns = `${c.db}.${textField(c, 'collection')}`;
  const size = sizeField(c, 'batchSize') ?? Infinity;
  const { id, docs } = await engine.cursors.next(v.b.readBigInt64LE(v.s), ns, { size: size === 0 ? Infinity : size });
  return { cursor: { nextBatch: docs, id, ns } };
}

function killCursors(engine: Engine, c: Command): Reply {
  const ns = `${c.db}.${collectionName(c)}`;
  const list = c.fields.get('cursors');
  if (list?.t !== T.array)
    throw new ServerError(40414, `BSON field 'killCursors.cursors' is missing but a required field`);
  const cursorsKilled: bigint[] = [];
  const cursorsNotFound: bigint[] = [];
  for (const v of items(list)) {
    if (v.t !== T.int64)
      throw new ServerError(14, `BSON field 'killCursors.cursors' is the wrong type, expected type 'long'`);
    const id = v.b.readBigInt64LE(v.s);
    (engine.cursors.kill(id, ns) ? cursorsKilled : cursorsNotFound).push(id);
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

const FIND_FIELDS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'noCursorTimeout',
  'tailable',
  'awaitData',
  'allowPartialResults',
  'allowDiskUse',
  'collation',
  'let',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'oplogReplay',
];

export const findCommands: readonly CommandSpec[] = [
  { name: 'find', fields: FIND_FIELDS, run: find },
  { name: 'getMore', fields: ['collection', 'batchSize'], run: getMore },
  { name: 'killCursors', fields: ['cursors'], run: killCursors },
];
