import type { OutgoingRequest } from '../egress/egress.js';
import { maskOf, secretsIn } from '../traces/secrets.js';
import { boundTrace, type RawTrace, type Trace } from '../traces/trace.js';

/** A call from its arrival until its trace is there. */
export interface ActiveCall {
  readonly id: string;
  /** Whether no other call was in its process so far. */
  isAlone: boolean;
  /** When the answer had ended; the script may go on for a while. */
  answeredAt: number | undefined;
  /** The outcome where this process has given up the answer, of which the engine does not tell. */
  dropped: 'timeout' | 'failed' | undefined;
  /** Requests that were sent while it was alone. */
  readonly requests: OutgoingRequest[];
  trace(raw: RawTrace): Trace;
}

export function createCall(id: string, environment: unknown, now: () => number = Date.now): ActiveCall {
  const begun = now();
  const requests: OutgoingRequest[] = [];
  const call: ActiveCall = {
    id,
    isAlone: true,
    answeredAt: undefined,
    dropped: undefined,
    requests,
    trace: ({ outcome, ...raw }) =>
      boundTrace({ ...raw, outcome: call.dropped ?? outcome }, maskOf(secretsIn(environment)), {
        call: id,
        durationMs: now() - begun,
        requests: call.isAlone ? requests : [],
      }),
  };
  return call;
}

/** The trace of a call about which the engine tells nothing. */
export function bareTrace(outcome: string, at: number, message?: string): RawTrace {
  const exceptions = message === undefined ? [] : [{ at, name: 'Error', message }];
  return { outcome, truncated: false, logs: [], exceptions };
}
