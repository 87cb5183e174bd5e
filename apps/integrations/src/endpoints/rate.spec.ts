import { describe, expect, it } from '@jest/globals';
import { RatePerSecond } from './rate.js';

describe('a rate of requests', () => {
  it('is counted for each installation, within a second', () => {
    let now = 5_000;
    const rate = new RatePerSecond(100, () => now);
    const taken = (key: string) => Array.from({ length: 150 }, () => rate.take(key)).filter(Boolean).length;
    expect([taken('a'), taken('b'), taken('a')]).toEqual([100, 100, 0]);
    now += 1_000;
    expect(taken('a')).toBe(100);
  });
});
