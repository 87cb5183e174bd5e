import { describe, expect, it } from '@jest/globals';
import { type Consumers, type ConsumerEntry } from '../leases/consumers.js';
import { claimRebuild } from './rebuild-claim.js';
import { eventually } from '../test/servers.js';

describe('the claim of a rebuild', () => {
  it('that was free is lost 2 s after it was taken when it could not beat', async () => {
    let [now, beats] = [0, 0];
    const clock = { now: () => now, monotonic: () => now };
    const free: ConsumerEntry = {
      owner: null,
      epoch: 1,
      beat: 0,
      position: -1n,
      fingerprint: 'task',
      state: 'building',
      problem: undefined,
      types: [],
    };
    const done = () => Promise.resolve();
    const beat = () => {
      beats += 1;
      return Promise.reject(new Error('away'));
    };
    const consumers: Consumers = {
      read: ([name = '']) => Promise.resolve(new Map([[name, free]])),
      declare: done,
      take: () => Promise.resolve(true),
      takeAll: () => Promise.reject(new Error('not asked for')),
      beat,
      release: done,
      checkpoint: done,
      reset: () => Promise.reject(new Error('not asked for')),
      grown: () => Promise.reject(new Error('not asked for')),
      mark: done,
    };
    const claim = await claimRebuild({ consumers, clock, stopped: new AbortController() }, 'c', 'me', 60_000);
    now = 1_999;
    const before = beats;
    await eventually(() => beats > before + 1);
    expect(claim.signal.aborted).toBe(false);
    now = 2_000;
    await eventually(() => claim.signal.aborted);
    expect(() => claim.check()).toThrow('taken over');
    await claim.release();
  });
});
