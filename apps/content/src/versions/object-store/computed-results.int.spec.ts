import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { startRig, type Rig } from '../../test/rig-with-store.js';
import { ComputedResults, type Computation, type Computed } from './computed-results.process.js';
import { claimResult, dropResults } from './computed-results.operational.js';

type Parts = ConstructorParameters<typeof ComputedResults>[0];

/** A promise, and what ends it. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

describe('what scripts have computed', () => {
  let rig: Rig;
  let stopping: AbortController;
  let now: number;
  const space = 'computed-results';
  const key = { pool: 'p', space, source: 's', seed: '1', branch: space };
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());
  beforeEach(async () => {
    now = 1_000_000;
    stopping = new AbortController();
    await dropResults(rig.store, { space: key.space });
  });

  const replica = (): ComputedResults =>
    new ComputedResults({
      database: rig.store.database,
      logger: { error: () => undefined, warn: () => undefined },
      now: () => now,
      scope: ((store) => ({ store })) as Parts['scope'],
      stopping: stopping.signal,
      store: { scope: () => ({}) as ReturnType<Parts['store']['scope']> },
    });
  /** A computation that waits for its end, and how often it has begun. */
  const computation = (seed = key.seed, organization = 'o') => {
    const end = deferred<Computed>();
    const begun = deferred<string | undefined>();
    let count = 0;
    const of: Computation = {
      key: { ...key, seed },
      organization,
      compute(_scope, earlier) {
        count += 1;
        begun.resolve(earlier);
        return end.promise;
      },
    };
    return { of, end, begun: begun.promise, count: () => count };
  };

  it('are computed by one replica; another waits for what comes of it', async () => {
    const [one, other] = [replica(), replica()];
    const { of, end, begun, count } = computation();
    const first = one.renew(of, undefined);
    await begun;
    const second = other.renew(of, undefined);
    end.resolve({ text: 'T' });
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    expect(count()).toBe(1);
    const { kept } = await other.find(key);
    expect(kept && (await other.text(kept))).toBe('T');
    await other.renew(of, undefined);
    expect(count()).toBe(1);
  });

  it('are computed by another replica when one has not ended in time, or stops', async () => {
    const claim = { by: 'dead', until: now + 10 };
    expect(await claimResult(rig.store, key, { claim, now })).toEqual({ failure: undefined });
    expect(await claimResult(rig.store, key, { claim, now })).toBeNull();
    now += 10;
    const { of, end, begun } = computation();
    const stopped = replica().renew(of, undefined);
    await begun;
    stopping.abort();
    end.reject(new Error('stopped'));
    await stopped;
    expect(await claimResult(rig.store, key, { claim, now })).not.toBeNull();
  });

  it('rest after a failure, longer after each, and are not computed by any replica meanwhile', async () => {
    const fail = async (): Promise<number> => {
      let count = 0;
      const compute = (): Promise<Computed> => {
        count += 1;
        return Promise.reject(new AppError('integration_failed'));
      };
      await replica().renew({ key, organization: 'o', compute }, undefined);
      return count;
    };
    expect(await fail()).toBe(1);
    const { failure } = await replica().find(key);
    expect(failure).toMatchObject({ reason: 'integration_failed', count: 1, until: now + 30_000 });
    expect(replica().isDue(failure)).toBe(false);
    expect(await fail()).toBe(0);
    now += 30_000;
    expect(await fail()).toBe(1);
    expect((await replica().find(key)).failure).toMatchObject({ count: 2, until: now + 60_000 });
  });

  it('keep what is good of a result, and why it is not all, until it is', async () => {
    const results = replica();
    const partly = computation();
    partly.end.resolve({ text: 'some', fault: new AppError('integration_failed', [], { message: 'Bad' }) });
    expect(await results.renew(partly.of, undefined)).toMatchObject({ message: 'Bad', count: 1 });
    const before = await results.find(key);
    expect(before).toMatchObject({ kept: { seed: '1' }, failure: { message: 'Bad' } });
    now += 30_000;
    const whole = computation();
    whole.end.resolve({ text: 'all' });
    expect(await results.renew(whole.of, before.failure)).toBeUndefined();
    expect(await whole.begun).toBe('some');
    const after = await results.find(key);
    expect(after.failure).toBeUndefined();
    expect(after.kept?.at).not.toBe(before.kept?.at);
    expect(before.kept && (await results.text(before.kept))).toBeUndefined();
  });

  it('of other branches are not what a branch shows, but for what has its seed', async () => {
    const results = replica();
    const compute = async (branch: string | null, seed: string, answer: string | Error) => {
      now += 1_000;
      let earlier: string | undefined;
      const work = (_scope: Scope, last: string | undefined): Promise<Computed> => {
        earlier = last;
        return typeof answer === 'string' ? Promise.resolve({ text: answer }) : Promise.reject(answer);
      };
      await results.renew({ key: { ...key, branch, seed }, organization: 'o', compute: work }, undefined);
      return earlier;
    };
    const shown = async (branch: string | null, seed: string) =>
      (await results.find({ ...key, branch, seed })).kept?.seed;
    await compute(space, 'a', 'main');
    expect(await compute('r', 'b', 'request')).toBe('main');
    expect(await compute('r', 'c', 'request')).toBe('main');
    await compute(null, 'd', 'older revision');
    expect(await compute(space, 'e', new AppError('integration_failed'))).toBe('main');
    expect([await shown(space, 'e'), await shown('r', 'e'), await shown('other', 'e')]).toEqual(['a', 'c', 'a']);
    expect([await shown(null, 'd'), await shown(null, 'e')]).toEqual(['d', 'a']);
    for (let count = 0; count < 8; count += 1) await compute('r', `of request ${count}`, 'request');
    expect([await shown(space, 'e'), await shown('r', 'e')]).toEqual(['a', 'of request 7']);
    // Merged: from now on the main content shows what was computed for the change request, and goes on to do so.
    expect(await shown(space, 'of request 6')).toBe('of request 6');
    expect([await shown(space, 'e'), await shown('other', 'e')]).toEqual(['of request 6', 'of request 6']);
    // The merge is reverted.
    now += 1_000;
    expect(await shown(space, 'a')).toBe('a');
    expect(await shown(space, 'e')).toBe('a');
  });

  it('leave turns for other organizations', async () => {
    const results = replica();
    const own = Array.from({ length: 6 }, (_, index) => computation(`own ${index}`));
    const renewed = own.map(({ of }) => results.renew(of, undefined));
    await Promise.all(own.slice(0, 4).map(({ begun }) => begun));
    const other = computation('of another', 'other');
    const ofOther = results.renew(other.of, undefined);
    await other.begun;
    expect(own.map(({ count }) => count())).toEqual([1, 1, 1, 1, 0, 0]);
    for (const { end } of [...own, other]) end.resolve({ text: '' });
    await Promise.all([...renewed, ofOther]);
    expect(own.every(({ count }) => count() === 1)).toBe(true);
  });
});
