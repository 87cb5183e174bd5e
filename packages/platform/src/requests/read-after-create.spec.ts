import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { readAfterCreate } from './read-after-create.js';

const service = (state: 'live' | 'rebuilding') => ({ isLive: () => Promise.resolve(state === 'live') });

describe('readAfterCreate', () => {
  it('gives what was read', async () => {
    expect(await readAfterCreate(service('live'), () => Promise.resolve('it'))).toBe('it');
  });

  it('never says that what was just made does not exist while that cannot be known', async () => {
    await expect(
      readAfterCreate(service('rebuilding'), () => Promise.reject(new AppError('not_found'))),
    ).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 1 });
  });

  it('says that it is gone again', async () => {
    await expect(
      readAfterCreate(service('live'), () => Promise.reject(new AppError('not_found'))),
    ).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  it('passes every other failure on', async () => {
    await expect(
      readAfterCreate(service('rebuilding'), () => Promise.reject(new AppError('forbidden'))),
    ).rejects.toMatchObject({ reason: 'forbidden' });
  });
});
