import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@scriptorium/event-sourcing';
import fc from 'fast-check';
import { identityReadModels } from './access.js';
import { addDemand, createFreshness, createFreshWait, dueBy, type Demand, type ProgressSource } from './freshness.js';
import { memberships } from './membership.projection.js';
import { parameters } from './test/arbitraries.js';

function setUp() {
  const time = { now: 10_000 };
  const progress = { live: true, asked: 0, written: new Map<string, bigint>() };
  const source: ProgressSource = {
    isLive: () => progress.live,
    written: ({ collection }) => {
      progress.asked += 1;
      return Promise.resolve(progress.written.get(collection) ?? 0n);
    },
  };
  const clock = { now: () => time.now, monotonic: () => time.now };
  const freshness = createFreshness(source, { clock, projections: identityReadModels });
  const beat = (recorded: Record<string, bigint> = {}, epoch = 'one'): void =>
    freshness.heard({ epoch, recorded: new Map(Object.entries(recorded)) });
  /** Time goes by with a beat every 250 ms, as identity beats. */
  const pass = (ms: number, recorded: Record<string, bigint> = {}): void => {
    for (let passed = 0; passed < ms; passed += 250) {
      time.now += 250;
      beat(recorded);
    }
  };
  return { time, progress, freshness, beat, pass };
}

describe('the access read models', () => {
  it('are fresh while heartbeats of the source service arrive and announce nothing new', async () => {
    const { freshness, progress, beat, pass } = setUp();
    beat();
    pass(10_000);
    expect(await freshness.isFresh()).toBe(true);
    expect(progress.asked).toBe(0);
  });

  it('are not fresh before the first heartbeat, nor after 2 s without one', async () => {
    const { freshness, time, beat } = setUp();
    expect(await freshness.isFresh()).toBe(false);
    beat();
    time.now += 1_999;
    expect(await freshness.isFresh()).toBe(true);
    time.now += 1;
    expect(await freshness.isFresh()).toBe(false);
    beat();
    expect(await freshness.isFresh()).toBe(true);
  });

  it('are not fresh while one of them is being rebuilt or has stopped', async () => {
    const { freshness, progress, beat } = setUp();
    beat();
    progress.live = false;
    expect(await freshness.isFresh()).toBe(false);
  });

  it('stay fresh for 2 s after the last heartbeat without an event that they do not contain', async () => {
    const { freshness, progress, beat, pass, time } = setUp();
    beat();
    pass(250, { 'identity.roster': 7n });
    expect(await freshness.isFresh()).toBe(true);
    pass(1_500, { 'identity.roster': 7n });
    time.now += 249;
    expect(await freshness.isFresh()).toBe(true);
    time.now += 1;
    expect(await freshness.isFresh()).toBe(false);
    progress.written.set('membership_v1', 7n);
    // Seats in teams end with memberships, so they have to show it too.
    expect(await freshness.isFresh()).toBe(false);
    progress.written.set('team_seat_v1', 9n);
    expect(await freshness.isFresh()).toBe(true);
  });

  it('are not queried again for an event that they were found to contain', async () => {
    const { freshness, progress, beat, pass } = setUp();
    progress.written.set('membership_v1', 7n).set('team_seat_v1', 7n);
    beat();
    pass(4_000, { 'identity.roster': 7n });
    expect(await freshness.isFresh()).toBe(true);
    const { asked } = progress;
    pass(1_000, { 'identity.roster': 7n });
    expect(await freshness.isFresh()).toBe(true);
    expect(progress.asked).toBe(asked);
  });

  it('stay fresh without events that do not concern them', async () => {
    const { freshness, progress, beat, pass } = setUp();
    progress.written.set('organization_fact_v1', 20n);
    beat();
    pass(4_000, { 'identity.user': 99n, 'identity.sso': 20n });
    expect(await freshness.isFresh()).toBe(true);
  });

  it('are not fresh when the first heartbeat of a process announces an event that they do not contain', async () => {
    const { freshness, progress, beat } = setUp();
    beat({ 'identity.team': 5n });
    expect(await freshness.isFresh()).toBe(false);
    progress.written.set('team_seat_v1', 5n);
    expect(await freshness.isFresh()).toBe(true);
  });

  it('stop being fresh in time also when heartbeats are lost, or another process sends them', async () => {
    const { freshness, beat, time } = setUp();
    beat({}, 'one');
    time.now += 1_000;
    beat({}, 'two');
    time.now += 900;
    // Recorded by the first process at any moment of the last 1.9 s.
    beat({ 'identity.roster': 7n }, 'two');
    beat({ 'identity.roster': 7n }, 'one');
    expect(await freshness.isFresh()).toBe(true);
    time.now += 100;
    expect(await freshness.isFresh()).toBe(false);
  });

  it('are queried once for many concurrent requests', async () => {
    const { freshness, progress, beat } = setUp();
    beat({ 'identity.roster': 7n });
    await Promise.all(Array.from({ length: 50 }, () => freshness.isFresh()));
    expect(progress.asked).toBe([memberships, 'team seats'].length);
  });
});

describe('the required positions', () => {
  const demand = fc.record({ position: fc.bigInt({ min: 0n, max: 30n }), from: fc.nat(30) });

  it('are the highest of those in force, and few are kept', () => {
    fc.assert(
      fc.property(fc.array(demand, { maxLength: 20 }), fc.nat(40), (all, later) => {
        const given: Demand[] = [];
        let demands: readonly Demand[] = [];
        let now = 0;
        for (const one of all) {
          now = Math.max(now, one.from - 10);
          given.push(one);
          demands = addDemand(demands, one, now);
          expect(dueBy(demands, now)).toBe(highest(given, now));
          expect(demands.filter(({ from }) => from <= now).length).toBeLessThanOrEqual(1);
        }
        expect(dueBy(demands, now + later)).toBe(highest(given, now + later));
      }),
      parameters,
    );
  });
});

function highest(demands: readonly Demand[], now: number): bigint {
  return demands
    .filter(({ from }) => from <= now)
    .reduce((most, { position }) => (position > most ? position : most), -1n);
}

/** Read models that are fresh from the nth question on. */
function freshAt(nth: number) {
  const seen = { questions: 0 };
  return { seen, isFresh: async () => Promise.resolve((seen.questions += 1) >= nth) };
}

describe('waiting for fresh read models', () => {
  it('asks once while they are fresh', async () => {
    const { seen, isFresh } = freshAt(1);
    await expect(createFreshWait({ isFresh }, systemClock)()).resolves.toBe(true);
    expect(seen.questions).toBe(1);
  });

  it('is one wait for all who ask meanwhile', async () => {
    const { seen, isFresh } = freshAt(52);
    const wait = createFreshWait({ isFresh }, systemClock);
    const answers = await Promise.all(Array.from({ length: 50 }, () => wait()));
    expect([new Set(answers), seen.questions]).toEqual([new Set([true]), 52]);
  });

  it('ends without success when they stay behind, and can begin again', async () => {
    let now = 0;
    const clock = { ...systemClock, monotonic: () => (now += 200) };
    const late = freshAt(Number.POSITIVE_INFINITY);
    const wait = createFreshWait(late, clock);
    await expect(wait()).resolves.toBe(false);
    const before = late.seen.questions;
    await expect(wait()).resolves.toBe(false);
    expect(late.seen.questions).toBeGreaterThan(before);
  });
});
