import type { Trace } from './trace.js';

/** Traces that callers have not fetched yet. */
export interface TraceStore {
  /** Announces a call, so that its trace can be waited for; the trace of an attempt before is forgotten. */
  open(call: string): void;
  put(trace: Trace): void;
  /**
   * The trace, which is given once; `pending` if it does not come within the time; undefined for a call that is not
   * known, or whose trace was fetched or has expired.
   */
  take(call: string, withinMs: number): Promise<Trace | 'pending' | undefined>;
  /** Ends all waiting. */
  close(): void;
}

interface Entry {
  trace?: Trace;
  expires: number;
  arrived: Set<() => void>;
}

const keptMs = 120_000;
const mostKept = 2_000;

export function createTraceStore(now: () => number = Date.now): TraceStore {
  // In the order in which they expire.
  const entries = new Map<string, Entry>();
  const forget = (): void => {
    for (const [call, { expires, arrived }] of entries) {
      if (expires > now() && entries.size <= mostKept) break;
      entries.delete(call);
      for (const wake of arrived) wake();
    }
  };
  return {
    open(call) {
      const arrived = entries.get(call)?.arrived ?? new Set<() => void>();
      entries.delete(call);
      entries.set(call, { expires: now() + keptMs, arrived });
      forget();
    },
    put(trace) {
      const entry = entries.get(trace.call);
      if (entry === undefined) return;
      entries.delete(trace.call);
      entries.set(trace.call, { ...entry, trace, expires: now() + keptMs });
      for (const wake of entry.arrived) wake();
      forget();
    },
    async take(call, withinMs) {
      forget();
      const entry = entries.get(call);
      if (entry !== undefined && entry.trace === undefined) await arrival(entry.arrived, withinMs);
      const found = entries.get(call);
      if (found === undefined) return undefined;
      if (found.trace === undefined) return 'pending';
      entries.delete(call);
      return found.trace;
    },
    close() {
      for (const { arrived } of entries.values()) for (const wake of arrived) wake();
      entries.clear();
    },
  };
}

function arrival(arrived: Set<() => void>, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      arrived.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, withinMs);
    arrived.add(wake);
  });
}
