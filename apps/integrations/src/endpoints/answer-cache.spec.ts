import { describe, expect, it } from '@jest/globals';
import { AnswerCache, keptSeconds } from './answer-cache.js';

const answer = (control: string, size = 10, status = 200) => ({
  status,
  headers: [['Cache-Control', control]] as const,
  body: Buffer.alloc(size),
});

describe('answers of scripts', () => {
  it('are kept for as long as they say', () => {
    let now = 0;
    const cache = new AnswerCache(() => now);
    cache.keep('a', answer('public, max-age=60'));
    expect(cache.get('a')).toBeDefined();
    now = 60_000;
    expect(cache.get('a')).toBeUndefined();
    cache.keep('b', answer('max-age=60', 10, 404));
    expect(cache.get('b')).toBeUndefined();
  });

  it.each(['', 'no-store', 'private, max-age=60', 'max-age=60, no-cache', 'max-age=0', 'x-max-age=60'])(
    'are not kept for everybody with %s',
    (control) => expect(keptSeconds([['cache-control', control]])).toBe(0),
  );

  it('are not kept with a cookie, or where they differ by caller', () => {
    const control = ['cache-control', 'max-age=60, s-maxage=9'] as const;
    expect(keptSeconds([control])).toBe(9);
    for (const name of ['Set-Cookie', 'Vary']) expect(keptSeconds([control, [name, 'x']])).toBe(0);
  });

  it('are kept up to a number of bytes, the latest used', () => {
    const cache = new AnswerCache(() => 0);
    const size = 10 * 1024 * 1024;
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.keep(key, answer('max-age=60', size));
    cache.get('a');
    for (const key of ['f', 'g']) cache.keep(key, answer('max-age=60', size));
    expect(['a', 'b', 'c', 'g'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true]);
    cache.keep('large', answer('max-age=60', 2 * size));
    expect(cache.get('large')).toBeUndefined();
  });
});
