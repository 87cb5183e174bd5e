import { describe, expect, it, jest } from '@jest/globals';
import { microBatcher } from './micro-batcher.js';

describe('requests that are batched', () => {
  it('are carried out at once, and each gets its own result', async () => {
    const work = jest.fn((items: readonly number[]) => Promise.resolve(items.map((n) => n * 2)));
    const double = microBatcher(work);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(work.mock.calls).toEqual([[[1, 2, 3]]]);
  });

  it('are sent in batches of at most 500, two at a time', async () => {
    let running = 0;
    let peak = 0;
    const sizes: number[] = [];
    const same = microBatcher(async (items: readonly number[]) => {
      sizes.push(items.length);
      peak = Math.max(peak, (running += 1));
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return items;
    });
    const all = Array.from({ length: 1_700 }, (_, n) => n);
    expect(await Promise.all(all.map(same))).toEqual(all);
    expect([sizes, peak]).toEqual([[500, 500, 500, 200], 2]);
  });

  it('fail together, and later ones do not', async () => {
    let bad = true;
    const ask = microBatcher((items: readonly number[]) =>
      bad ? Promise.reject(new Error('no')) : Promise.resolve(items),
    );
    await expect(Promise.allSettled([ask(1), ask(2)])).resolves.toEqual([
      { status: 'rejected', reason: new Error('no') },
      { status: 'rejected', reason: new Error('no') },
    ]);
    bad = false;
    await expect(ask(3)).resolves.toBe(3);
  });
});
