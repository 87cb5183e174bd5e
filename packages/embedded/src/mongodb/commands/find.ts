import type { Engine } from '../engine.js';
import { badValue, failedToParse } from '../bson/errors.js';
import { items, type Elem } from '../bson/index.js';
import {
  bool,
  collation,
  hint,
  int64,
  listOf,
  maxTimeMS,
  missingOption,
  object,
  size,
  text,
  unsupported,
} from '../options.js';
import { planFind, results, type FindQuery } from '../query/find.js';
import { byId } from '../query/scan.js';
import { project } from '../query/projection.js';
import type { Plan } from '../query/planner.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, isSet, numberField, textField, timeLimit, type CommandSpec } from './command.js';
import { sessionKey } from './generic.js';
import { findQuery } from './queries.js';

const DEFAULT_BATCH = 101;

/** The answer for a filter that names one `_id`, at once. */
function single(engine: Engine, p: Plan, idKey: Buffer, q: FindQuery): Reply {
  const stored = byId(engine.records, p, idKey, { keys: 0, docs: 0 });
  const doc = stored === undefined || q.projection === undefined ? stored?.doc : project(q.projection, stored.doc);
  return { cursor: { firstBatch: doc === undefined ? [] : [doc], id: 0n, ns: p.collection.ns } };
}

function refuseTailable(c: Command, ns: string): void {
  if (isSet(c, 'tailable'))
    throw badValue(
      `error processing query: ns=${ns} :: caused by :: tailable cursor requested on non capped collection`,
    );
  if (isSet(c, 'awaitData')) throw failedToParse('Cannot set awaitData without tailable');
}

/** The session a command was sent in. */
export function sessionOf(c: Command): string | undefined {
  const v = c.fields.get('lsid');
  return v === undefined ? undefined : sessionKey(v);
}

function find(engine: Engine, c: Command): Reply | Promise<Reply> {
  const ns = `${c.db}.${collectionName(c)}`;
  const query = findQuery(c);
  refuseTailable(c, ns);
  const batchSize = numberField(c, 'batchSize') ?? DEFAULT_BATCH;
  const collection = engine.catalog.get(ns);
  if (collection === undefined) return { cursor: { firstBatch: [], id: 0n, ns } };
  const p = planFind(collection, query);
  if (p.idKey !== undefined && query.skip === 0 && batchSize > 0) return single(engine, p, p.idKey, query);
  return engine.cursors
    .first(ns, results(engine, p, query, { keys: 0, docs: 0 }), {
      size: batchSize,
      maxTimeMS: timeLimit(c),
      single: isSet(c, 'singleBatch'),
      noTimeout: isSet(c, 'noCursorTimeout'),
      session: sessionOf(c),
    })
    .then(({ id, docs }) => ({ cursor: { firstBatch: docs, id, ns } }));
}

async function getMore(engine: Engine, c: Command): Promise<Reply> {
  const v = c.fields.get('getMore') as Elem;
  const ns = `${c.db}.${textField(c, 'collection')}`;
  const batchSize = numberField(c, 'batchSize') ?? 0;
  if (c.fields.has('maxTimeMS')) throw badValue('cannot set maxTimeMS on getMore command for a non-awaitData cursor');
  const id = v.b.readBigInt64LE(v.s);
  const batch = await engine.cursors.next(id, ns, batchSize === 0 ? Infinity : batchSize, sessionOf(c));
  return { cursor: { nextBatch: batch.docs, id: batch.id, ns } };
}

function killCursors(engine: Engine, c: Command): Reply {
  const ns = `${c.db}.${collectionName(c)}`;
  const list = c.fields.get('cursors');
  if (list === undefined) throw missingOption(c.name, 'cursors');
  const cursorsKilled: bigint[] = [];
  const cursorsNotFound: bigint[] = [];
  for (const v of items(list)) {
    const id = v.b.readBigInt64LE(v.s);
    (engine.cursors.kill(id, ns) ? cursorsKilled : cursorsNotFound).push(id);
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

const FIND = {
  filter: object,
  sort: object,
  projection: object,
  hint,
  skip: size,
  limit: size,
  batchSize: size,
  singleBatch: bool,
  noCursorTimeout: bool,
  tailable: bool,
  awaitData: bool,
  // There are no parts that could be missing.
  allowPartialResults: bool,
  // What is sorted is held in memory; above the limit of that the command is refused, whatever this says.
  allowDiskUse: bool,
  collation,
  let: unsupported(object),
  min: unsupported(object),
  max: unsupported(object),
  returnKey: unsupported(bool),
  showRecordId: unsupported(bool),
  // Without effect on the real server, too.
  oplogReplay: bool,
};

export const findCommands: readonly CommandSpec[] = [
  { name: 'find', options: FIND, reads: true, run: find },
  {
    name: 'getMore',
    value: int64,
    options: { collection: text, batchSize: size, maxTimeMS },
    run: getMore,
  },
  { name: 'killCursors', options: { cursors: listOf(int64) }, run: killCursors },
];
