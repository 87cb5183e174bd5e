import { pipelineOf, split } from '../aggregate/pipeline.js';
import { drain } from '../drain.js';
import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { findField, T, textOf, type Out } from '../bson/index.js';
import { planFind, results, type FindQuery } from '../query/find.js';
import type { Plan } from '../query/planner.js';
import { parseFieldSort } from '../query/sort.js';
import type { Command, Reply } from '../wire.js';
import { documentsOf, timeLimit } from './command.js';
import { VERSION } from './handshake.js';
import { countQuery, findQuery, plainQuery } from './queries.js';
import { deleteStatement, updateStatement, type Selection } from './statements.js';

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
function queryOf(c: Command): FindQuery {
  switch (c.name) {
    case 'find':
      return findQuery(c);
    case 'aggregate':
      return split(pipelineOf(c.fields.get('pipeline'), false), c.fields.get('hint')).query;
    case 'count':
      return countQuery(c);
    case 'distinct':
      return plainQuery(c);
    case 'findAndModify':
    case 'findandmodify':
      return { ...plainQuery(c), sort: parseFieldSort(c.fields.get('sort')), limit: 1 };
    case 'update':
      return selected(updateStatement(onlyStatement(c, 'updates')));
    case 'delete':
      return selected(deleteStatement(onlyStatement(c, 'deletes')));
    default:
      throw new ServerError(20, `Cannot explain cmd: ${c.name}`);
  }
}

function onlyStatement(c: Command, name: string): Buffer {
  const [statement, ...more] = documentsOf(c, name);
  if (statement === undefined || more.length > 0)
    throw new ServerError(16, 'explained write batches must be of size 1');
  return statement;
}

const selected = ({ filter, hint, multi, sort }: Selection): FindQuery => ({
  filter,
  sort,
  skip: 0,
  limit: multi ? Infinity : 1,
  projection: undefined,
  hint,
});

/** Explains a command: which plan wins and, above `queryPlanner`, what running it costs. Nothing is written. */
export async function explain(engine: Engine, c: Command, verbosity: string): Promise<Reply> {
  if (!['queryPlanner', 'executionStats', 'allPlansExecution'].includes(verbosity)) {
    throw new ServerError(9, "verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}");
  }
  const target = c.fields.get(c.name);
  const ns = `${c.db}.${target?.t === T.string ? textOf(target) : ''}`;
  const query = queryOf(c);
  const collection = engine.catalog.get(ns);
  const plan = collection === undefined ? undefined : planFind(collection, query);
  const winning: Tree = plan === undefined ? { stage: 'EOF' } : winningPlan(plan, query);
  const head = {
    explainVersion: '1',
    queryPlanner: { namespace: ns, parsedQuery: {}, winningPlan: winning, rejectedPlans: [] },
  };
  const serverInfo = { host: '127.0.0.1', port: engine.port(), version: VERSION };
  if (verbosity === 'queryPlanner' || plan === undefined) return { ...head, command: {}, serverInfo };
  return { ...head, executionStats: await stats(engine, c, { plan, query, winning }), command: {}, serverInfo };
}

interface Explained {
  readonly plan: Plan;
  readonly query: FindQuery;
  readonly winning: Tree;
}

async function stats(engine: Engine, c: Command, { plan, query, winning }: Explained): Promise<Tree> {
  const counters = { keys: 0, docs: 0 };
  const started = performance.now();
  let n = 0;
  await drain(results(engine, plan, query, counters), timeLimit(c), () => {
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
