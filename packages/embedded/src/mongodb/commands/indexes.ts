import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import {
  docElem,
  entries,
  findField,
  inspect,
  isNumber,
  items,
  numberOf,
  T,
  textOf,
  toBson,
  truthy,
  type Elem,
} from '../bson/index.js';
import { parseFilter } from '../query/filter.js';
import type { Collection, Index } from '../store/model.js';
import type { Command, Reply } from '../wire.js';
import { checkCollation, collectionName, documentsOf, sizeField, type CommandSpec } from './command.js';
import { ensureCollection } from './writing.js';

const KNOWN = [
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'background',
  'v',
  'hidden',
  'collation',
  'ns',
];
const MAX_INDEXES = 64;

/** Checks one index specification and writes it the way listIndexes shows it. Throws CannotCreateIndex and its like. */
export function normalizeSpec(doc: Buffer): Buffer {
  const fields = new Map(entries(docElem(doc)));
  if (fields.has('expireAfterSeconds')) throw new ServerError(238, 'TTL indexes are not supported by this server');
  for (const name of fields.keys())
    if (!KNOWN.includes(name))
      throw new ServerError(
        197,
        `The field '${name}' is not valid for an index specification. Specification: ${inspect(docElem(doc))}`,
      );
  checkCollation(fields.get('collation'));
  const key = fields.get('key');
  if (key?.t !== T.object) throw new ServerError(9, "The 'key' field is a required property of an index specification");
  checkKey(key);
  const name = fields.get('name');
  const partial = fields.get('partialFilterExpression');
  if (partial !== undefined && partial.t !== T.object)
    throw new ServerError(14, "The field 'partialFilterExpression' must be an object");
  if (partial !== undefined) parseFilter(partial);
  const sparse = truthy(fields.get('sparse'));
  if (sparse && partial !== undefined)
    throw new ServerError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  return toBson({
    v: 2,
    ...(truthy(fields.get('unique')) ? { unique: true } : {}),
    key,
    name: name === undefined ? defaultName(key) : textOf(name),
    ...(sparse ? { sparse: true } : {}),
    ...(partial === undefined ? {} : { partialFilterExpression: partial }),
  });
}

function checkKey(key: Elem): void {
  const all = entries(key);
  if (all.length === 0) throw new ServerError(67, 'Index keys cannot be an empty object');
  if (all.length > 32) throw new ServerError(13103, 'too many compound keys');
  for (const [path, v] of all) {
    if (v.t === T.string) throw new ServerError(67, `Unknown index plugin '${textOf(v)}'`);
    if (!isNumber(v.t) || !(Math.abs(numberOf(v) ?? 0) > 0))
      throw new ServerError(
        67,
        `Values in v:2 index key pattern cannot be of type ${inspect(v)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    if (path === '' || path.split('.').some((part) => part === '' || part.startsWith('$')))
      throw new ServerError(67, `Index key contains an illegal field name: '${path}'`);
  }
}

const defaultName = (key: Elem): string =>
  entries(key)
    .map(([path, v]) => `${path}_${numberOf(v)}`)
    .join('_');

/** The existing index a specification repeats. Throws 85 / 86 when it contradicts one. */
function sameIndex(collection: Collection, spec: Buffer): Index | undefined {
  const key = inspect(field(spec, 'key'));
  const name = textOf(field(spec, 'name') as Elem);
  for (const index of collection.indexes) {
    const otherKey = inspect(field(index.spec, 'key'));
    const isId = index.name === '_id_' && key === '{ _id: 1 }';
    if (isId || index.spec.equals(spec)) return index;
    if (index.name === name) {
      const why =
        'An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation.';
      throw new ServerError(
        86,
        `${why} Requested index: ${inspect(docElem(spec))}, existing index: ${inspect(docElem(index.spec))}`,
      );
    }
    if (
      otherKey === key &&
      inspect(field(index.spec, 'partialFilterExpression')) === inspect(field(spec, 'partialFilterExpression'))
    ) {
      throw new ServerError(85, `Index already exists with a different name: ${index.name}`);
    }
  }
  return undefined;
}

const field = (spec: Buffer, name: string): Elem | undefined => findField(spec, 0, Buffer.from(name));

async function createIndexes(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const specs = documentsOf(c, 'indexes').map(normalizeSpec);
  if (specs.length === 0) throw new ServerError(2, 'Must specify at least one index to create');
  const { reply, added } = await engine.storage.write(() => {
    const existed = engine.catalog.get(`${c.db}.${name}`);
    const collection = existed ?? ensureCollection(engine, c.db, name);
    const before = collection.indexes.length;
    const wanted = specs.filter((spec) => sameIndex(collection, spec) === undefined);
    if (before + wanted.length > MAX_INDEXES)
      throw new ServerError(67, `add index fails, too many indexes for ${collection.ns}`);
    const created = buildAll(engine, collection, wanted);
    const note = created.length === 0 ? { note: 'all indexes already exist' } : {};
    const counts = {
      numIndexesBefore: before,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically: existed === undefined,
    };
    return { reply: { ...counts, ...note }, added: created };
  });
  for (const index of added) index.ready = true;
  return reply;
}

/** Lists every document in new indexes; a duplicate takes all of them away again. */
function buildAll(engine: Engine, collection: Collection, specs: readonly Buffer[]): Index[] {
  const created: Index[] = [];
  try {
    for (const spec of specs) {
      const index = engine.catalog.addIndex(collection, spec);
      created.push(index);
      for (const stored of engine.allDocuments(collection)) engine.records.addToIndex(collection, index, stored);
    }
    return created;
  } catch (error) {
    for (const index of created) engine.catalog.removeIndex(collection, index);
    setImmediate(() => engine.sweep());
    throw error;
  }
}

function existing(engine: Engine, c: Command): Collection {
  const ns = `${c.db}.${collectionName(c)}`;
  const collection = engine.catalog.get(ns);
  if (collection === undefined) throw new ServerError(26, `ns does not exist: ${ns}`);
  return collection;
}

async function listIndexes(engine: Engine, c: Command): Promise<Reply> {
  const collection = existing(engine, c);
  const cursor = c.fields.get('cursor');
  const size =
    numberOf(cursor?.t === T.object ? findField(cursor.b, cursor.s, Buffer.from('batchSize')) : undefined) ?? Infinity;
  sizeField(c, 'maxTimeMS');
  const documents = collection.indexes.map((i) => i.spec)[Symbol.iterator]();
  const { id, docs } = await engine.cursors.first(collection.ns, documents, { size });
  return { cursor: { id, ns: collection.ns, firstBatch: docs } };
}

function chosen(collection: Collection, v: Elem | undefined): Index[] {
  if (v?.t === T.string && textOf(v) === '*') return collection.indexes.filter((i) => i.name !== '_id_');
  const wanted = v?.t === T.array ? items(v) : [v];
  return wanted.map((w) => {
    const text = w?.t === T.string ? textOf(w) : '';
    const found = collection.indexes.find((i) =>
      w?.t === T.object ? inspect(field(i.spec, 'key')) === inspect(w) : i.name === text,
    );
    if (found === undefined)
      throw new ServerError(
        27,
        w?.t === T.object ? `can't find index with key: ${inspect(w)}` : `index not found with name [${text}]`,
      );
    if (found.name === '_id_') throw new ServerError(72, 'cannot drop _id index');
    return found;
  });
}

async function dropIndexes(engine: Engine, c: Command): Promise<Reply> {
  const nIndexesWas = await engine.storage.write(() => {
    const collection = existing(engine, c);
    const before = collection.indexes.length;
    for (const index of chosen(collection, c.fields.get('index'))) engine.catalog.removeIndex(collection, index);
    return before;
  });
  engine.sweep();
  return { nIndexesWas };
}

export const indexCommands: readonly CommandSpec[] = [
  { name: 'createIndexes', fields: ['indexes', 'commitQuorum'], run: createIndexes },
  { name: 'listIndexes', fields: ['cursor'], run: listIndexes },
  { name: 'dropIndexes', aliases: ['deleteIndexes'], fields: ['index'], run: dropIndexes },
];
