import { LRUCache } from 'lru-cache';
import { type Aggregate } from './aggregate.js';
import { approximateBytes } from '../events/approximate-bytes.js';
import { type AnyEvent, type RawEvent, readEvent, readMetadata } from '../events/events.js';

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
