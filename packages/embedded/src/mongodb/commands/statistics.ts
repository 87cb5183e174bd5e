import type { Engine } from '../engine.js';
import { ServerError } from '../bson/errors.js';
import { atLeast, flag, maxTimeMS, number, unsupported } from '../options.js';
import { prefixOf, type Collection } from '../store/model.js';
import type { Command, Reply } from '../wire.js';
import { collectionName, numberField, type CommandSpec } from './command.js';

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

const scale = atLeast(1);

export const statisticsCommands: readonly CommandSpec[] = [
  { name: 'collStats', aliases: ['collstats'], options: { scale }, run: collStats },
  { name: 'dbStats', aliases: ['dbstats'], options: { scale, freeStorage: unsupported(number) }, run: dbStats },
  // It goes on while others read and write, forced or not, and cannot be stopped on the way.
  { name: 'compact', options: { force: flag, maxTimeMS: unsupported(maxTimeMS) }, run: compact },
];
