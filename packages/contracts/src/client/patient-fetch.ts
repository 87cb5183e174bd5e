/** Milliseconds that a patient client waits for an installation that is busy or starts again. */
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
 * two minutes. A change with a text for a body gets an idempotency key unless it has one, so that sending it again
 * changes nothing more; other changes are sent again only if they were refused before anything looked at them. An
 * installation that has answered before may also be out of reach for a moment.
 */
export function patientFetch(deps: PatientDeps = { send: fetch, pause: wait, now: Date.now }): typeof fetch {
  let hasAnswered = false;
  return async (target, given = {}) => {
    const init = repeatable(given);
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
  const { status, headers } = outcome;
  // The first try of the same request is still being worked on.
  const isUnderWay = status === 409 && headers.has('retry-after');
  if (!(passing.has(status) || isUnderWay) || !(isRepeatable(init) || status === 429)) return undefined;
  return Number(/^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0] ?? 0) * 1_000;
}

function repeatable(init: RequestInit): RequestInit {
  const { body } = init;
  if (isRepeatable(init) || !(typeof body === 'string' || body === undefined || body === null)) return init;
  const headers = new Headers(init.headers);
  headers.set('idempotency-key', crypto.randomUUID());
  return { ...init, headers };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function isRepeatable({ method = 'GET', headers }: RequestInit): boolean {
  return method === 'GET' || new Headers(headers).has('idempotency-key');
}

function settled(outcome: Outcome): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome.error;
}
