import { approximateBytes } from '../shared/approximate-bytes.js';
import { type RawEvent } from './events.js';

/** What one look into a subscription gives: events in log order, and how far the log has been searched. */
export interface Batch {
  events: RawEvent[];
  /** Everything up to here has been delivered or did not match the filter; `undefined` when nothing is known. */
  position: bigint | undefined;
  /** The server said that what follows is live. */
  caughtUp: boolean;
}

export interface EventSource {
  /**
   * Waits for something to happen, then for `linger` ms more, and returns at most `max` events of at most 4 MiB together, or one.
   * Throws when the subscription broke; a broken source stays broken.
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
  /** Events that wait inside the client. */
  buffered(): number;
  stop(): Promise<unknown>;
}

/** What may wait here before the server is held back, and from when on it goes on. */
const highWater = 4096;
const highBytes = 16 * 1024 * 1024;
const lowWater = 1024;
const batchBytes = 4 * 1024 * 1024;

interface SourceState {
  queue: { raw: RawEvent; bytes: number }[];
  /** Of all that wait. */
  bytes: number;
  passed: bigint | undefined;
  live: boolean;
  news: boolean;
  failure: { error: unknown } | undefined;
  paused: boolean;
  wake: () => void;
}

/** Turns a pushing subscription into one that is pulled in batches, and holds the server back when nobody pulls. */
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

/** How many of the first events one batch takes. */
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
