import type { Collection, Document, Filter, FindCursor, FindOptions, Long } from 'mongodb';
import { createBatchLoader } from './batch-loader.js';
import { type Written } from '../projections/projector.js';
import { type Version, createVersionedCache } from './versioned-cache.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type Clock } from '../process/time.js';

/** A document of a projection as it is stored. `_at` is the position of the last event that changed it. */
export type Stored<D extends object> = D & { _id: string; _at: number | Long };

/** A document of any projection, or a tombstone. */
type StoredDocument = Document & { _id: string };

/** Read access to a projection: as the driver's own, without the tombstones of removed documents. */
export interface ReadModel<D extends object> {
  /** Shared with other readers: not to be changed. */
  byId(id: string): Promise<Stored<D> | null>;
  /** In no particular order, unknown ids left out. */
  byIds(ids: readonly string[]): Promise<Stored<D>[]>;
  findOne(filter: Filter<Stored<D>>, options?: FindOptions): Promise<Stored<D> | null>;
  find(filter: Filter<Stored<D>>, options?: FindOptions): FindCursor<Stored<D>>;
  count(filter: Filter<Stored<D>>, limit?: number): Promise<number>;
  /** The driver's collection, tombstones included. */
  readonly raw: Collection<StoredDocument>;
}

/**
 * What hides tombstones from a query. They have no other field, so conditions on fields already exclude them; it is
 * only the rest of a filter that an index has narrowed down.
 */
export const alive = { _gone: { $exists: false } } as const;

/** What a replica knows of a collection without asking the database. */
export interface Knowledge {
  /** Documents read by id are cached while it stays the same. */
  version: Version;
  clock: Clock;
  /** See `Projector.written`. */
  written: (id: string) => Written | undefined;
}

/** A read model on a collection, which asks the database for what is not known. */
export function readable<D extends object>(raw: Collection<StoredDocument>, knowledge?: Knowledge): ReadModel<D> {
  const living = (filter: Filter<Stored<D>>) => ({ ...filter, ...alive }) as Filter<StoredDocument>;
  const byIds = (ids: readonly string[]): Filter<Stored<D>> => ({ _id: { $in: ids } }) as Filter<Stored<D>>;
  const find = (filter: Filter<Stored<D>>, options?: FindOptions): FindCursor<Stored<D>> =>
    raw.find<Stored<D>>(living(filter), options);
  const fetch = (ids: readonly string[]): Promise<Stored<D>[]> => find(byIds(ids)).toArray();
  const load = createBatchLoader(fetch);
  const byId = knowledge === undefined ? load : knowing(load, knowledge);
  return {
    raw,
    byId,
    byIds: async (ids) => (await Promise.all([...new Set(ids)].map(byId))).filter((doc) => doc !== null),
    findOne: (filter, options) => raw.findOne<Stored<D>>(living(filter), options),
    find,
    count: (filter, limit) => raw.countDocuments(living(filter), limit === undefined ? {} : { limit }),
  };
}

/** What each read model caches of its documents. */
const cached = { max: 10_000, size: { of: (doc: object | null) => approximateBytes(doc), max: 32 * 1024 * 1024 } };

function knowing<D extends object>(
  load: (id: string) => Promise<Stored<D> | null>,
  knowledge: Knowledge,
): (id: string) => Promise<Stored<D> | null> {
  const { version, clock, written } = knowledge;
  const documents = createVersionedCache<Stored<D> | null>(cached, clock);
  return async (id) => {
    const own = written(id);
    if (own === undefined) return documents.get(id, version, () => load(id));
    return own.doc === null ? null : ({ _id: id, ...own.doc, _at: Number(own.at) } as Stored<D>);
  };
}
