import { setTimeout as wait } from 'node:timers/promises';

/** How long a command waits for an installation that is busy or starts again. */
export const patienceMs = 120_000;

const tryMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Statuses that pass: too many requests, and a service that is not there at this moment. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface PatientDeps {
  send: typeof fetch;
  pause: (ms: number) => Promise<unknown>;
  now: () => number;
}

/**
 * A `fetch` that sends a request again while its answer is one that passes, as late as `Retry-After` says, for at most
 * two minutes. A change is sent again only if it has an idempotency key, or was refused before anything looked at it.
 * An installation that has answered before may also be out of reach for a moment.
 */
export function patientFetch(deps: PatientDeps = { send: fetch, pause: wait, now: Date.now }): typeof fetch {
  let hasAnswered = false;
  return async (target, init = {}) => {
    const end = deps.now() + patienceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const outcome = await attempt(deps.send, target, init).catch((error: unknown) => ({ error }));
      hasAnswered ||= outcome instanceof Response;
      const again = againAfter(outcome, init, hasAnswered);
      const waitMs = again === undefined ? Infinity : Math.max(again, pauseMs);
      if (init.signal?.aborted === true || deps.now() + waitMs > end) return settled(outcome);
      if (outcome instanceof Response) await outcome.body?.cancel();
      await deps.pause(waitMs);
    }
  };
}

type Outcome = Response | { error: unknown };

async function attempt(send: typeof fetch, target: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  if (!isRepeatable(init)) return send(target, init);
  const signals = [AbortSignal.timeout(tryMs), ...(init.signal instanceof AbortSignal ? [init.signal] : [])];
  return send(target, { ...init, signal: AbortSignal.any(signals) });
}

/** Milliseconds after which a request may be sent again at the earliest; undefined if it must not be. */
function againAfter(outcome: Outcome, init: RequestInit, hasAnswered: boolean): number | undefined {
  if (!(outcome instanceof Response)) return isRepeatable(init) && hasAnswered ? 0 : undefined;
  if (!passing.has(outcome.status) || !(isRepeatable(init) || outcome.status === 429)) return undefined;
  return Number(/^\d{1,6}$/.exec(outcome.headers.get('retry-after') ?? '')?.[0] ?? 0) * 1_000;
}

function isRepeatable({ method = 'GET', headers }: RequestInit): boolean {
  return method === 'GET' || new Headers(headers).has('idempotency-key');
}

function settled(outcome: Outcome): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome.error;
}
