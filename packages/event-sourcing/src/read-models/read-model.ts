import {
  type Collection,
  type Document,
  type Filter,
  type FindCursor,
  type FindOptions,
  type Long,
  type Db,
} from 'mongodb';
import { type Progress } from '../projections/progress.js';
import { type Projector, type Written } from '../projections/projector.js';
import { type Version, createVersionedCache } from './versioned-cache.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type Clock, within } from '../process/time.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';

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

/** What tells how far the documents of projections are. */
interface Parts {
  db: Db;
  clock: Clock;
  projector: Pick<Projector, 'written'>;
  progress: Pick<Progress, 'of'>;
}

/** One read model for each collection, so that all readers share what is cached. */
export function readModels(parts: Parts): <D extends object>(projection: Projection<D>) => ReadModel<D> {
  const models = new Map<string, ReadModel<never>>();
  return <D extends object>(projection: Projection<D>): ReadModel<D> => {
    const { collection } = projection;
    const known = models.get(collection) as ReadModel<D> | undefined;
    if (known !== undefined) return known;
    const model = readable<D>(parts.db.collection(collection), {
      version: () => versionOf(parts, [projection]),
      clock: parts.clock,
      written: (id) => parts.projector.written(collection, id),
    });
    models.set(collection, model as ReadModel<never>);
    return model;
  };
}

/** See `Store.version`. */
export function versionOf(
  { progress }: Pick<Parts, 'progress'>,
  projections: Iterable<Pick<AnyProjection, 'collection'>>,
): string | undefined {
  let version = '';
  for (const { collection } of projections) {
    const known = progress.of(collection);
    if (known === undefined) return undefined;
    version += `${known.epoch}:${known.changed};`;
  }
  return version;
}

interface Waiting<D> {
  resolve(doc: D | null): void;
  reject(error: unknown): void;
}

const inFlight = 2;
const perCommand = 1_000;
/** Until a command counts as lost, ms: others must not wait for the place it takes. */
const patience = 5_000;

/**
 * Loads documents by id: those asked for in one turn of the event loop by one command, two commands at a time. `fetch`
 * gets no id twice; an id it does not find is `null`. A command that takes longer than `ms` is `unavailable` to those
 * who asked.
 */
export function createBatchLoader<D extends { _id: string }>(
  fetch: (ids: readonly string[]) => Promise<D[]>,
  ms = patience,
): (id: string) => Promise<D | null> {
  const waiting = new Map<string, Waiting<D>[]>();
  let running = 0;
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || running >= inFlight || waiting.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      running += 1;
      void load((ids) => within(ms, 'Reading documents', fetch(ids)), take(waiting)).finally(() => {
        running -= 1;
        schedule();
      });
    });
  };

  return (id) =>
    new Promise((resolve, reject) => {
      const one = { resolve, reject };
      const all = waiting.get(id);
      if (all === undefined) waiting.set(id, [one]);
      else all.push(one);
      schedule();
    });
}

function take<D>(waiting: Map<string, Waiting<D>[]>): Map<string, Waiting<D>[]> {
  const taken = new Map([...waiting].slice(0, perCommand));
  for (const id of taken.keys()) waiting.delete(id);
  return taken;
}

async function load<D extends { _id: string }>(
  fetch: (ids: readonly string[]) => Promise<D[]>,
  asked: ReadonlyMap<string, readonly Waiting<D>[]>,
): Promise<void> {
  try {
    const found = new Map((await fetch([...asked.keys()])).map((doc) => [doc._id, doc]));
    for (const [id, all] of asked) for (const one of all) one.resolve(found.get(id) ?? null);
  } catch (error) {
    for (const all of asked.values()) for (const one of all) one.reject(error);
  }
}
