import { describe, expect, it } from '@jest/globals';
import { createAnswerCache, reuseOf } from './answer-cache.js';

const MiB = 1024 * 1024;

describe('an answer of a script', () => {
  it('is kept for as long as it may be', () => {
    let now = 1;
    const cache = createAnswerCache<object>(() => now);
    cache.set('a', {}, { size: 10, ttl: 1_000 });
    now = 1_001;
    expect(cache.get('a')).toBeDefined();
    now = 1_002;
    expect(cache.get('a')).toBeUndefined();
  });

  it('leaves when there is no room and others were used later', () => {
    const cache = createAnswerCache<object>(() => 1);
    const keep = (key: string, size: number) => cache.set(key, {}, { size, ttl: 1_000 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) keep(key, 12 * MiB);
    cache.get('a');
    keep('f', 12 * MiB);
    expect(['a', 'b', 'c', 'f'].map((key) => cache.has(key))).toEqual([true, false, true, true]);
    keep('large', 17 * MiB);
    expect(cache.has('large')).toBe(false);
  });

  it.each([
    ['', undefined],
    ['max-age=0', undefined],
    ['no-store, max-age=60', undefined],
    ['max-age=60, no-cache="set-cookie"', undefined],
    ['x-max-age=60', undefined],
    ['max-age=x', undefined],
    ['max-age=60', { isPrivate: false, forMs: 60_000 }],
    ['public, max-age=60, s-maxage=9', { isPrivate: false, forMs: 9_000 }],
    ['Private, Max-Age=60, s-maxage=9', { isPrivate: true, forMs: 60_000 }],
    ['max-age=999999999', { isPrivate: false, forMs: 604_800_000 }],
  ])('may be given again by %j', (control, expected) => {
    expect(reuseOf({ headers: [['Cache-Control', control]] })).toEqual(expected);
  });

  it('is not given again with a cookie, or where it differs by caller', () => {
    const control = ['cache-control', 'max-age=60'] as const;
    for (const name of ['Set-Cookie', 'Vary']) expect(reuseOf({ headers: [control, [name, 'x']] })).toBeUndefined();
  });
});
