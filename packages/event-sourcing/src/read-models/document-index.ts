import { AppError } from '@scriptorium/contracts';
import { LRUCache } from 'lru-cache';
import { type Filter, Long } from 'mongodb';
import { type Clock } from '../process/time.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type Stored } from './read-model.js';

/** The part of a service's store that an index reads. */
export interface IndexSource<D extends object> {
  collection(projection: Projection<D>): IndexedModel<D>;
  version(projections: Iterable<Pick<AnyProjection, 'collection'>>): string | undefined;
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint>;
}

/** What an index reads of a read model, tombstones included. */
interface IndexedModel<D extends object> {
  find(filter: Filter<Stored<D>>): AsyncIterable<Stored<D>>;
  readonly raw: { find(filter: { _at: { $gt: Long } }): AsyncIterable<object> };
}

/** The documents of one group in memory, as whoever asks needs them. */
export interface IndexedGroup<D> {
  /** A document as it is now; `null` when it is gone. */
  apply(id: string, doc: D | null): void;
  has(id: string): boolean;
  /** The approximate size in memory. */
  bytes(): number;
}

/** Groups of documents of a read model in the memory of a replica. */
export interface DocumentIndex<G> {
  /**
   * A group, with everything that the service had written at the time of the call. The result changes later, so use it
   * at once.
   */
  of(group: string): Promise<G>;
}

/** The work of an index, for specs and metrics. */
export interface IndexWork {
  /** Complete loads of a group. */
  loads: number;
  /** Queries for changes. */
  looks: number;
  /** Documents that both have returned. */
  documents: number;
}

export interface DocumentIndexOptions<D extends object, G extends IndexedGroup<D>> {
  /** It needs an index by `groupedBy`, and one by `_at`. */
  projection: Projection<D>;
  /** The field whose value names the group of a document. */
  groupedBy: keyof D & string;
  /** Creates the memory of an empty group. */
  create(): G;
  clock: Clock;
  /** The approximate size of all groups in bytes. The requested group is kept in any case. */
  maxBytes: number;
  work?: IndexWork | undefined;
}

/** The highest age (ms) of the index when the announcement of a change was lost. */
const believedFor = 1_000;

/**
 * After this time (ms) without a query everything is loaded again, since tombstones of removed documents are kept for
 * only an hour.
 */
const idleFor = 10 * 60_000;

/** How often an update is tried: other groups can push this one out of memory in the meantime. */
const mostTries = 3;

/** A group in memory. */
interface Loaded<G> {
  readonly group: G;
  /** The group contains everything up to this position of the log. */
  seen: bigint;
  /** The version of the read model and the moment for which that holds. */
  version: string | undefined;
  at: number;
}

/** One query for changes, for all groups that were in memory when it began. */
interface Look<G> {
  readonly version: string | undefined;
  readonly groups: ReadonlyMap<string, Loaded<G>>;
}

interface Index<D extends object, G extends IndexedGroup<D>> extends Required<DocumentIndexOptions<D, G>> {
  readonly source: IndexSource<D>;
  readonly work: IndexWork;
  readonly loaded: LRUCache<string, Loaded<G>>;
  readonly loading: Map<string, Promise<Loaded<G>>>;
  /** The query that is running, and the one that follows it. */
  running: { look: Look<G>; done: Promise<Look<G>> } | undefined;
  waiting: Promise<Look<G>> | undefined;
  lastLook: number;
}

export const noIndexWork = (): IndexWork => ({ loads: 0, looks: 0, documents: 0 });

/**
 * Creates an index over a read model. A group is loaded completely at its first use. After that, one query for each
 * change of the read model updates everything in memory: documents and tombstones whose last event is after the known
 * position. While nothing changes, no query is sent for a second.
 */
export function createDocumentIndex<D extends object, G extends IndexedGroup<D>>(
  source: IndexSource<D>,
  options: DocumentIndexOptions<D, G>,
): DocumentIndex<G> {
  const { clock, maxBytes } = options;
  const index: Index<D, G> = {
    ...options,
    source,
    work: options.work ?? noIndexWork(),
    loaded: new LRUCache<string, Loaded<G>>({
      maxSize: maxBytes,
      sizeCalculation: ({ group }) => Math.min(maxBytes, group.bytes() + 1_000),
    }),
    loading: new Map(),
    running: undefined,
    waiting: undefined,
    lastLook: clock.monotonic(),
  };
  return { of: (group) => upToDate(index, group) };
}

async function upToDate<D extends object, G extends IndexedGroup<D>>(index: Index<D, G>, name: string): Promise<G> {
  const { source, projection, clock, loaded } = index;
  if (clock.monotonic() - index.lastLook > idleFor) {
    loaded.clear();
    index.lastLook = clock.monotonic();
  }
  const asked = clock.monotonic();
  const version = source.version([projection]);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const entry = loaded.get(name) ?? (await load(index, name));
    if (version !== undefined && entry.version === version && entry.at > asked - believedFor) return entry.group;
    const { groups } = await look(index, name, entry, version);
    // Otherwise it was dropped for other groups before the query began.
    if (groups.get(name) === entry) return entry.group;
  }
  throw new AppError('unavailable', [], { message: 'The read model changes too fast, try again', retryAfter: 1 });
}

/** Loads a group completely, once for all concurrent callers. */
function load<D extends object, G extends IndexedGroup<D>>(index: Index<D, G>, name: string): Promise<Loaded<G>> {
  const known = index.loading.get(name);
  if (known !== undefined) return known;
  const loading = readWhole(index, name).finally(() => index.loading.delete(name));
  index.loading.set(name, loading);
  return loading;
}

async function readWhole<D extends object, G extends IndexedGroup<D>>(
  index: Index<D, G>,
  name: string,
): Promise<Loaded<G>> {
  const { source, projection, groupedBy, clock, work } = index;
  const [version, at] = [source.version([projection]), clock.monotonic()];
  const seen = await source.written(projection);
  work.loads += 1;
  const group = index.create();
  for await (const doc of source.collection(projection).find({ [groupedBy]: name } as Filter<Stored<D>>)) {
    work.documents += 1;
    group.apply(doc._id, doc);
  }
  const entry: Loaded<G> = { group, seen, version, at };
  index.loaded.set(name, entry);
  return entry;
}

/**
 * Queries for changes, one query at a time. A caller that arrives during a query that may have begun too early, or
 * without the group, shares the next one.
 */
function look<D extends object, G extends IndexedGroup<D>>(
  index: Index<D, G>,
  name: string,
  entry: Loaded<G>,
  version: string | undefined,
): Promise<Look<G>> {
  const { running } = index;
  const isIncluded = running?.look.groups.get(name) === entry;
  if (running !== undefined && version !== undefined && running.look.version === version && isIncluded)
    return running.done;
  index.waiting ??= (running?.done ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => {
      index.waiting = undefined;
      return begin(index);
    });
  return index.waiting;
}

function begin<D extends object, G extends IndexedGroup<D>>(index: Index<D, G>): Promise<Look<G>> {
  const started: Look<G> = {
    version: index.source.version([index.projection]),
    groups: new Map(index.loaded.entries()),
  };
  const running = { look: started, done: bringUpToDate(index, started).then(() => started) };
  index.running = running;
  const ended = (): void => {
    if (index.running === running) index.running = undefined;
  };
  running.done.then(ended, ended);
  return running.done;
}

async function bringUpToDate<D extends object, G extends IndexedGroup<D>>(
  index: Index<D, G>,
  { version, groups }: Look<G>,
): Promise<void> {
  const { source, projection, groupedBy, clock, work, loaded } = index;
  const at = clock.monotonic();
  const written = await source.written(projection);
  const since = [...groups.values()].reduce((least, { seen }) => (seen < least ? seen : least), written);
  work.looks += 1;
  const changed = new Set<string>();
  // Documents after `written` may be visible before earlier ones are. They are used, and queried again.
  const found = source.collection(projection).raw.find({ _at: { $gt: Long.fromBigInt(since) } });
  for await (const fields of found) {
    work.documents += 1;
    const doc = fields as Stored<D> & { _gone?: true };
    const its = doc._gone === true ? null : doc[groupedBy];
    for (const [name, { group }] of groups) {
      if (name !== its && !group.has(doc._id)) continue;
      group.apply(doc._id, name === its ? doc : null);
      changed.add(name);
    }
  }
  for (const [name, entry] of groups) {
    if (entry.seen < written) entry.seen = written;
    [entry.version, entry.at] = [version, at];
    // Its size may have changed.
    if (changed.has(name) && loaded.peek(name) === entry) loaded.set(name, entry);
  }
  index.lastLook = at;
}
