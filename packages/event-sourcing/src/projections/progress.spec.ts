import { describe, expect, it } from '@jest/globals';
import { localBroadcast } from '../process/broadcast.js';
import { type Consumers, type ConsumerEntry } from '../leases/consumers.js';
import { silentLogger } from '../process/observe.js';
import { createProgress } from './progress.js';
import { systemClock } from '../process/time.js';

/** Checkpoints of two projections, of which only the first one's owner can be heard. */
function twoProjections() {
  const entry = (position: bigint): ConsumerEntry => ({
    owner: 'o',
    epoch: 1,
    beat: 1,
    position,
    fingerprint: 'f',
    state: 'live',
    problem: undefined,
    types: [],
  });
  const stored = new Map([
    ['heard', entry(1n)],
    ['silent', entry(1n)],
  ]);
  const refused = () => Promise.reject(new Error('not for readers'));
  const consumers: Consumers = {
    read: () => Promise.resolve(new Map(stored)),
    declare: refused,
    take: refused,
    takeAll: refused,
    beat: refused,
    release: refused,
    checkpoint: refused,
    reset: () => Promise.reject(new Error('not asked for')),
    grown: () => Promise.reject(new Error('not asked for')),
    mark: refused,
  };
  const progress = createProgress({
    names: [...stored.keys()],
    owner: 'me',
    consumers,
    subject: 's',
    broadcast: localBroadcast(),
    clock: systemClock,
    logger: silentLogger,
  });
  return { progress, moveOn: (name: string, position: bigint) => stored.set(name, entry(position)) };
}

describe('waiting for a projection', () => {
  it('reads the checkpoint of one that is not heard of while another is announced all the time', async () => {
    const { progress, moveOn } = twoProjections();
    await progress.refresh();
    let at = 1n;
    const announcing = setInterval(
      () => progress.announce([{ lease: { name: 'heard', epoch: 1 }, at: (at += 1n), state: 'live', changed: at }]),
      5,
    );
    moveOn('silent', 9n);
    await expect(progress.wait(['silent'], 9n, 5_000)).resolves.toBe(true);
    clearInterval(announcing);
    progress.stop();
  });
});

describe('who listens to a projection', () => {
  it('is called when its documents have changed, and not when it is only further', () => {
    const { progress } = twoProjections();
    let calls = 0;
    const end = progress.onChange('heard', () => (calls += 1));
    const announce = (name: string, at: bigint, changed: bigint) =>
      progress.announce([{ lease: { name, epoch: 1 }, at, state: 'live', changed }]);
    announce('heard', 5n, 4n);
    announce('heard', 6n, 4n);
    announce('silent', 7n, 7n);
    expect(calls).toBe(1);
    announce('heard', 8n, 8n);
    expect(calls).toBe(2);
    end();
    announce('heard', 9n, 9n);
    expect(calls).toBe(2);
    progress.stop();
  });
});
