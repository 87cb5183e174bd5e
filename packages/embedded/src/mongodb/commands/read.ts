import { pipelineOf, runPipeline } from '../aggregate/pipeline.js';
import { drain } from '../drain.js';
import type { Engine } from '../engine.js';
import { badValue, failedToParse, ServerError } from '../bson/errors.js';
import { isNumber, items, keyOf, numberOf, parsePath, T, textOf, visit, type Elem } from '../bson/index.js';
import {
  array,
  bool,
  both,
  collation,
  cursor,
  flag,
  hint,
  object,
  size,
  text,
  unsupported,
  type Rule,
} from '../options.js';
import { planFind, results } from '../query/find.js';
import { countKeys } from '../query/scan.js';
import type { Command, Reply } from '../wire.js';
import { batchSizeOf, checkName, collectionName, isSet, textField, timeLimit, type CommandSpec } from './command.js';
import { explain } from './explain.js';
import { sessionOf } from './find.js';
import { countQuery, plainQuery } from './queries.js';

async function count(engine: Engine, c: Command): Promise<Reply> {
  const collection = engine.catalog.get(`${c.db}.${collectionName(c)}`);
  const query = countQuery(c);
  if (collection === undefined) return { n: 0 };
  const plan = planFind(collection, query);
  if (plan.residual === undefined && !plan.repeats) {
    const all = plan.access === undefined ? collection.count : countKeys(engine.storage, plan);
    return { n: Math.min(Math.max(all - query.skip, 0), query.limit) };
  }
  let n = 0;
  await drain(results(engine, plan, query, { keys: 0, docs: 0 }), timeLimit(c), () => {
    n += 1;
  });
  return { n };
}

const MAX_DISTINCT_BYTES = 16 * 1024 * 1024;

async function distinct(engine: Engine, c: Command): Promise<Reply> {
  const collection = engine.catalog.get(`${c.db}.${collectionName(c)}`);
  const path = parsePath(textField(c, 'key'));
  const query = plainQuery(c);
  if (collection === undefined) return { values: [] };
  const found = new Map<string, Elem>();
  let bytes = 0;
  const consider = (v: Elem): void => {
    const key = keyOf(v).toString('latin1');
    if (found.has(key)) return;
    found.set(key, v);
    bytes += v.e - v.s;
    if (bytes > MAX_DISTINCT_BYTES) throw new ServerError(17217, 'distinct too big, 16mb cap');
  };
  await drain(results(engine, planFind(collection, query), query, { keys: 0, docs: 0 }), timeLimit(c), (doc) => {
    visit(doc, 0, path, (v) => {
      if (v?.t === T.array) items(v).forEach(consider);
      else if (v !== undefined) consider(v);
      return false;
    });
  });
  const sorted = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return { values: sorted.map(([, v]) => v) };
}

const DEFAULT_BATCH = 101;

async function aggregate(engine: Engine, c: Command): Promise<Reply> {
  const target = c.fields.get(c.name);
  const name = target?.t === T.string ? textOf(target) : '$cmd.aggregate';
  const ns = `${c.db}.${name}`;
  if (target?.t === T.string) checkName(c.db, name);
  const stages = pipelineOf(c.fields.get('pipeline'), target?.t !== T.string);
  if (isSet(c, 'explain')) return explain(engine, c, 'queryPlanner');
  if (!c.fields.has('cursor'))
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const documents = runPipeline(engine, engine.catalog.get(ns), stages, c.fields.get('hint'));
  const batch = await engine.cursors.first(ns, documents, {
    size: batchSizeOf(c) ?? DEFAULT_BATCH,
    maxTimeMS: timeLimit(c),
    session: sessionOf(c),
  });
  return { cursor: { firstBatch: batch.docs, id: batch.id, ns } };
}

/** A collection, or 1 for a pipeline that needs none. */
const aggregateTarget: Rule = (v) => {
  if (v.t !== T.string && numberOf(v) !== 1)
    throw failedToParse("Invalid command format: the 'aggregate' field must specify a collection name or 1");
};

const AGGREGATE = {
  pipeline: array,
  cursor,
  hint,
  // What is sorted or grouped is held in memory; above the limit of that the command is refused, whatever this says.
  allowDiskUse: bool,
  // There are no validators that could be passed by, nor stages that write.
  bypassDocumentValidation: flag,
  collation,
  let: unsupported(object),
  explain: bool,
};

const countLimit: Rule = (v, _struct, name) => {
  if (!isNumber(v.t)) throw badValue(`${name} value is not a valid number`);
};

const COUNT = {
  query: object,
  limit: countLimit,
  skip: both(countLimit, size),
  hint,
  collation,
  // Without effect on the real server, too.
  fields: object,
};

export const readCommands: readonly CommandSpec[] = [
  { name: 'count', options: COUNT, reads: true, run: count },
  { name: 'distinct', options: { key: text, query: object, hint, collation }, reads: true, run: distinct },
  { name: 'aggregate', value: aggregateTarget, options: AGGREGATE, reads: true, run: aggregate },
];
