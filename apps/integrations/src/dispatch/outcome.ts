/** How an attempt at a delivery has ended. */
export type Outcome =
  /** `isHandled` is false for a script that does not handle this type of event. */
  | { kind: 'success'; isHandled: boolean }
  /** It may succeed later: it is tried again, a few times. */
  | { kind: 'again'; reason: string }
  | { kind: 'failed'; reason: string }
  /** It was not begun, so it does not count: no runtime can take it at the moment. */
  | { kind: 'wait'; reason: string; ms: number };

/** What an outcome is made of: the answer of a script, or why there is none. */
export type Attempted = { status: number } | { reason: string; retryAfterMs?: number | undefined };

/** Tries in all. */
export const mostAttempts = 4;
const pausesMs = [1_000, 2_000, 4_000];
const notHandled = 406;
const waitMs = 1_000;
const longestWaitMs = 600_000;

const notBegun: ReadonlySet<string> = new Set([
  'unreachable',
  'runtime_unavailable',
  'runtime_busy',
  'integration_resting',
  'unauthenticated',
]);

/** What follows from an attempt. Pure. */
export function outcomeOf(attempted: Attempted): Outcome {
  if ('status' in attempted) {
    const { status } = attempted;
    if (status < 400 || status === notHandled) return { kind: 'success', isHandled: status !== notHandled };
    const reason = `status_${status}`;
    return status >= 500 || status === 429 ? { kind: 'again', reason } : { kind: 'failed', reason };
  }
  const { reason, retryAfterMs = waitMs } = attempted;
  if (notBegun.has(reason))
    return { kind: 'wait', reason, ms: Math.min(Math.max(retryAfterMs, waitMs), longestWaitMs) };
  return { kind: 'again', reason };
}

/**
 * The pause after an attempt that failed, ms; `undefined` when there is no other one. `random`: from 0 to 1, so that
 * not all are tried again at the same moment. Pure.
 */
export function pauseAfter(attempts: number, random: number): number | undefined {
  const pause = pausesMs[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (0.75 + random / 2));
}
