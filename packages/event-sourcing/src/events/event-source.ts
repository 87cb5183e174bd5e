import { approximateBytes } from './approximate-bytes.js';
import { type RawEvent } from './events.js';

/**
 * The result of reading a subscription: events in the order of the log, and the position up to which the log was
 * searched.
 */
export interface Batch {
  events: RawEvent[];
  /** All events up to here have been delivered or do not match the filter; `undefined` if that is not known. */
  position: bigint | undefined;
  /** Whether the server has reported that the following events are live. */
  caughtUp: boolean;
}

export interface EventSource {
  /**
   * Waits for an event or a message of the server, then for `linger` ms more. Returns at most `max` events of together
   * at most 4 MiB, or a single larger event. Throws when the subscription is broken, and from then on.
   */
  next(max: number, linger: number): Promise<Batch>;
  stop(): Promise<void>;
}

export interface SourceSink {
  event(raw: RawEvent): void;
  passed(position: bigint): void;
  caughtUp(): void;
  broken(error: unknown): void;
}

export interface SourceControl {
  pause(): void;
  resume(): void;
  /** Events that wait in the client. */
  buffered(): number;
  stop(): Promise<unknown>;
}

/** The number of waiting events at which the server is paused, and at which it continues. */
const highWater = 4096;
const highBytes = 16 * 1024 * 1024;
const lowWater = 1024;
const batchBytes = 4 * 1024 * 1024;

interface SourceState {
  queue: { raw: RawEvent; bytes: number }[];
  /** Bytes of all waiting events. */
  bytes: number;
  passed: bigint | undefined;
  live: boolean;
  news: boolean;
  failure: { error: unknown } | undefined;
  paused: boolean;
  wake: () => void;
}

/**
 * Makes a source from which batches are read out of a subscription that pushes events. The server is paused when nobody
 * reads.
 */
export function createEventSource(open: (sink: SourceSink) => SourceControl): EventSource {
  const state: SourceState = {
    queue: [],
    bytes: 0,
    passed: undefined,
    live: false,
    news: false,
    failure: undefined,
    paused: false,
    wake: () => undefined,
  };
  const control = open(sinkOf(state, () => control.pause()));
  return {
    async next(max, linger) {
      while (state.queue.length === 0 && !state.news && state.failure === undefined) await woken(state);
      if (linger > 0 && state.queue.length > 0 && state.queue.length < max)
        await new Promise((resolve) => setTimeout(resolve, linger));
      if (state.queue.length === 0 && state.failure !== undefined) throw state.failure.error;
      return take(state, max, control);
    },
    async stop() {
      state.failure ??= { error: new Error('the subscription was stopped') };
      state.queue.length = 0;
      state.wake();
      await control.stop();
    },
  };
}

function sinkOf(state: SourceState, hold: () => void): SourceSink {
  return {
    event(raw) {
      const bytes = approximateBytes(raw.data);
      state.queue.push({ raw, bytes });
      state.bytes += bytes;
      if ((state.queue.length >= highWater || state.bytes >= highBytes) && !state.paused) {
        state.paused = true;
        hold();
      }
      state.wake();
    },
    passed(position) {
      state.passed = position;
      state.news = true;
      state.wake();
    },
    caughtUp() {
      state.live = true;
      state.news = true;
      state.wake();
    },
    broken(error) {
      state.failure ??= { error };
      state.wake();
    },
  };
}

function take(state: SourceState, max: number, control: SourceControl): Batch {
  const count = fitting(state.queue, max);
  const taken = state.queue.slice(0, count);
  const events = taken.map(({ raw }) => raw);
  state.queue = state.queue.slice(count);
  state.bytes -= taken.reduce((sum, { bytes }) => sum + bytes, 0);
  if (state.paused && state.queue.length < lowWater && state.bytes < highBytes / 2) {
    state.paused = false;
    control.resume();
  }
  const drained = state.queue.length === 0 && control.buffered() === 0;
  const last = events.at(-1)?.position;
  const passed = drained ? state.passed : undefined;
  state.news = false;
  return {
    events,
    position: passed !== undefined && (last === undefined || passed > last) ? passed : last,
    caughtUp: drained && state.live,
  };
}

/** The number of events, from the first on, that fit into one batch. */
function fitting(queue: SourceState['queue'], max: number): number {
  let bytes = 0;
  const most = Math.min(queue.length, max);
  for (let count = 0; count < most; count += 1) {
    bytes += queue[count]?.bytes ?? 0;
    if (bytes > batchBytes && count > 0) return count;
  }
  return most;
}

function woken(state: SourceState): Promise<void> {
  return new Promise((resolve) => {
    state.wake = () => {
      state.wake = () => undefined;
      resolve();
    };
  });
}
