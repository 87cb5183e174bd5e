import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@scriptorium/event-sourcing';
import { createFreshWait } from './fresh-wait.js';

/** Read models that are fresh from the nth question on. */
function freshAt(nth: number) {
  const seen = { questions: 0 };
  return { seen, isFresh: async () => Promise.resolve((seen.questions += 1) >= nth) };
}

describe('waiting for fresh read models', () => {
  it('asks once while they are fresh', async () => {
    const { seen, isFresh } = freshAt(1);
    await expect(createFreshWait({ isFresh }, systemClock)()).resolves.toBe(true);
    expect(seen.questions).toBe(1);
  });

  it('is one wait for all who ask meanwhile', async () => {
    const { seen, isFresh } = freshAt(52);
    const wait = createFreshWait({ isFresh }, systemClock);
    const answers = await Promise.all(Array.from({ length: 50 }, () => wait()));
    expect([new Set(answers), seen.questions]).toEqual([new Set([true]), 52]);
  });

  it('ends without success when they stay behind, and can begin again', async () => {
    let now = 0;
    const clock = { ...systemClock, monotonic: () => (now += 200) };
    const late = freshAt(Number.POSITIVE_INFINITY);
    const wait = createFreshWait(late, clock);
    await expect(wait()).resolves.toBe(false);
    const before = late.seen.questions;
    await expect(wait()).resolves.toBe(false);
    expect(late.seen.questions).toBeGreaterThan(before);
  });
});
