import type { Engine } from '../engine.js';
import { failedToParse, ServerError } from '../errors.js';
import { docElem, entries, items, numberOf, textOf, truthy, type Elem } from '../bson/index.js';
import type { Node } from '../query/node.js';
import { matches } from '../query/match.js';
import { hintOf } from '../query/hint.js';
import { plan, type Plan } from '../query/planner.js';
import { byId, scan } from '../query/scan.js';
import { parseSort } from '../query/sort.js';
import type { Collection } from '../store/model.js';
import { idOf, type Stored } from '../store/records.js';
import { applyUpdate } from '../update/apply.js';
import { parseUpdate, type Update } from '../update/spec.js';
import type { Command, Reply } from '../wire.js';
import { checkCollation, collectionName, documentsOf, type CommandSpec } from './command.js';
import { MAX_WRITE_BATCH } from './handshake.js';
import {
  ensureCollection,
  prepareInsert,
  runStatements,
  statementFilter,
  upsertDocument,
  writeReply,
  type Outcome,
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

async function insert(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const outcome = await runStatements(engine, statementsOf(c, 'documents'), isOrdered(c), (doc, result) => {
    engine.records.insert(ensureCollection(engine, c.db, name), prepareInsert(engine, doc));
    result.n += 1;
    return undefined;
  });
  return writeReply(outcome, 'insert');
}

/** One statement of an update command. */
interface UpdateStatement {
  readonly filter: Node;
  readonly update: Update;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly hint: Elem | undefined;
}

const UPDATE_FIELDS = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'c', 'sort'];

function updateStatement(doc: Buffer): UpdateStatement {
  const f = fieldsOf(doc, 'update.updates', UPDATE_FIELDS);
  const u = f.get('u');
  if (u === undefined) throw new ServerError(40414, "BSON field 'update.updates.u' is missing but a required field");
  const filters = f.get('arrayFilters');
  const update = parseUpdate(u, filters === undefined ? [] : items(filters));
  const multi = truthy(f.get('multi'));
  if (multi && update.k === 'replace')
    throw failedToParse('multi update is not supported for replacement-style update');
  return {
    filter: statementFilter(f.get('q'), 'update.updates.q'),
    update,
    multi,
    upsert: truthy(f.get('upsert')),
    hint: f.get('hint'),
  };
}

function fieldsOf(doc: Buffer, where: string, known: readonly string[]): Map<string, Elem> {
  const fields = new Map(entries(docElem(doc)));
  for (const name of fields.keys())
    if (!known.includes(name)) throw new ServerError(40415, `BSON field '${where}.${name}' is an unknown field.`);
  checkCollation(fields.get('collation'));
  return fields;
}

/** What a statement is about. */
interface Target {
  readonly ns: string;
  readonly filter: Node;
  readonly hint: Elem | undefined;
  readonly multi: boolean;
}

/**
 * Does something to each document a statement is about, all of which are found before the first is changed. Of many it does
 * some at a time: one that has changed meanwhile so that the filter no longer holds, or is gone, is left out.
 * @throws 175 when the collection, or an index by which its documents are found, is dropped, renamed or read again meanwhile: what is left cannot be found
 */
function* forEachTarget(
  engine: Engine,
  { ns, filter, hint, multi }: Target,
  work: (collection: Collection, stored: Stored) => void,
): Steps {
  const collection = engine.catalog.get(ns);
  if (collection === undefined) return;
  const p = plan(collection, filter, [], hintOf(collection, hint, parseSort, textOf));
  if (p.idKey !== undefined) {
    const stored = byId(engine.records, p, p.idKey, { keys: 0, docs: 0 });
    if (stored !== undefined) work(collection, stored);
    return;
  }
  const keys: Buffer[] = [];
  for (const stored of scan(engine.storage, engine.records, p, { keys: 0, docs: 0 })) {
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
  yield* forEachTarget(engine, { ...s, ns: `${c.db}.${name}` }, (collection, stored) => {
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
  const outcome = await runStatements(engine, statementsOf(c, 'updates'), isOrdered(c), (doc, result, index) =>
    updateOne(engine, c, name, updateStatement(doc), result, index),
  );
  return writeReply(outcome, 'update');
}

async function remove(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const outcome = await runStatements(engine, statementsOf(c, 'deletes'), isOrdered(c), function* (doc, result): Steps {
    const f = fieldsOf(doc, 'delete.deletes', ['q', 'limit', 'hint', 'collation']);
    const limit = numberOf(f.get('limit'));
    if (limit !== 0 && limit !== 1)
      throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit ?? 'nothing'}`);
    const filter = statementFilter(f.get('q'), 'delete.deletes.q');
    yield* forEachTarget(
      engine,
      { ns: `${c.db}.${name}`, filter, hint: f.get('hint'), multi: limit === 0 },
      (collection, stored) => {
        engine.records.remove(collection, stored);
        result.n += 1;
      },
    );
  });
  return writeReply(outcome, 'delete');
}

const WRITE_FIELDS = ['ordered', 'bypassDocumentValidation', 'let', 'maxTimeMS', 'stmtIds'];

export const writeCommands: readonly CommandSpec[] = [
  { name: 'insert', fields: [...WRITE_FIELDS, 'documents'], run: insert },
  { name: 'update', fields: [...WRITE_FIELDS, 'updates'], run: update },
  { name: 'delete', fields: [...WRITE_FIELDS, 'deletes'], run: remove },
];
