import { describe, expect, it } from '@jest/globals';
import { AnswerCache, reuseOf } from './answer-cache.js';

describe('what scripts have rendered', () => {
  it('is kept for as long as they allow', () => {
    let now = 0;
    const cache = new AnswerCache<string>({ mostBytes: 100, now: () => now });
    cache.set('a', 'x', { bytes: 10, forMs: 1_000 });
    now = 999;
    expect(cache.get('a')).toBe('x');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });

  it('has a bound: what was not used for the longest time leaves', () => {
    const cache = new AnswerCache<number>({ mostBytes: 100, now: () => 0 });
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, { bytes: 30, forMs: 1 });
    cache.get('a');
    cache.set('d', 1, { bytes: 30, forMs: 1 });
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd']);
    cache.set('a', 2, { bytes: 90, forMs: 1 });
    expect([cache.get('a'), cache.bytes]).toEqual([2, 90]);
    cache.set('e', 1, { bytes: 101, forMs: 1 });
    expect([cache.get('e'), cache.bytes]).toEqual([undefined, 90]);
  });

  it.each([
    [undefined, undefined],
    ['max-age=0', undefined],
    ['no-store, max-age=60', undefined],
    ['max-age=60', { isPrivate: false, forMs: 60_000 }],
    ['Private, Max-Age=60', { isPrivate: true, forMs: 60_000 }],
    ['max-age=999999999', { isPrivate: false, forMs: 604_800_000 }],
    ['max-age=x', undefined],
  ])('is shown again by what it says: %s', (header, expected) => {
    expect(reuseOf(header)).toEqual(expected);
  });
});
