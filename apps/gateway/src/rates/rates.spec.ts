import { describe, expect, it } from '@jest/globals';
import { createBuckets } from './buckets.js';
import { createRates, limitOf, rateHeaders, tooMany, type RateLimits, type Rates } from './rates.js';

const limits: RateLimits = {
  ordinary: 10,
  search: 2,
  'content-write': 0,
  'spec-write': 0,
  pdf: 0,
  anonymous: 3,
  files: 0,
};

describe('buckets', () => {
  it('can be emptied at once and then fill up evenly', () => {
    let now = 0;
    const buckets = createBuckets(10, () => now);
    const takes = (n: number) => Array.from({ length: n }, () => buckets.take('k', 60).waitMs);
    expect(takes(60).every((wait) => wait === 0)).toBe(true);
    expect(takes(2)).toEqual([1000, 1000]);
    now = 999;
    expect(takes(1)).toEqual([1]);
    now = 2000;
    expect(takes(3)).toEqual([0, 0, 1000]);
    now = 1_000_000;
    expect(buckets.take('k', 60)).toEqual({ limit: 60, remaining: 59, full: 1_001_000, waitMs: 0 });
  });

  it('do not fill up when the clock goes back', () => {
    let now = 60_000;
    const buckets = createBuckets(10, () => now);
    for (let n = 0; n < 5; n += 1) buckets.take('k', 5);
    now = 0;
    expect(buckets.take('k', 5).waitMs).toBeGreaterThan(0);
  });

  it('are bounded in number', () => {
    const buckets = createBuckets(2, () => 0);
    for (const key of ['a', 'b', 'c', 'd']) buckets.take(key, 5);
    expect(buckets.takenHere()).toHaveLength(2);
    expect(buckets.take('a', 5).remaining).toBe(4);
  });
});

describe('rates', () => {
  function gateways(n: number) {
    const receivers: ((body: Uint8Array) => void)[] = [];
    const tell = (body: Uint8Array) => receivers.forEach((receive) => receive(body));
    const make = (): Rates =>
      createRates({
        limits,
        publish: (_subject, body) => tell(body),
        subscribe: (_subject, receive) => Promise.resolve(receivers.push(receive)),
      });
    return { rates: Array.from({ length: n }, make), tell };
  }
  const left = (rates: Rates, token: string) => rates.take({ token }, 'ordinary')?.remaining;

  it('count by token and class, and by address without a token', () => {
    const [rates] = gateways(1).rates as [Rates];
    expect([left(rates, 'a'), left(rates, 'a'), left(rates, 'b')]).toEqual([9, 8, 9]);
    expect(rates.take({ token: 'a' }, 'search')?.remaining).toBe(1);
    expect(rates.take({ token: 'a' }, 'content-write')).toBeUndefined();
    const visit = (visitor: string) => rates.take({ token: 'content', visitor }, 'ordinary')?.remaining;
    expect([visit('10.0.0.1'), visit('10.0.0.1'), visit('10.0.0.2')]).toEqual([9, 8, 9]);
    const from = (address: string) => rates.take({ address }, 'search')?.remaining;
    expect([from('10.0.0.1'), from('10.0.0.1'), from('10.0.0.2')]).toEqual([2, 1, 2]);
    expect([from('2001:db8::1'), from('2001:db8:0:0:ffff::2'), from('2001:db8:0:1::1')]).toEqual([2, 1, 2]);
    expect([from('::1'), from('::ffff:10.0.0.9')]).toEqual([2, 2]);
  });

  it('are shared by all gateways', async () => {
    const { rates, tell } = gateways(2);
    const [one, two] = rates as [Rates, Rates];
    await Promise.all(rates.map((each) => each.start()));
    left(two, 'a');
    for (let n = 0; n < 6; n += 1) left(one, 'a');
    const deadline = Date.now() + 5_000;
    let seen = left(two, 'a');
    while (seen !== undefined && seen > 3 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if ((seen = two.take({ token: 'a' }, 'ordinary')?.remaining) === 0) break;
    }
    expect(seen).toBeLessThanOrEqual(3);
    for (const junk of ['', 'x', '{}', '{"from":"x","spent":[["a",-1]]}'])
      expect(() => tell(Buffer.from(junk))).not.toThrow();
    for (const each of rates) each.stop();
  });

  it('tell when the next request is possible', () => {
    const taken = { limit: 10, remaining: 0, full: 1_500, waitMs: 1_200 };
    const limit = limitOf({ token: 't' }, 'search');
    expect(tooMany(taken, limit)).toMatchObject({ reason: 'rate_limited', retryAfter: 2 });
    expect(rateHeaders(taken)).toEqual({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '2',
    });
  });
});
