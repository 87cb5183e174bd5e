import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import type { Health } from '@scriptorium/event-sourcing';
import { justMade } from './just-made.js';

const service = (state: 'live' | 'rebuilding') => ({ store: { health: () => Promise.resolve({ projections: [{ state: 'live' }, { state }] } as unknown as Health) } });

describe('justMade', () => {
  it('gives what was read', async () => {
    expect(await justMade(service('live'), () => Promise.resolve('it'))).toBe('it');
  });

  it('never says that what was just made does not exist while that cannot be known', async () => {
    await expect(justMade(service('rebuilding'), () => Promise.reject(new AppError('not_found')))).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 1 });
  });

  it('says that it is gone again', async () => {
    await expect(justMade(service('live'), () => Promise.reject(new AppError('not_found')))).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('passes every other failure on', async () => {
    await expect(justMade(service('rebuilding'), () => Promise.reject(new AppError('forbidden')))).rejects.toMatchObject({ reason: 'forbidden' });
  });
});
