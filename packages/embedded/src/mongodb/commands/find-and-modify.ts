import type { Engine } from '../engine.js';
import { failedToParse, ServerError } from '../errors.js';
import { items, T, textOf, type Elem, type Out } from '../bson/index.js';
import { filterOf } from '../query/filter.js';
import type { Node } from '../query/node.js';
import { hintOf } from '../query/hint.js';
import { plan } from '../query/planner.js';
import { parseProjection, project, type Projection } from '../query/projection.js';
import { parseSort, type SortField } from '../query/sort.js';
import type { Collection } from '../store/model.js';
import { idOf, type Stored } from '../store/records.js';
import { applyUpdate } from '../update/apply.js';
import { parseUpdate, type Update } from '../update/spec.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, flag, objectField, type CommandSpec } from './command.js';
import { ordered } from './find.js';
import { ensureCollection, upsertDocument } from './writing.js';

interface Request {
  readonly filter: Node;
  readonly sort: readonly SortField[];
  readonly projection: Projection | undefined;
  readonly hint: Elem | undefined;
  readonly update: Update | undefined;
  readonly after: boolean;
  readonly upsert: boolean;
}

function read(c: Command): Request {
  const remove = flag(c, 'remove');
  const u = c.fields.get('update');
  if (remove && u !== undefined) throw failedToParse('Cannot specify both an update and remove=true');
  if (!remove && u === undefined) throw failedToParse('Either an update or remove=true must be specified');
  if (remove && flag(c, 'new'))
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (remove && flag(c, 'upsert')) throw failedToParse('Cannot specify both upsert=true and remove=true');
  const filters = c.fields.get('arrayFilters');
  return {
    filter: filterOf(objectField(c, 'query'), 'findAndModify.query'),
    sort: parseSort(objectField(c, 'sort')),
    projection: parseProjection(objectField(c, 'fields')),
    hint: c.fields.get('hint'),
    update: u === undefined ? undefined : parseUpdate(u, filters?.t === T.array ? items(filters) : []),
    after: flag(c, 'new'),
    upsert: flag(c, 'upsert'),
  };
}

function firstMatch(engine: Engine, collection: Collection | undefined, r: Request): Stored | undefined {
  if (collection === undefined) return undefined;
  const p = plan(collection, r.filter, r.sort, hintOf(collection, r.hint, parseSort, textOf));
  for (const stored of ordered(engine, p, r.sort, 1, { keys: 0, docs: 0 })) if (stored !== undefined) return stored;
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

async function findAndModify(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const request = read(c);
  if (c.fields.get('update')?.t === T.array)
    throw new ServerError(238, 'pipeline-style updates are not supported by this server');
  return engine.storage.write(() => run(engine, c, name, request));
}

const FIELDS = [
  'query',
  'sort',
  'remove',
  'update',
  'new',
  'fields',
  'upsert',
  'arrayFilters',
  'hint',
  'bypassDocumentValidation',
  'collation',
  'let',
];

export const findAndModifyCommands: readonly CommandSpec[] = [
  { name: 'findAndModify', aliases: ['findandmodify'], fields: FIELDS, run: findAndModify },
];
