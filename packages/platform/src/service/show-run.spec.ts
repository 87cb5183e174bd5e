import { describe, expect, it } from '@jest/globals';
import { showRun } from './show-run.js';

describe('a run as it is answered', () => {
  const asked = { id: 'r', kind: 'k', version: 1, organization: 'o', requestedBy: 'u', step: 0, attempts: 0 } as const;
  const view = { ...asked, input: { secret: 1 }, result: null, status: 'pending' as const, requestedAt: 0 };

  it('has its times as timestamps, and neither input nor result', () => {
    expect(showRun(view)).toEqual({ id: 'r', status: 'pending', requestedAt: '1970-01-01T00:00:00.000Z' });
    const failure = { reason: 'conflict', message: 'No' };
    const ended = { ...view, status: 'failed' as const, startedAt: 1, endedAt: 2, failure, progress: { done: 3 } };
    expect(showRun(ended)).toEqual({
      id: 'r',
      status: 'failed',
      progress: { done: 3 },
      requestedAt: '1970-01-01T00:00:00.000Z',
      startedAt: '1970-01-01T00:00:00.001Z',
      endedAt: '1970-01-01T00:00:00.002Z',
      failure,
    });
  });
});
