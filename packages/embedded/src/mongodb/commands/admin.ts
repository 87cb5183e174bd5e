import type { Engine } from '../engine.js';
import { badValue, ServerError } from '../bson/errors.js';
import { bytesOf, docElem, inspect, numberOf, toBson, truthy } from '../bson/index.js';
import {
  anything,
  atLeast,
  bool,
  collation,
  cursor,
  flag,
  notSupported,
  number,
  object,
  text,
  unsupported,
  type Rule,
} from '../options.js';
import { filterOf } from '../filter/parse.js';
import { matches } from '../filter/match.js';
import type { Command, Reply } from '../wire.js';
import { batchSizeOf, checkName, collectionName, isSet, textField, type CommandSpec } from './command.js';
import { sessionOf } from './find.js';
import { normalizeSpec } from './index-options.js';
import { ensureCollection, ID_SPEC } from './writing.js';

function listDatabases(engine: Engine, c: Command): Reply {
  if (c.db !== 'admin') throw new ServerError(13, 'listDatabases may only be run against the admin database.');
  const filter = filterOf(c.fields.get('filter'));
  const names = [...new Set([...engine.catalog.collections.values()].map((x) => x.db))].sort();
  const all = names.map((name) => {
    const sizeOnDisk = engine.catalog.ofDatabase(name).reduce((sum, x) => sum + x.size, 0);
    return { name, sizeOnDisk: BigInt(sizeOnDisk), empty: false };
  });
  const databases = all.filter((x) => matches(filter, toBson(x)));
  if (isSet(c, 'nameOnly')) return { databases: databases.map(({ name }) => ({ name })) };
  return {
    databases,
    totalSize: BigInt(engine.storage.diskSize()),
    totalSizeMb: BigInt(Math.round(engine.storage.diskSize() / 1048576)),
  };
}

async function listCollections(engine: Engine, c: Command): Promise<Reply> {
  const filter = filterOf(c.fields.get('filter'));
  const nameOnly = isSet(c, 'nameOnly');
  const docs = engine.catalog.ofDatabase(c.db).map((x) => {
    const shown: Reply = { name: x.name, type: 'collection' };
    const uuid = Buffer.from(x.uuid.replaceAll('-', ''), 'hex');
    return toBson(
      nameOnly
        ? shown
        : { ...shown, options: {}, info: { readOnly: false, uuid: { $uuid: uuid } }, idIndex: x.indexes[0]?.spec },
    );
  });
  const ns = `${c.db}.$cmd.listCollections`;
  const batch = await engine.cursors.first(ns, docs.filter((doc) => matches(filter, doc))[Symbol.iterator](), {
    size: batchSizeOf(c) ?? Infinity,
    session: sessionOf(c),
  });
  return { cursor: { id: batch.id, ns, firstBatch: batch.docs } };
}

async function create(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const ns = `${c.db}.${name}`;
  if (c.fields.has('size') || c.fields.has('max'))
    throw new ServerError(72, "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  const indexed = c.fields.get('autoIndexId');
  if (indexed !== undefined && !truthy(indexed))
    throw new ServerError(50001, `autoIndexId:false is not allowed for collection ${ns} because it can be replicated`);
  await engine.storage.write(() => {
    if (engine.catalog.get(ns) !== undefined) throw new ServerError(48, `Collection ${ns} already exists.`);
    ensureCollection(engine, c.db, name);
  });
  return {};
}

async function drop(engine: Engine, c: Command): Promise<Reply> {
  const ns = `${c.db}.${collectionName(c)}`;
  const count = await engine.storage.write(() => {
    const collection = engine.catalog.get(ns);
    if (collection !== undefined) engine.catalog.remove(collection);
    return collection?.indexes.length;
  });
  engine.cursors.killAll(ns);
  engine.sweep();
  return count === undefined ? { ns } : { nIndexesWas: count, ns };
}

async function dropDatabase(engine: Engine, c: Command): Promise<Reply> {
  const all = await engine.storage.write(() => {
    const collections = engine.catalog.ofDatabase(c.db);
    for (const collection of collections) engine.catalog.remove(collection);
    return collections;
  });
  for (const { ns } of all) engine.cursors.killAll(ns);
  engine.sweep();
  return all.length === 0 ? {} : { dropped: c.db };
}

async function renameCollection(engine: Engine, c: Command): Promise<Reply> {
  if (c.db !== 'admin') throw new ServerError(13, 'renameCollection may only be run against the admin database.');
  const from = textField(c, c.name);
  const to = textField(c, 'to');
  const [db = '', ...rest] = to.split('.');
  checkName(db, rest.join('.'));
  if (from === to) throw new ServerError(20, "Can't rename a collection to itself");
  await engine.storage.write(() => {
    const source = engine.catalog.get(from);
    if (source === undefined) throw new ServerError(26, `Source collection ${from} does not exist`);
    const target = engine.catalog.get(to);
    if (target !== undefined && !isSet(c, 'dropTarget')) throw new ServerError(48, 'target namespace exists');
    if (target !== undefined) engine.catalog.remove(target);
    engine.catalog.rename(source, db, rest.join('.'));
  });
  engine.cursors.killAll(from);
  engine.sweep();
  return {};
}

/** The description of the index that every collection has, as it is and not otherwise. */
const idIndex: Rule = (v, struct, name) => {
  object(v, struct, name);
  const spec = normalizeSpec(bytesOf(v));
  if (!spec.equals(ID_SPEC))
    throw badValue(`The field 'idIndex' must be ${inspect(docElem(ID_SPEC))}, but got ${inspect(v)}`);
};

const collectionCollation: Rule = (v, struct, name) => {
  collation(v, struct, name);
  if (v.b[v.s + 4] === 0) throw badValue("The 'collation' option cannot be an empty object");
};

const CREATE = {
  capped: unsupported(flag),
  size: atLeast(1),
  max: number,
  autoIndexId: flag,
  idIndex,
  storageEngine: unsupported(object),
  validator: unsupported(object),
  validationLevel: notSupported,
  validationAction: notSupported,
  indexOptionDefaults: unsupported(object),
  viewOn: notSupported,
  pipeline: notSupported,
  collation: collectionCollation,
  recordPreImages: unsupported(flag),
  changeStreamPreAndPostImages: notSupported,
  timeseries: notSupported,
  clusteredIndex: unsupported(anything),
  expireAfterSeconds: notSupported,
  encryptedFields: notSupported,
};

const dropDatabaseValue: Rule = (v, struct, name) => {
  number(v, struct, name);
  if (numberOf(v) !== 1) throw new ServerError(5255100, "Have to pass 1 as 'drop' parameter");
};

export const adminCommands: readonly CommandSpec[] = [
  {
    name: 'listDatabases',
    // There is one user, who may see all of them.
    options: { filter: object, nameOnly: bool, authorizedDatabases: bool },
    run: listDatabases,
  },
  {
    name: 'listCollections',
    // There is one user, who may see all of them.
    options: { filter: object, nameOnly: bool, cursor, authorizedCollections: bool },
    run: listCollections,
  },
  { name: 'create', options: CREATE, writes: true, run: create },
  { name: 'drop', options: {}, writes: true, run: drop },
  { name: 'dropDatabase', value: dropDatabaseValue, options: {}, writes: true, run: dropDatabase },
  {
    name: 'renameCollection',
    value: text,
    options: { to: text, dropTarget: bool },
    writes: true,
    run: renameCollection,
  },
];
