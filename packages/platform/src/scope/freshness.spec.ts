import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { readAfterCreate } from './freshness.js';

const service = (state: 'live' | 'rebuilding') => ({ store: { isLive: () => state === 'live' } });

describe('a read after a creation', () => {
  it('returns what was read', async () => {
    expect(await readAfterCreate(service('live'), () => Promise.resolve('it'))).toBe('it');
  });

  it('does not answer not_found while the read model may still be behind', async () => {
    await expect(
      readAfterCreate(service('rebuilding'), () => Promise.reject(new AppError('not_found'))),
    ).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 1 });
  });

  it('answers that the object has been removed again when that is known', async () => {
    await expect(
      readAfterCreate(service('live'), () => Promise.reject(new AppError('not_found'))),
    ).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  it('passes other failures on', async () => {
    await expect(
      readAfterCreate(service('rebuilding'), () => Promise.reject(new AppError('forbidden'))),
    ).rejects.toMatchObject({ reason: 'forbidden' });
  });
});
