import { LRUCache } from 'lru-cache';
import { type Aggregate } from './aggregate.js';
import { approximateBytes } from '../shared/approximate-bytes.js';
import { type AnyEvent, type RawEvent, readEvent, readMetadata } from '../events/events.js';

/** Which part of a stream one command wrote: revisions `first..last`, ending at commit `position`. */
export interface Commit {
  first: bigint;
  last: bigint;
  position: bigint;
}

/** A stream as far as it has been read. */
export interface Folded<State = unknown> {
  state: State;
  /** Revision of the last event folded, `-1n` for a stream without events. */
  revision: bigint;
  /** Commit position of that event, `-1n` when there is none. */
  position: bigint;
  lastTime: string | undefined;
  /** The latest commands that carried an idempotency key. */
  commits: Map<string, Commit>;
  /** The stream was tombstoned: nothing can be appended any more. */
  erased: boolean;
  /** About how many bytes its events have taken together: the state behind them is hardly larger. */
  bytes: number;
}

/** Keys older than the last thousand of a stream are forgotten: they only matter while somebody may still retry. */
const rememberedCommits = 1000;

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
 * Folds further events, which must follow directly. The given fold is left as it was, but for `commits`, which both share:
 * what is in there is in the log, and copying a thousand entries for each append would be dear.
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
    const event = readEvent(aggregate.events, raw);
    // Types written by a newer version leave the state as it is.
    if (event !== null) state = aggregate.evolve(state, event as unknown as E, meta);
    if (meta.idem !== undefined) remember(commits, meta.idem, raw);
    revision = raw.revision;
    position = raw.position;
    lastTime = meta.time;
    bytes += approximateBytes(raw.data);
  }
  return { state, revision, position, lastTime, commits, erased: false, bytes };
}

function remember(commits: Map<string, Commit>, idem: string, raw: RawEvent): void {
  const known = commits.get(idem);
  const adjacent = known !== undefined && known.last + 1n === raw.revision;
  commits.delete(idem);
  commits.set(idem, { first: adjacent ? known.first : raw.revision, last: raw.revision, position: raw.position });
  if (commits.size > rememberedCommits) {
    const oldest = commits.keys().next().value;
    if (oldest !== undefined) commits.delete(oldest);
  }
}

/** Folded streams kept in memory, bounded by number and by bytes. Only a cache: appends verify it. */
export interface FoldCache {
  get(stream: string): Folded | undefined;
  set(stream: string, folded: Folded): void;
  delete(stream: string): void;
}

/** What one entry takes besides the state. */
const [perEntry, perCommit] = [512, 200];

/** `bytes`: of the events behind all states together. */
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
