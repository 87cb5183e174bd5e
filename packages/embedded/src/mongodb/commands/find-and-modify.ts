import { Slices } from '../drain.js';
import type { Engine } from '../engine.js';
import { failedToParse } from '../bson/errors.js';
import { items, type Elem, type Out } from '../bson/index.js';
import { anything, collation, flag, hint, listOf, object, unsupported } from '../options.js';
import { filterOf } from '../filter/parse.js';
import { ordered } from '../query/find.js';
import type { Node } from '../filter/node.js';
import { hintOf } from '../query/hint.js';
import { plan } from '../query/planner.js';
import { parseProjection, project, type Projection } from '../query/projection.js';
import { parseFieldSort, type SortField } from '../query/sort.js';
import type { Collection } from '../store/model.js';
import { idOf, type Stored } from '../store/records.js';
import { applyUpdate } from '../update/apply.js';
import { parseUpdate, type Update } from '../update/spec.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, isSet, timeLimit, type CommandSpec } from './command.js';
import { ensureCollection, upsertDocument } from './writing.js';

interface Request {
  readonly filter: Node;
  readonly sort: readonly SortField[];
  readonly projection: Projection | undefined;
  readonly hint: Elem | undefined;
  readonly update: Update | undefined;
  readonly after: boolean;
  readonly upsert: boolean;
  readonly maxTimeMS: number | undefined;
}

function read(c: Command): Request {
  const remove = isSet(c, 'remove');
  const u = c.fields.get('update');
  const filters = c.fields.get('arrayFilters');
  if (remove && u !== undefined) throw failedToParse('Cannot specify both an update and remove=true');
  if (remove && isSet(c, 'upsert')) throw failedToParse('Cannot specify both upsert=true and remove=true');
  if (remove && isSet(c, 'new'))
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (remove && filters !== undefined) throw failedToParse('Cannot specify arrayFilters and remove=true');
  if (!remove && u === undefined) throw failedToParse('Either an update or remove=true must be specified');
  return {
    filter: filterOf(c.fields.get('query')),
    sort: parseFieldSort(c.fields.get('sort')),
    projection: parseProjection(c.fields.get('fields')),
    hint: c.fields.get('hint'),
    update: u === undefined ? undefined : parseUpdate(u, filters === undefined ? undefined : items(filters)),
    after: isSet(c, 'new'),
    upsert: isSet(c, 'upsert'),
    maxTimeMS: timeLimit(c),
  };
}

function firstMatch(engine: Engine, collection: Collection | undefined, r: Request): Stored | undefined {
  if (collection === undefined) return undefined;
  const p = plan(collection, r.filter, r.sort, hintOf(collection, r.hint));
  const clock = new Slices(r.maxTimeMS);
  for (const stored of ordered(engine, p, r.sort, 1, { keys: 0, docs: 0 })) {
    if (stored !== undefined) return stored;
    clock.isOver();
  }
  return undefined;
}

function run(engine: Engine, c: Command, name: string, r: Request): Reply {
  const collection = engine.catalog.get(`${c.db}.${name}`);
  const stored = firstMatch(engine, collection, r);
  const shown = (doc: Buffer): Out => (r.projection === undefined ? doc : project(r.projection, doc));
  if (r.update === undefined) {
    if (stored === undefined || collection === undefined) return { lastErrorObject: { n: 0 }, value: null };
    engine.records.remove(collection, stored);
    return { lastErrorObject: { n: 1 }, value: shown(stored.doc) };
  }
  if (stored !== undefined && collection !== undefined) {
    const doc = applyUpdate(r.update, { doc: stored.doc, filter: r.filter, inserting: false });
    if (doc !== stored.doc) engine.records.replace(collection, stored, doc);
    return { lastErrorObject: { n: 1, updatedExisting: true }, value: shown(r.after ? doc : stored.doc) };
  }
  if (!r.upsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
  const doc = upsertDocument(engine, r.filter, r.update);
  engine.records.insert(collection ?? ensureCollection(engine, c.db, name), doc);
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted: idOf(doc) }, value: r.after ? shown(doc) : null };
}

function findAndModify(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const request = read(c);
  return engine.storage.write(() => run(engine, c, name, request));
}

const OPTIONS = {
  query: object,
  sort: object,
  remove: flag,
  update: anything,
  new: flag,
  fields: object,
  upsert: flag,
  arrayFilters: listOf(object),
  hint,
  // There are no validators that could be passed by.
  bypassDocumentValidation: flag,
  collation,
  let: unsupported(object),
};

export const findAndModifyCommands: readonly CommandSpec[] = [
  { name: 'findAndModify', aliases: ['findandmodify'], options: OPTIONS, writes: true, run: findAndModify },
];
