import { describe, expect, it } from '@jest/globals';
import { createGate } from '../egress/gate.js';
import { fromProc, fromPs } from './memory.js';
import { createRests } from './rests.js';

describe('an integration', () => {
  it('rests after three ends in ten minutes, for ten minutes', () => {
    let now = 0;
    const rests = createRests({ kills: 3, withinMs: 600_000, restMs: 600_000 }, () => now);
    expect([rests.note('a'), rests.note('a'), rests.left('a')]).toEqual([false, false, 0]);
    now = 600_001;
    expect([rests.note('a'), rests.note('b'), rests.left('a')]).toEqual([false, false, 0]);
    now += 1_000;
    expect([rests.note('a'), rests.note('a'), rests.left('a'), rests.left('b')]).toEqual([false, true, 600_000, 0]);
    now += 600_000;
    expect([rests.left('a'), rests.note('a')]).toEqual([0, false]);
  });
});

describe('a gate', () => {
  const never = new AbortController().signal;

  it('bounds requests in a second', async () => {
    let now = 0;
    const gate = createGate({ perSecond: 2, atOnce: 10, waiting: 10 }, () => now);
    const entered = [await gate.enter(never), await gate.enter(never), await gate.enter(never)];
    expect(entered.map((leave) => leave !== undefined)).toEqual([true, true, false]);
    now = 1_000;
    expect(await gate.enter(never)).toBeDefined();
  });

  it('lets others wait in their order, and forgets those who do not', async () => {
    const gate = createGate({ perSecond: 100, atOnce: 1, waiting: 2 });
    const leave = await gate.enter(never);
    const gone = new AbortController();
    const left = gate.enter(gone.signal);
    const second = gate.enter(never);
    expect(await gate.enter(never)).toBeUndefined();
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    leave?.();
    leave?.();
    (await second)?.();
    expect(await gate.enter(never)).toBeDefined();
  });
});

describe('the memory of processes', () => {
  it.each([
    ['the file system of processes', fromProc],
    ['ps', fromPs],
  ])('is read from %s', async (_, read) => {
    const sizes = await read([process.pid, 2 ** 22 + 1]);
    expect([...sizes.keys()]).toEqual([process.pid]);
    expect(sizes.get(process.pid)).toBeGreaterThan(10_000_000);
    expect((await read([])).size).toBe(0);
  });
});
