import { describe, expect, it } from '@jest/globals';
import { createRandom } from './random.js';

describe('random numbers of a seed', () => {
  it('are the same again for the same seed, and others for another', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.below(1_000));
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('cover their range evenly enough', () => {
    const random = createRandom(1);
    const counts = new Map<number, number>();
    for (let turn = 0; turn < 4_000; turn += 1) {
      const value = random.pick([0, 1, 2, 3]);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
