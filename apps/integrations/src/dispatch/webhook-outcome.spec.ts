import { describe, expect, it } from '@jest/globals';
import { hasArrived, isGivenUp, webhookPauseAfter } from './webhook-outcome.js';

describe('an attempt at a webhook', () => {
  it('has arrived with a status from 200 to 299 alone', () => {
    expect([200, 204, 299].every(hasArrived)).toBe(true);
    expect([null, 199, 301, 404, 406, 500].some(hasArrived)).toBe(false);
  });

  it('is followed by others after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, or a little later', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7].map((attempts) => webhookPauseAfter(attempts, 0));
    expect(seconds).toEqual([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, undefined]);
    expect(webhookPauseAfter(1, 1)).toBe(5_500);
  });

  it('is the last one for a webhook of which nothing has arrived for 5 days', () => {
    const days = (count: number) => count * 24 * 3_600_000;
    expect([isGivenUp(0, days(5) - 1), isGivenUp(0, days(5))]).toEqual([false, true]);
  });
});
