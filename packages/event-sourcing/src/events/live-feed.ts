import { pause } from '../process/time.js';
import { approximateBytes } from './approximate-bytes.js';
import { type EventSource } from './event-source.js';
import { type EventStore } from './event-store.js';
import { type RawEvent } from './events.js';

/**
 * Thrown to a reader that is too slow for the feed. It reads with its own subscription, and joins again when it has
 * caught up.
 */
export class FellBehind extends Error {
  override readonly name = 'FellBehind';
}

/**
 * One subscription for the live projections and all reactors of a service that have caught up, so that the server reads
 * each record, and the client decodes it, once for all of them.
 */
export interface LiveFeed {
  /**
   * The events after a position, for a reader that has all events up to there. `undefined` when the feed is further;
   * then the reader has to use its own subscription. Positions without an event for the reader are told within 50 ms.
   */
  join(prefixes: readonly string[], position: bigint): EventSource | undefined;
}

/** An event with its size, which is computed once for all members. */
interface SizedEvent {
  event: RawEvent;
  bytes: number;
}

interface FeedMember {
  readonly prefixes: readonly string[];
  /** The reader has all events up to here. */
  readonly from: bigint;
  queue: SizedEvent[];
  /** Bytes of the events in `queue`. */
  bytes: number;
  passed: bigint | undefined;
  failure: { error: unknown } | undefined;
  wake: () => void;
}

interface FeedState {
  members: Set<FeedMember>;
  source: EventSource | undefined;
  /** The end of the last batch that the members got. */
  at: bigint;
  /** Wakes the members for whom there were no events. */
  passing: NodeJS.Timeout | undefined;
}

const passingMs = 50;
const batchSize = 512;
/** The most events and bytes that wait for one reader. Beyond that it has to read with its own subscription. */
const [mostEvents, mostBytes] = [4096, 8 * 1024 * 1024];

/** `prefixes`: of the streams of all readers that may join. */
export function createLiveFeed(events: Pick<EventStore, 'subscribe'>, prefixes: () => readonly string[]): LiveFeed {
  const state: FeedState = { members: new Set(), source: undefined, at: -1n, passing: undefined };
  return {
    join(own, position) {
      if (state.source !== undefined && position < state.at) return undefined;
      const member: FeedMember = {
        prefixes: own,
        from: position,
        queue: [],
        bytes: 0,
        passed: undefined,
        failure: undefined,
        wake: () => undefined,
      };
      state.members.add(member);
      if (state.source === undefined) begin(state, events.subscribe(prefixes(), position), position);
      return sourceOf(state, member);
    },
  };
}

function begin(state: FeedState, source: EventSource, position: bigint): void {
  state.source = source;
  state.at = position;
  void deliver(state, source).catch(async (error: unknown) => {
    // When the last member has left, members of the next subscription are not concerned.
    if (state.source === source) {
      state.source = undefined;
      for (const member of state.members) fail(state, member, error);
    }
    await source.stop();
  });
}

async function deliver(state: FeedState, source: EventSource): Promise<void> {
  while (state.source === source) {
    const { events, position } = await source.next(batchSize, 0);
    if (state.source !== source) return;
    const sized = events.map((event) => ({ event, bytes: approximateBytes(event.data) }));
    for (const member of state.members) give(state, member, sized, position);
    if (position !== undefined && position > state.at) state.at = position;
  }
}

function give(state: FeedState, member: FeedMember, events: readonly SizedEvent[], position: bigint | undefined): void {
  for (const sized of events) {
    const { event, bytes } = sized;
    if (event.position <= member.from || !member.prefixes.some((prefix) => event.stream.startsWith(prefix))) continue;
    member.queue.push(sized);
    member.bytes += bytes;
  }
  member.passed = position ?? member.passed;
  if (member.queue.length > mostEvents || member.bytes > mostBytes) fail(state, member, new FellBehind());
  if (member.queue.length > 0) member.wake();
  else if (member.passed !== undefined) state.passing ??= setTimeout(() => wakeAll(state), passingMs).unref();
}

/** That only a position has passed is worth no round of each reader for each batch: they are woken together. */
function wakeAll(state: FeedState): void {
  state.passing = undefined;
  for (const { wake } of state.members) wake();
}

function fail(state: FeedState, member: FeedMember, error: unknown): void {
  state.members.delete(member);
  member.queue = [];
  member.failure ??= { error };
  member.wake();
}

/** The feed for one member. */
function sourceOf(state: FeedState, member: FeedMember): EventSource {
  return {
    async next(max, linger) {
      while (member.queue.length === 0 && member.passed === undefined && member.failure === undefined)
        await new Promise<void>((resolve) => (member.wake = resolve));
      if (linger > 0 && member.queue.length > 0 && member.queue.length < max) await pause(linger);
      if (member.failure !== undefined) throw member.failure.error;
      const taken = member.queue.splice(0, max);
      const events = taken.map(({ event }) => event);
      member.bytes -= taken.reduce((sum, { bytes }) => sum + bytes, 0);
      if (member.queue.length > 0) return { events, position: events.at(-1)?.position, caughtUp: false };
      const position = member.passed;
      member.passed = undefined;
      return { events, position, caughtUp: true };
    },
    async stop() {
      fail(state, member, new Error('the subscription was stopped'));
      if (state.members.size > 0 || state.source === undefined) return;
      const { source } = state;
      state.source = undefined;
      await source.stop();
    },
  };
}
