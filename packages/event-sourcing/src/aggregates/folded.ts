import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { Binary, type Collection, type Db, Long } from 'mongodb';
import { type Aggregate } from './aggregate.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type AnyEvent, type RawEvent, readEvent, readMetadata } from '../events/events.js';
import { type EventStore } from '../events/event-store.js';
import { put } from '../database/database.js';
import { type Logger, describe } from '../process/observe.js';

/** The events that one command wrote to a stream: revisions `first..last`, the last of them at commit `position`. */
export interface Commit {
  first: bigint;
  last: bigint;
  position: bigint;
}

/** The state of a stream up to a revision. */
export interface Folded<State = unknown> {
  state: State;
  /** Revision of the last folded event; `-1n` for a stream without events. */
  revision: bigint;
  /** Commit position of that event; `-1n` if there is none. */
  position: bigint;
  lastTime: string | undefined;
  /** The latest commands with an idempotency key. */
  commits: Map<string, Commit>;
  /** Whether the stream was tombstoned, so that nothing can be appended to it. */
  erased: boolean;
  /** Approximate size of its events in bytes. The state is hardly larger. */
  bytes: number;
}

/** Only the latest thousand keys of a stream are kept, since a key matters only while its request may be repeated. */
const mostCachedCommits = 1000;

export function emptyFold<State>(initial: State): Folded<State> {
  return {
    state: initial,
    revision: -1n,
    position: -1n,
    lastTime: undefined,
    commits: new Map(),
    erased: false,
    bytes: 0,
  };
}

/**
 * Folds further events, which must follow directly. The given fold does not change, except for `commits`, which both
 * share: its entries are in the log, and copying a thousand of them for each append would be expensive.
 */
export function foldMore<State, E extends AnyEvent>(
  aggregate: Aggregate<State, E>,
  before: Folded<State>,
  events: readonly RawEvent[],
): Folded<State> {
  if (events.length === 0) return before;
  let { state, revision, position, lastTime, bytes } = before;
  const { commits } = before;
  for (const raw of events) {
    const meta = readMetadata(raw);
    const event: AnyEvent | null = readEvent(aggregate.events, raw);
    // Types of a newer version do not change the state. All others were parsed by the table of the aggregate.
    if (event !== null) state = aggregate.evolve(state, event as E, meta);
    if (meta.idem !== undefined) noteCommit(commits, meta.idem, raw);
    revision = raw.revision;
    position = raw.position;
    lastTime = meta.time;
    bytes += approximateBytes(raw.data);
  }
  return { state, revision, position, lastTime, commits, erased: false, bytes };
}

function noteCommit(commits: Map<string, Commit>, idem: string, raw: RawEvent): void {
  const known = commits.get(idem);
  const adjacent = known !== undefined && known.last + 1n === raw.revision;
  commits.delete(idem);
  commits.set(idem, { first: adjacent ? known.first : raw.revision, last: raw.revision, position: raw.position });
  if (commits.size > mostCachedCommits) {
    const oldest = commits.keys().next().value;
    if (oldest !== undefined) commits.delete(oldest);
  }
}

/** Folded streams in memory, limited in number and bytes. It is only a cache: appends check the revision. */
export interface FoldCache {
  get(stream: string): Folded | undefined;
  set(stream: string, folded: Folded): void;
  delete(stream: string): void;
}

/** Bytes of an entry besides the state, and of each commit in it. */
const [perEntry, perCommit] = [512, 200];

/** `bytes`: the limit for the sizes of all entries together. */
export function createFoldCache(entries = 20_000, bytes = 128 * 1024 * 1024): FoldCache {
  const cache = new LRUCache<string, Folded>({
    max: entries,
    maxSize: bytes,
    sizeCalculation: (folded) => perEntry + folded.bytes + folded.commits.size * perCommit,
  });
  return {
    get: (stream) => cache.get(stream),
    set: (stream, folded) => void cache.set(stream, folded),
    delete: (stream) => void cache.delete(stream),
  };
}

const page = 500;

/** Reads a whole stream into a state. A long stream is read from its snapshot on, if there is a usable one. */
export async function readFolded<State, E extends AnyEvent>(
  events: EventStore,
  snapshots: Snapshots,
  aggregate: Aggregate<State, E>,
  stream: string,
): Promise<Folded<State>> {
  const part = await events.readStream(stream, 0n, page);
  const empty = emptyFold(aggregate.initial);
  if (part.kind !== 'events') return { ...empty, erased: part.kind === 'erased' };
  const first = foldMore(aggregate, empty, part.events);
  if (part.events.length < page) return first;
  const kept = await snapshots.find(aggregate, stream);
  return readOn(events, aggregate, stream, kept !== null && kept.revision > first.revision ? kept : first);
}

/** Reads the events after `before` and folds them. Returns `before` itself if there are none. */
export async function readOn<State, E extends AnyEvent>(
  events: EventStore,
  aggregate: Aggregate<State, E>,
  stream: string,
  before: Folded<State>,
): Promise<Folded<State>> {
  let folded = before;
  for (;;) {
    const part = await events.readStream(stream, folded.revision + 1n, page);
    if (part.kind !== 'events') {
      const nothing = emptyFold(aggregate.initial);
      return part.kind === 'erased' ? { ...nothing, erased: true } : folded.revision < 0n ? folded : nothing;
    }
    folded = foldMore(aggregate, folded, part.events);
    if (part.events.length < page) return folded;
  }
}

/** The events `first..last` of a stream. */
export async function readRange(events: EventStore, stream: string, first: bigint, last: bigint): Promise<RawEvent[]> {
  const part = await events.readStream(stream, first, Number(last - first) + 1);
  return part.kind === 'events' ? part.events.filter((event) => event.revision <= last) : [];
}

/** Stored states of long streams, so that they need not be folded from the beginning. They are only a cache. */
export interface Snapshots {
  find<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<Folded<State> | null>;
  /** Stores the state if the stream has a thousand events more than its last snapshot. Never throws. */
  offer<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
    before: bigint,
    folded: Folded<State>,
  ): void;
  purge(stream: string): Promise<void>;
  settled(): Promise<void>;
}

interface SnapshotDoc {
  _id: string;
  fingerprint: string;
  revision: Long;
  folded: Binary;
}

const every = 1000n;
const largest = 12 * 1024 * 1024;

export function createSnapshots(db: Db, logger: Logger): Snapshots {
  const collection = db.collection<SnapshotDoc>('op_snapshots');
  const running = new Set<Promise<void>>();
  return {
    async find(aggregate, stream) {
      try {
        const kept = await collection.findOne({ _id: stream, fingerprint: aggregate.fingerprint });
        return kept === null ? null : thaw(kept.folded);
      } catch (error) {
        // Without a snapshot the stream is folded from its beginning, which is slower but correct.
        logger.warn({ stream, error: describe(error) }, 'a snapshot could not be read');
        return null;
      }
    },
    offer(aggregate, stream, before, folded) {
      if (folded.revision / every === before / every || folded.revision < every) return;
      const task = keep(collection, aggregate.fingerprint, stream, folded)
        .catch((error: unknown) => logger.warn({ stream, error: describe(error) }, 'a snapshot could not be stored'))
        .finally(() => running.delete(task));
      running.add(task);
    },
    purge: async (stream) => void (await collection.deleteOne({ _id: stream })),
    settled: async () => void (await Promise.all(running)),
  };
}

/**
 * The structured clone format supports maps, sets, dates and bigints. A snapshot that cannot be read counts as absent.
 */
function thaw<State>(folded: Binary): Folded<State> {
  return deserialize(folded.buffer) as Folded<State>;
}

async function keep(
  collection: Collection<SnapshotDoc>,
  fingerprint: string,
  stream: string,
  folded: Folded,
): Promise<void> {
  const bytes = serialize(folded);
  if (bytes.length > largest) return;
  const doc = { fingerprint, revision: Long.fromBigInt(folded.revision), folded: new Binary(bytes) };
  await put(collection, stream, doc);
}
