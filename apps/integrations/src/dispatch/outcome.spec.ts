import { describe, expect, it } from '@jest/globals';
import { mostAttempts, outcomeOf, pauseAfter } from './outcome.js';

describe('an attempt at a delivery', () => {
  it.each([
    [{ status: 200 }, { kind: 'success', isHandled: true }],
    [{ status: 302 }, { kind: 'success', isHandled: true }],
    [{ status: 406 }, { kind: 'success', isHandled: false }],
    [{ status: 400 }, { kind: 'failed', reason: 'status_400' }],
    [{ status: 429 }, { kind: 'again', reason: 'status_429' }],
    [{ status: 500 }, { kind: 'again', reason: 'status_500' }],
    [{ reason: 'integration_timeout' }, { kind: 'again', reason: 'integration_timeout' }],
    [{ reason: 'interrupted' }, { kind: 'again', reason: 'interrupted' }],
    [{ reason: 'unreachable' }, { kind: 'wait', reason: 'unreachable', ms: 1_000 }],
    [
      { reason: 'integration_resting', retryAfterMs: 90_000 },
      { kind: 'wait', reason: 'integration_resting', ms: 90_000 },
    ],
    [
      { reason: 'runtime_busy', retryAfterMs: 1e9 },
      { kind: 'wait', reason: 'runtime_busy', ms: 600_000 },
    ],
  ])('%j leads to %j', (attempted, outcome) => {
    expect(outcomeOf(attempted)).toEqual(outcome);
  });

  it('is followed by others after one, two and four seconds, and not at the same moment for all', () => {
    expect([1, 2, 3].map((attempts) => pauseAfter(attempts, 0.5))).toEqual([1_000, 2_000, 4_000]);
    expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([750, 1_250]);
    expect(pauseAfter(mostAttempts, 0.5)).toBeUndefined();
  });
});
