import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { items, truthy } from '../bson/index.js';
import { bool, flag, int32, listOf, object, unsupported } from '../options.js';
import { ordered } from '../query/find.js';
import { hintOf } from '../query/hint.js';
import { matches } from '../filter/match.js';
import { plan, type Plan } from '../query/planner.js';
import { byId } from '../query/scan.js';
import type { Collection } from '../store/model.js';
import { idOf, type Stored } from '../store/records.js';
import { applyUpdate } from '../update/apply.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, documentsOf, timeLimit, type CommandSpec } from './command.js';
import { MAX_WRITE_BATCH } from './handshake.js';
import { deleteStatement, updateStatement, type Selection, type UpdateStatement } from './statements.js';
import {
  ensureCollection,
  prepareInsert,
  runStatements,
  upsertDocument,
  writeReply,
  type Outcome,
  type Run,
  type Steps,
} from './writing.js';

function statementsOf(c: Command, name: string): readonly Buffer[] {
  const list = documentsOf(c, name);
  if (list.length === 0 || list.length > MAX_WRITE_BATCH)
    throw new ServerError(
      16,
      `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH}. Got ${list.length} operations.`,
    );
  return list;
}

const isOrdered = (c: Command): boolean => !c.fields.has('ordered') || truthy(c.fields.get('ordered'));

const runAll = <S>(engine: Engine, c: Command, statements: readonly S[], run: Run<S>): Promise<Outcome> => {
  checkStatementIds(c, statements.length);
  return runStatements(engine, statements, { ordered: isOrdered(c), maxTimeMS: timeLimit(c) }, run);
};

/** The numbers of statements say nothing without a transaction, but have to be as many as there are statements. */
function checkStatementIds(c: Command, count: number): void {
  const ids = c.fields.get('stmtIds');
  if (ids === undefined) return;
  if (c.fields.has('stmtId')) throw new ServerError(72, 'May not specify both stmtId and stmtIds in write command');
  if (items(ids).length !== count)
    throw new ServerError(16, 'Number of statement ids must match the number of batch entries');
}

async function insert(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const outcome = await runAll(engine, c, statementsOf(c, 'documents'), (doc, result) => {
    engine.records.insert(ensureCollection(engine, c.db, name), prepareInsert(engine, doc));
    result.n += 1;
    return undefined;
  });
  return writeReply(outcome, 'insert');
}

/**
 * Does something to each document a statement is about, all of which are found before the first is changed. Of many it
 * does some at a time: one that has changed meanwhile so that the filter no longer holds, or is gone, is left out.
 * @throws 175 when the collection, or an index by which its documents are found, is dropped, renamed or read again
 * meanwhile: what is left cannot be found
 */
function* forEachTarget(
  engine: Engine,
  ns: string,
  { filter, hint, multi, sort }: Selection,
  work: (collection: Collection, stored: Stored) => void,
): Steps {
  const collection = engine.catalog.get(ns);
  if (collection === undefined) return;
  const p = plan(collection, filter, sort, hintOf(collection, hint));
  if (p.idKey !== undefined) {
    const stored = byId(engine.records, p, p.idKey, { keys: 0, docs: 0 });
    if (stored !== undefined) work(collection, stored);
    return;
  }
  const keys: Buffer[] = [];
  for (const stored of ordered(engine, p, sort, multi ? Infinity : 1, { keys: 0, docs: 0 })) {
    if (stored === undefined) yield* pause(engine, p);
    else if (!multi) return work(collection, stored);
    else keys.push(stored.idKey);
  }
  for (const idKey of keys) {
    const doc = engine.records.get(collection, idKey);
    if (doc === undefined || !matches(filter, doc)) continue;
    work(collection, { idKey, doc });
    yield* pause(engine, p);
  }
}

function* pause(engine: Engine, p: Plan): Steps {
  yield;
  const { collection } = p;
  const used = [p, ...(p.branches ?? [])].flatMap(({ access }) => access?.index ?? []);
  if (engine.catalog.get(collection.ns) === collection && used.every((index) => collection.indexes.includes(index)))
    return;
  throw new ServerError(
    175,
    `the collection ${collection.ns} or its index was dropped, renamed or read again while it was written to`,
  );
}

function* updateOne(
  engine: Engine,
  c: Command,
  name: string,
  s: UpdateStatement,
  outcome: Outcome,
  index: number,
): Steps {
  const before = outcome.n;
  yield* forEachTarget(engine, `${c.db}.${name}`, s, (collection, stored) => {
    const doc = applyUpdate(s.update, { doc: stored.doc, filter: s.filter, inserting: false });
    if (doc !== stored.doc) {
      engine.records.replace(collection, stored, doc);
      outcome.nModified += 1;
    }
    outcome.n += 1;
  });
  if (outcome.n > before || !s.upsert) return;
  const doc = upsertDocument(engine, s.filter, s.update);
  engine.records.insert(ensureCollection(engine, c.db, name), doc);
  outcome.upserted.push({ index, _id: idOf(doc) });
  outcome.n += 1;
}

async function update(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const outcome = await runAll(engine, c, statementsOf(c, 'updates'), (doc, result, index) =>
    updateOne(engine, c, name, updateStatement(doc), result, index),
  );
  return writeReply(outcome, 'update');
}

async function remove(engine: Engine, c: Command): Promise<Reply> {
  const ns = `${c.db}.${collectionName(c)}`;
  const outcome = await runAll(engine, c, statementsOf(c, 'deletes'), function* (doc, result): Steps {
    yield* forEachTarget(engine, ns, deleteStatement(doc), (collection, stored) => {
      engine.records.remove(collection, stored);
      result.n += 1;
    });
  });
  return writeReply(outcome, 'delete');
}

const WRITE = {
  ordered: bool,
  // There are no validators that could be passed by.
  bypassDocumentValidation: flag,
  stmtIds: listOf(int32),
};

export const writeCommands: readonly CommandSpec[] = [
  {
    name: 'insert',
    options: { ...WRITE, documents: listOf(object) },
    sequences: ['documents'],
    writes: true,
    run: insert,
  },
  {
    name: 'update',
    options: { ...WRITE, updates: listOf(object), let: unsupported(object) },
    sequences: ['updates'],
    writes: true,
    run: update,
  },
  {
    name: 'delete',
    options: { ...WRITE, deletes: listOf(object), let: unsupported(object) },
    sequences: ['deletes'],
    writes: true,
    run: remove,
  },
];
