import { pipelineOf, runPipeline } from '../aggregate/pipeline.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import { findField, items, keyOf, numberOf, parsePath, T, textOf, visit, type Elem } from '../bson/index.js';
import { filterOf } from '../query/filter.js';
import { countKeys } from '../query/scan.js';
import type { Command, Reply } from '../wire.js';
import { drain } from '../drain.js';
import { collectionName, flag, numberField, objectField, textField, type CommandSpec } from './command.js';
import { explain } from './explain.js';
import { planFind, results, type FindQuery } from './find.js';

async function count(engine: Engine, c: Command): Promise<Reply> {
  const collection = engine.catalog.get(`${c.db}.${collectionName(c)}`);
  const filter = filterOf(objectField(c, 'query'), 'count.query');
  const skip = numberField(c, 'skip') ?? 0;
  const limit = Math.abs(numberField(c, 'limit') ?? 0);
  if (collection === undefined) return { n: 0 };
  const query: FindQuery = {
    filter,
    sort: [],
    skip,
    limit: limit === 0 ? Infinity : limit,
    projection: undefined,
    hint: c.fields.get('hint'),
  };
  const plan = planFind(collection, query);
  if (plan.residual === undefined && !plan.repeats) {
    const all = plan.access === undefined ? collection.count : countKeys(engine.storage, plan);
    return { n: Math.min(Math.max(all - skip, 0), query.limit) };
  }
  let n = 0;
  await drain(results(engine, plan, query, { keys: 0, docs: 0 }), numberField(c, 'maxTimeMS'), () => {
    n += 1;
  });
  return { n };
}

const MAX_DISTINCT_BYTES = 16 * 1024 * 1024;

async function distinct(engine: Engine, c: Command): Promise<Reply> {
  const collection = engine.catalog.get(`${c.db}.${collectionName(c)}`);
  const path = parsePath(textField(c, 'key'));
  const filter = filterOf(objectField(c, 'query'), 'distinct.query');
  if (collection === undefined) return { values: [] };
  const query: FindQuery = {
    filter,
    sort: [],
    skip: 0,
    limit: Infinity,
    projection: undefined,
    hint: c.fields.get('hint'),
  };
  const found = new Map<string, Elem>();
  let bytes = 0;
  const consider = (v: Elem): void => {
    const key = keyOf(v).toString('latin1');
    if (found.has(key)) return;
    found.set(key, v);
    bytes += v.e - v.s;
    if (bytes > MAX_DISTINCT_BYTES) throw new ServerError(17217, 'distinct too big, 16mb cap');
  };
  await drain(
    results(engine, planFind(collection, query), query, { keys: 0, docs: 0 }),
    numberField(c, 'maxTimeMS'),
    (doc) => {
      visit(doc, 0, path, (v) => {
        if (v?.t === T.array) items(v).forEach(consider);
        else if (v !== undefined) consider(v);
        return false;
      });
    },
  );
  const sorted = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return { values: sorted.map(([, v]) => v) };
}

async function aggregate(engine: Engine, c: Command): Promise<Reply> {
  const target = c.fields.get(c.name);
  const name = target?.t === T.string ? textOf(target) : '$cmd.aggregate';
  const ns = `${c.db}.${name}`;
  const stages = pipelineOf(c.fields.get('pipeline'), target?.t !== T.string);
  if (flag(c, 'explain')) return explain(engine, c, 'queryPlanner');
  const cursor = c.fields.get('cursor');
  if (cursor?.t !== T.object)
    throw new ServerError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const size = numberOf(findField(cursor.b, cursor.s, Buffer.from('batchSize'))) ?? 101;
  const documents = runPipeline(engine, engine.catalog.get(ns), stages, c.fields.get('hint'));
  const batch = await engine.cursors.first(ns, documents, { size, maxTimeMS: numberField(c, 'maxTimeMS') });
  return { cursor: { firstBatch: batch.docs, id: batch.id, ns } };
}

function explainCommand(engine: Engine, c: Command): Promise<Reply> {
  const inner = objectField(c, 'explain');
  if (inner === undefined) throw new ServerError(40414, "BSON field 'explain.explain' is missing but a required field");
  const verbosity = c.fields.get('verbosity');
  return explain(engine, c, verbosity === undefined ? 'allPlansExecution' : textOf(verbosity));
}

const AGGREGATE_FIELDS = [
  'pipeline',
  'cursor',
  'hint',
  'allowDiskUse',
  'bypassDocumentValidation',
  'collation',
  'let',
  'explain',
];

export const readCommands: readonly CommandSpec[] = [
  { name: 'count', fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'], run: count },
  { name: 'distinct', fields: ['key', 'query', 'hint', 'collation'], run: distinct },
  { name: 'aggregate', fields: AGGREGATE_FIELDS, run: aggregate },
  { name: 'explain', fields: ['verbosity'], run: explainCommand },
];
