import type { Engine } from '../engine.js';
import { ServerError } from '../errors.js';
import { findField, numberOf, T, toBson, truthy } from '../bson/index.js';
import { filterOf } from '../query/filter.js';
import { matches } from '../query/match.js';
import { prefixOf, type Collection } from '../store/model.js';
import type { Command, Reply } from '../wire.js';
import { checkName, collectionName, flag, numberField, objectField, textField, type CommandSpec } from './command.js';
import { ensureCollection } from './writing.js';

function listDatabases(engine: Engine, c: Command): Reply {
  if (c.db !== 'admin') throw new ServerError(13, 'listDatabases may only be run against the admin database.');
  const filter = filterOf(objectField(c, 'filter'), 'listDatabases.filter');
  const names = [...new Set([...engine.catalog.collections.values()].map((x) => x.db))].sort();
  const all = names.map((name) => {
    const sizeOnDisk = engine.catalog.ofDatabase(name).reduce((sum, x) => sum + x.size, 0);
    return { name, sizeOnDisk: BigInt(sizeOnDisk), empty: false };
  });
  const databases = all.filter((x) => matches(filter, toBson(x)));
  if (flag(c, 'nameOnly')) return { databases: databases.map(({ name }) => ({ name })) };
  return {
    databases,
    totalSize: BigInt(engine.storage.diskSize()),
    totalSizeMb: BigInt(Math.round(engine.storage.diskSize() / 1048576)),
  };
}

async function listCollections(engine: Engine, c: Command): Promise<Reply> {
  const filter = filterOf(objectField(c, 'filter'), 'listCollections.filter');
  const nameOnly = flag(c, 'nameOnly');
  const docs = engine.catalog.ofDatabase(c.db).map((x) => {
    const shown: Reply = { name: x.name, type: 'collection' };
    const uuid = Buffer.from(x.uuid.replaceAll('-', ''), 'hex');
    return toBson(
      nameOnly
        ? shown
        : { ...shown, options: {}, info: { readOnly: false, uuid: { $uuid: uuid } }, idIndex: x.indexes[0]?.spec },
    );
  });
  const cursor = objectField(c, 'cursor');
  const size =
    numberOf(cursor === undefined ? undefined : findField(cursor.b, cursor.s, Buffer.from('batchSize'))) ?? Infinity;
  const ns = `${c.db}.$cmd.listCollections`;
  const batch = await engine.cursors.first(ns, docs.filter((doc) => matches(filter, doc))[Symbol.iterator](), { size });
  return { cursor: { id: batch.id, ns, firstBatch: batch.docs } };
}

const REFUSED_OPTIONS = [
  'capped',
  'timeseries',
  'viewOn',
  'pipeline',
  'validator',
  'clusteredIndex',
  'expireAfterSeconds',
  'encryptedFields',
  'changeStreamPreAndPostImages',
  'collation',
];

async function create(engine: Engine, c: Command): Promise<Reply> {
  const name = collectionName(c);
  const ns = `${c.db}.${name}`;
  for (const option of REFUSED_OPTIONS) {
    const v = c.fields.get(option);
    if (option !== 'collation' && v !== undefined && (truthy(v) || v.t === T.object))
      throw new ServerError(238, `collection option '${option}' is not supported by this server`);
  }
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
    if (target !== undefined && !flag(c, 'dropTarget')) throw new ServerError(48, 'target namespace exists');
    if (target !== undefined) engine.catalog.remove(target);
    engine.catalog.rename(source, db, rest.join('.'));
  });
  engine.cursors.killAll(from);
  engine.sweep();
  return {};
}

const AVERAGE_KEY = 48;

function statsOf(engine: Engine, c: Collection): { count: number; size: number; indexSizes: Record<string, number> } {
  const indexSizes: Record<string, number> = {};
  for (const index of c.indexes) {
    const start = prefixOf(index.id);
    const entriesOf =
      index.name === '_id_'
        ? c.count
        : engine.storage.index.getCount({ start, end: Buffer.concat([start, Buffer.from([0xff])]) });
    indexSizes[index.name] = entriesOf * AVERAGE_KEY;
  }
  return { count: c.count, size: c.size, indexSizes };
}

const EMPTY_STATS = { count: 0, size: 0, indexSizes: {} as Record<string, number> };

function collStats(engine: Engine, c: Command): Reply {
  const ns = `${c.db}.${collectionName(c)}`;
  const scale = numberField(c, 'scale') ?? 1;
  const collection = engine.catalog.get(ns);
  const { count, size, indexSizes } = collection === undefined ? EMPTY_STATS : statsOf(engine, collection);
  const scaled = Object.fromEntries(
    Object.entries(indexSizes).map(([name, bytes]) => [name, Math.floor(bytes / scale)]),
  );
  return {
    ns,
    size: Math.floor(size / scale),
    count,
    ...(count > 0 ? { avgObjSize: Math.floor(size / count) } : {}),
    storageSize: Math.floor(size / scale),
    capped: false,
    nindexes: Object.keys(indexSizes).length,
    totalIndexSize: sum(Object.values(scaled)),
    indexSizes: scaled,
    scaleFactor: scale,
  };
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);

function dbStats(engine: Engine, c: Command): Reply {
  const scale = numberField(c, 'scale') ?? 1;
  const collections = engine.catalog.ofDatabase(c.db);
  const all = collections.map((x) => statsOf(engine, x));
  const objects = sum(all.map((s) => s.count));
  const dataSize = sum(all.map((s) => s.size));
  const indexSize = sum(all.flatMap((s) => Object.values(s.indexSizes)));
  return {
    db: c.db,
    collections: collections.length,
    views: 0,
    objects,
    avgObjSize: { $double: objects === 0 ? 0 : dataSize / objects },
    dataSize: { $double: dataSize / scale },
    storageSize: { $double: dataSize / scale },
    indexes: sum(collections.map((x) => x.indexes.length)),
    indexSize: { $double: indexSize / scale },
    totalSize: { $double: (dataSize + indexSize) / scale },
    scaleFactor: { $double: scale },
    fsUsedSize: { $double: engine.storage.diskSize() / scale },
  };
}

/** Compacts the whole data, of which the collection is a part. */
async function compact(engine: Engine, c: Command): Promise<Reply> {
  if (engine.catalog.get(`${c.db}.${collectionName(c)}`) === undefined)
    throw new ServerError(26, 'collection does not exist');
  return { bytesFreed: BigInt(Math.max(0, await engine.storage.compact())) };
}

const CREATE_FIELDS = [
  ...REFUSED_OPTIONS,
  'size',
  'max',
  'autoIndexId',
  'idIndex',
  'storageEngine',
  'validationLevel',
  'validationAction',
  'indexOptionDefaults',
];

export const adminCommands: readonly CommandSpec[] = [
  { name: 'listDatabases', fields: ['filter', 'nameOnly', 'authorizedDatabases'], run: listDatabases },
  { name: 'listCollections', fields: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'], run: listCollections },
  { name: 'create', fields: CREATE_FIELDS, run: create },
  { name: 'drop', fields: [], run: drop },
  { name: 'dropDatabase', fields: [], run: dropDatabase },
  { name: 'renameCollection', fields: ['to', 'dropTarget'], run: renameCollection },
  { name: 'collStats', aliases: ['collstats'], fields: ['scale'], run: collStats },
  { name: 'compact', fields: ['force'], run: compact },
  { name: 'dbStats', aliases: ['dbstats'], fields: ['scale', 'freeStorage'], run: dbStats },
];
