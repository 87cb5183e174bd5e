import { AppError } from '@scriptorium/contracts';
import { describe, expect, it } from '@jest/globals';
import { justMade } from './just-made.js';

describe('justMade', () => {
  it('gives what was read', async () => {
    expect(await justMade(() => Promise.resolve('it'))).toBe('it');
  });

  it('never says that what was just made does not exist', async () => {
    await expect(justMade(() => Promise.reject(new AppError('not_found')))).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 1 });
  });

  it('passes every other failure on', async () => {
    await expect(justMade(() => Promise.reject(new AppError('forbidden')))).rejects.toMatchObject({ reason: 'forbidden' });
  });
});
