import { pipelineOf, split } from '../aggregate/pipeline.js';
import { drain } from '../drain.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import { entries, findField, items, T, textOf, type Elem, type Out } from '../bson/index.js';
import { filterOf } from '../query/filter.js';
import type { Plan } from '../query/planner.js';
import { parseSort } from '../query/sort.js';
import type { Command, Reply } from '../wire.js';
import { findQuery, planFind, results, type FindQuery } from './find.js';
import { VERSION } from './handshake.js';

type Tree = { readonly [name: string]: Out };

const keyPattern = (p: Plan): Out => findField(p.access?.index.spec ?? Buffer.alloc(5), 0, Buffer.from('key')) ?? null;

function readStage(p: Plan): Tree {
  const direction = p.reverse ? 'backward' : 'forward';
  if (p.branches !== undefined)
    return { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: p.branches.map(readStage) } };
  if (p.access === undefined) return { stage: 'COLLSCAN', direction };
  const { index, bounded, fields } = p.access;
  const [id] = fields;
  if (index.name === '_id_' && bounded === 1 && id?.intervals?.length === 1 && id.intervals[0]?.point === true)
    return { stage: 'IDHACK' };
  return {
    stage: 'IXSCAN',
    keyPattern: keyPattern(p),
    indexName: index.name,
    isMultiKey: index.multikey.includes(true),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    indexVersion: 2,
    direction,
    indexBounds: Object.fromEntries(
      fields
        .slice(0, index.fields.length)
        .map((f, i) => [f.field.path.text, i < bounded ? `${f.intervals?.length ?? 0} intervals` : '[MinKey, MaxKey]']),
    ),
  };
}

/** The winning plan as nested stages, the way the server names them. */
function winningPlan(p: Plan, q: FindQuery): Tree {
  let tree = readStage(p);
  if (tree['stage'] === 'IXSCAN') tree = { stage: 'FETCH', inputStage: tree };
  if (!p.sorted) {
    const sortPattern = Object.fromEntries(q.sort.map((f) => [f.path.text, f.descending ? -1 : 1]));
    tree = { stage: 'SORT', sortPattern, inputStage: tree };
  }
  if (q.skip > 0) tree = { stage: 'SKIP', skipAmount: q.skip, inputStage: tree };
  if (q.limit !== Infinity) tree = { stage: 'LIMIT', limitAmount: q.limit, inputStage: tree };
  if (q.projection !== undefined) tree = { stage: 'PROJECTION_SIMPLE', inputStage: tree };
  return tree;
}

/** The query part of an explained command. */
function queryOf(inner: Command): FindQuery {
  const plain = { skip: 0, limit: Infinity, sort: [], projection: undefined, hint: inner.fields.get('hint') };
  switch (inner.name) {
    case 'find':
      return findQuery(inner);
    case 'aggregate':
      return split(pipelineOf(inner.fields.get('pipeline'), false), inner.fields.get('hint')).query;
    case 'count':
    case 'distinct':
      return { ...plain, filter: filterOf(inner.fields.get('query'), `${inner.name}.query`) };
    case 'findAndModify':
      return {
        ...plain,
        filter: filterOf(inner.fields.get('query'), 'findAndModify.query'),
        sort: parseSort(inner.fields.get('sort')),
      };
    case 'update':
    case 'delete': {
      const list = inner.fields.get(inner.name === 'update' ? 'updates' : 'deletes');
      const [first] = list === undefined ? [] : items(list);
      return {
        ...plain,
        filter: filterOf(first === undefined ? undefined : findField(first.b, first.s, Buffer.from('q')), 'q'),
      };
    }
    default:
      throw new ServerError(59, `Explain failed due to unknown command: ${inner.name}`);
  }
}

function innerCommand(c: Command): Command {
  const v = c.fields.get('explain');
  if (c.name !== 'explain' || v === undefined) return c;
  const fields = new Map<string, Elem>(entries(v));
  return { name: [...fields.keys()][0] ?? '', db: c.db, fields, sequences: new Map() };
}

/** Explains a command: which plan wins and, above `queryPlanner`, what running it costs. Nothing is written. */
export async function explain(engine: Engine, c: Command, verbosity: string): Promise<Reply> {
  if (!['queryPlanner', 'executionStats', 'allPlansExecution'].includes(verbosity)) {
    throw new ServerError(9, "verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}");
  }
  const inner = innerCommand(c);
  const target = inner.fields.get(inner.name);
  const ns = `${c.db}.${target?.t === T.string ? textOf(target) : ''}`;
  const query = queryOf(inner);
  const collection = engine.catalog.get(ns);
  const plan = collection === undefined ? undefined : planFind(collection, query);
  const winning: Tree = plan === undefined ? { stage: 'EOF' } : winningPlan(plan, query);
  const head = {
    explainVersion: '1',
    queryPlanner: { namespace: ns, parsedQuery: {}, winningPlan: winning, rejectedPlans: [] },
  };
  const serverInfo = { host: '127.0.0.1', port: engine.port(), version: VERSION };
  if (verbosity === 'queryPlanner' || plan === undefined) return { ...head, command: {}, serverInfo };
  return { ...head, executionStats: await stats(engine, plan, query, winning), command: {}, serverInfo };
}

async function stats(engine: Engine, plan: Plan, query: FindQuery, winning: Tree): Promise<Tree> {
  const counters = { keys: 0, docs: 0 };
  const started = performance.now();
  let n = 0;
  await drain(results(engine, plan, query, counters), undefined, () => {
    n += 1;
  });
  return {
    executionSuccess: true,
    nReturned: n,
    executionTimeMillis: Math.round(performance.now() - started),
    totalKeysExamined: counters.keys,
    totalDocsExamined: counters.docs,
    executionStages: winning,
  };
}
