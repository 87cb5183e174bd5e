import { Slices } from '../drain.js';
import type { Engine } from '../engine.js';
import { badValue, ServerError } from '../bson/errors.js';
import { docElem, findField, inspect, items, T, textOf, type Elem } from '../bson/index.js';
import { cursor, listOf, missingOption, object, text, wrongType, type Rule } from '../options.js';
import type { Collection, Index } from '../store/model.js';
import type { Command, Reply } from '../wire.js';
import { batchSizeOf, collectionName, documentsOf, timeLimit, type CommandSpec } from './command.js';
import { sessionOf } from './find.js';
import { normalizeSpec } from './index-options.js';
import { ensureCollection } from './writing.js';

const MAX_INDEXES = 64;

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
    const created = buildAll(engine, collection, wanted, new Slices(timeLimit(c)));
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

/** Lists every document in new indexes; a duplicate, or the end of the time, takes all of them away again. */
function buildAll(engine: Engine, collection: Collection, specs: readonly Buffer[], clock: Slices): Index[] {
  const created: Index[] = [];
  try {
    for (const spec of specs) {
      const index = engine.catalog.addIndex(collection, spec);
      created.push(index);
      for (const stored of engine.allDocuments(collection)) {
        engine.records.addToIndex(collection, index, stored);
        clock.isOver();
      }
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
  const documents = collection.indexes.map((i) => i.spec)[Symbol.iterator]();
  const options = { size: batchSizeOf(c) ?? Infinity, session: sessionOf(c) };
  const { id, docs } = await engine.cursors.first(collection.ns, documents, options);
  return { cursor: { id, ns: collection.ns, firstBatch: docs } };
}

function chosen(collection: Collection, c: Command): Index[] {
  const v = c.fields.get('index');
  if (v === undefined) throw missingOption(c.name, 'index');
  if (v.t === T.string && textOf(v) === '*') return collection.indexes.filter((i) => i.name !== '_id_');
  const wanted = v.t === T.array ? items(v) : [v];
  return wanted.map((w) => {
    const name = w.t === T.string ? textOf(w) : '';
    const found = collection.indexes.find((i) =>
      w.t === T.object ? inspect(field(i.spec, 'key')) === inspect(w) : i.name === name,
    );
    if (found === undefined)
      throw new ServerError(
        27,
        w.t === T.object ? `can't find index with key: ${inspect(w)}` : `index not found with name [${name}]`,
      );
    if (found.name === '_id_') throw new ServerError(72, 'cannot drop _id index');
    return found;
  });
}

async function dropIndexes(engine: Engine, c: Command): Promise<Reply> {
  const nIndexesWas = await engine.storage.write(() => {
    const collection = existing(engine, c);
    const before = collection.indexes.length;
    for (const index of chosen(collection, c)) engine.catalog.removeIndex(collection, index);
    return before;
  });
  engine.sweep();
  return { nIndexesWas };
}

/** A name, a key, or names. */
const indexChoice: Rule = (v, struct, name) => {
  if (v.t === T.array) listOf(text)(v, struct, name);
  else if (v.t !== T.string && v.t !== T.object) throw wrongType(v, struct, name, "types '[string, object]'");
};

const commitQuorum: Rule = () => {
  throw badValue("Standalones can't specify commitQuorum");
};

export const indexCommands: readonly CommandSpec[] = [
  {
    name: 'createIndexes',
    options: { indexes: listOf(object), commitQuorum },
    sequences: ['indexes'],
    writes: true,
    run: createIndexes,
  },
  { name: 'listIndexes', options: { cursor }, run: listIndexes },
  {
    name: 'dropIndexes',
    aliases: ['deleteIndexes'],
    options: { index: indexChoice },
    writes: true,
    run: dropIndexes,
  },
];
