import { describe, expect, it } from '@jest/globals';
import { refusalOfCall } from './call-failure.js';

const refused = (reason: string, more: { retryAfterMs?: number } = {}) => {
  const { reason: said, message, retryAfter } = refusalOfCall({ reason, message: 'TypeError at line 7', ...more });
  return { said, message, retryAfter };
};

describe('a call without an answer', () => {
  it.each(['integration_timeout', 'script_blocked', 'script_out_of_memory', 'integration_resting'])(
    'is refused as %s, as the runtime says',
    (reason) => expect(refused(reason, { retryAfterMs: 1_500 })).toMatchObject({ said: reason, retryAfter: 2 }),
  );

  it.each(['script_failed', 'script_needed', 'interrupted'])('is a failure of the script for %s', (reason) => {
    expect(refused(reason).said).toBe('integration_failed');
    expect(refused(reason).message).not.toContain('TypeError');
  });

  it('says that it was the developer who did not answer', () => {
    const { said, message } = refused('tunnel_failed');
    expect([said, message]).toEqual(['integration_failed', expect.stringContaining('developer')]);
    expect(message).not.toContain('TypeError');
  });

  it.each(['unreachable', 'runtime_busy', 'runtime_unavailable', 'unauthenticated', 'anything'])(
    'may be sent again later for %s',
    (reason) => expect(refused(reason)).toMatchObject({ said: 'runtime_unavailable', retryAfter: 5 }),
  );
});
