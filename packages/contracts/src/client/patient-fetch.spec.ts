import { describe, expect, it } from '@jest/globals';
import { patienceMs, patientFetch } from './patient-fetch.js';

type Answer = number | [status: number, retryAfter: string] | Error;

/** A patient `fetch` over some answers, of which the last one stays; and what it has done. */
function over(...answers: Answer[]) {
  const pauses: number[] = [];
  let sent = 0;
  let now = 0;
  const keys: (string | null)[] = [];
  const send = (_: unknown, init?: RequestInit) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const answer = answers[Math.min(sent, answers.length - 1)] ?? 500;
    sent += 1;
    if (answer instanceof Error) return Promise.reject(answer);
    const [status, after] = typeof answer === 'number' ? [answer, undefined] : answer;
    return Promise.resolve(
      new Response('{}', { status, headers: after === undefined ? {} : { 'retry-after': after } }),
    );
  };
  const pause = (ms: number) => {
    pauses.push(ms);
    now += ms;
    return Promise.resolve();
  };
  const ask = patientFetch({ send, pause, now: () => now });
  const status = async (init?: RequestInit) => (await ask('http://docs.test/', init)).status;
  return { status, pauses, keys: () => keys, sent: () => sent, elapsed: () => now };
}

const gone = new TypeError('fetch failed');

describe('a patient fetch', () => {
  it('asks again after 503, 502 and 429, later each time, and as late as the answer says', async () => {
    const { status, pauses } = over(503, 502, [503, '7'], [429, '1'], 200);
    expect(await status()).toBe(200);
    expect(pauses).toEqual([500, 1_000, 7_000, 4_000]);
  });

  it.each([200, 400, 404, 409, 500])('is content with %i', async (code) => {
    const { status, pauses } = over(code, 200);
    expect([await status(), pauses]).toEqual([code, []]);
  });

  it('returns the refusal when its time is over, or would be', async () => {
    const busy = over(503);
    expect(await busy.status()).toBe(503);
    expect(busy.elapsed()).toBeLessThanOrEqual(patienceMs);
    expect(busy.pauses.at(-1)).toBe(10_000);
    const late = over([503, '3600'], 200);
    expect([await late.status(), late.pauses]).toEqual([503, []]);
  });

  it('sends a change again with the same idempotency key, its own or a new one', async () => {
    const own = over(503, [409, '1'], 200);
    expect(await own.status({ method: 'POST', headers: { 'idempotency-key': 'k' } })).toBe(200);
    expect(own.keys()).toEqual(['k', 'k', 'k']);
    const made = over(503, 200);
    expect(await made.status({ method: 'PATCH', body: '{}' })).toBe(200);
    expect(await made.status({ method: 'DELETE' })).toBe(200);
    const [first, again, other] = made.keys();
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect([again === first, other === first]).toEqual([true, false]);
  });

  it('sends a change whose body is read only once again if nothing has looked at it', async () => {
    const change = () => ({ method: 'POST', body: new ReadableStream() });
    expect(await over(503, 200).status(change())).toBe(503);
    expect(await over(429, 200).status(change())).toBe(200);
  });

  it('returns a conflict that does not pass', async () => {
    expect(await over(409, 200).status({ method: 'POST' })).toBe(409);
  });

  it('waits for an installation that has answered before, and for no other', async () => {
    const { status } = over(200, gone, gone, 200);
    expect([await status(), await status()]).toEqual([200, 200]);
    const never = over(gone, 200);
    await expect(never.status()).rejects.toBe(gone);
    expect(never.sent()).toBe(1);
  });

  it('ends with the signal of its caller', async () => {
    const { status, sent } = over(503, 200);
    expect([await status({ signal: AbortSignal.abort() }), sent()]).toEqual([503, 1]);
  });
});
