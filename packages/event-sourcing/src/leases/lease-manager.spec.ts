import { describe, expect, it } from '@jest/globals';
import { localBroadcast } from '../process/broadcast.js';
import { type Consumers, type ConsumerEntry } from './consumers.js';
import { startLeaseManager } from './lease-manager.js';
import { silentLogger } from '../process/observe.js';
import { eventually } from '../test/servers.js';
import { systemClock } from '../process/time.js';

const free: ConsumerEntry = {
  owner: null,
  epoch: 1,
  beat: 7,
  position: -1n,
  fingerprint: 'f',
  state: 'live',
  problem: undefined,
  types: [],
};

/** The leases of one consumer in memory. They record when they were read and taken. */
function consumersOf(owner: string | null) {
  const entry: ConsumerEntry = { ...free, owner };
  const [asked, taken]: [number[], number[]] = [[], []];
  const consumers: Consumers = {
    read: () => {
      asked.push(systemClock.monotonic());
      return Promise.resolve(new Map([['c', { ...entry }]]));
    },
    declare: () => Promise.resolve(),
    take: () => Promise.reject(new Error('not asked for')),
    takeAll: (_seen, by) => {
      taken.push(systemClock.monotonic());
      entry.owner = by;
      entry.epoch += 1;
      return Promise.resolve(new Set(['c']));
    },
    beat: () => Promise.resolve(1),
    release: () => Promise.resolve(),
    checkpoint: () => Promise.resolve(),
    reset: () => Promise.reject(new Error('not asked for')),
    grown: () => Promise.reject(new Error('not asked for')),
    mark: () => Promise.resolve(),
  };
  return { consumers, asked, taken };
}

/** The times in ms between consecutive moments. */
const gaps = (moments: readonly number[]) => moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0));

const partsOf = (consumers: Consumers, changed = (): void => undefined) => ({
  consumers,
  names: ['c'],
  owner: 'me',
  subject: 's',
  broadcast: localBroadcast(),
  clock: systemClock,
  logger: silentLogger,
  metrics: {},
  changed,
});
const leaseOn = (...of: Parameters<typeof partsOf>) => startLeaseManager(partsOf(...of));

describe('a lease', () => {
  it('is taken only by a competing replica, and immediately when it is free', async () => {
    const { consumers, asked, taken } = consumersOf(null);
    const leases = leaseOn(consumers);
    await eventually(() => asked.length > 1);
    expect(taken).toEqual([]);
    leases.compete();
    await eventually(() => leases.holds({ name: 'c', epoch: 2 }), 2_000);
    await leases.stop();
  });

  it('of a dead holder is taken 3 s after its last heartbeat, counted from the time of watching', async () => {
    const { consumers, asked, taken } = consumersOf('dead');
    const leases = leaseOn(consumers);
    // A start that takes long: until its end, leases of others are only watched.
    await eventually(() => asked.length > 5);
    const competing = systemClock.monotonic();
    leases.compete();
    await eventually(() => taken.length > 0);
    expect((taken[0] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(2990);
    expect((taken[0] ?? 0) - competing).toBeLessThan(2990);
    await leases.stop();
  });

  it('is checked twice a second while a lease without a heartbeat cannot be taken over', async () => {
    const { consumers, asked } = consumersOf('dead');
    const leases = leaseOn(consumers);
    await eventually(() => (asked.at(-1) ?? 0) - (asked[0] ?? 0) > 3900);
    // The first rest is until the beat of the process.
    expect(Math.min(...gaps(asked).slice(1))).toBeGreaterThan(400);
    const failed: number[] = [];
    consumers.read = () => {
      failed.push(systemClock.monotonic());
      return Promise.reject(new Error('away'));
    };
    leases.compete();
    await eventually(() => failed.length > 3);
    expect(Math.min(...gaps(failed).slice(1))).toBeGreaterThan(400);
    await leases.stop();
  });

  it('is checked again immediately when a round was requested during another one', async () => {
    const { consumers, asked, taken } = consumersOf(null);
    // Set before the timer of the next round, so that it fires before that also when the machine is busy.
    let isNextRoundDue = false;
    const dueAtTakes: boolean[] = [];
    const watched: Consumers = {
      ...consumers,
      takeAll: (...given) => {
        dueAtTakes.push(isNextRoundDue);
        return consumers.takeAll(...given);
      },
    };
    const leases = leaseOn(watched, () => {
      if (asked.length !== 1) return;
      setTimeout(() => (isNextRoundDue = true), 400);
      leases.compete();
    });
    await eventually(() => taken.length > 0);
    expect(dueAtTakes[0]).toBe(false);
    await leases.stop();
  });

  it('is kept by the heartbeat of another one of its holder, and taken with all others when there is none', async () => {
    const names = ['a', 'b', 'c'];
    const entries = new Map(names.map((name) => [name, { ...free, owner: 'other' }]));
    let [now, isAlive] = [0, true];
    const taken: string[][] = [];
    const leases = startLeaseManager({
      ...partsOf({
        ...consumersOf('other').consumers,
        read: () => {
          now += 1_000;
          const a = entries.get('a');
          if (isAlive && a !== undefined) entries.set('a', { ...a, beat: a.beat + 1 });
          return Promise.resolve(new Map(entries));
        },
        takeAll: (seen) => {
          taken.push([...seen.keys()]);
          for (const name of seen.keys()) entries.set(name, { ...free, owner: 'me', epoch: 2 });
          return Promise.resolve(new Set(seen.keys()));
        },
      }),
      names,
      clock: { now: () => now, monotonic: () => now },
    });
    leases.compete();
    await eventually(() => now > 4_000);
    expect(taken).toEqual([]);
    isAlive = false;
    await eventually(() => taken.length > 0);
    expect(taken).toEqual([names]);
    await leases.stop();
  });

  it('of what a replica cannot run is looked at no more often when its holder has died', async () => {
    const { consumers, asked } = consumersOf('dead');
    let now = 0;
    const leases = startLeaseManager({
      ...partsOf({ ...consumers, read: (names) => ((now += 4_000), consumers.read(names)) }),
      canRun: () => false,
      clock: { now: () => now, monotonic: () => now },
    });
    leases.compete();
    await eventually(() => asked.length > 4);
    await leases.stop();
    // The first rounds are asked for.
    expect(Math.min(...gaps(asked).slice(2))).toBeGreaterThan(200);
  });

  it('is kept by heartbeats with one lease for all, and with each after a time in which none could be sent', async () => {
    const names = ['a', 'b', 'c'];
    const entries = new Map(names.map((name) => [name, free]));
    const beaten: (readonly string[])[] = [];
    let now = 0;
    const leases = startLeaseManager({
      ...partsOf({
        ...consumersOf(null).consumers,
        read: () => Promise.resolve(entries),
        takeAll: (seen) => Promise.resolve(new Set(seen.keys())),
        beat: (with_) => {
          beaten.push(with_);
          return Promise.resolve(with_.length);
        },
      }),
      names,
      clock: { now: () => now, monotonic: () => now },
    });
    leases.compete();
    await eventually(() => beaten.length >= 6);
    expect(new Set(beaten.slice(0, 6).map(({ length }) => length))).toEqual(new Set([1, 3]));
    expect(beaten.slice(0, 6).filter(({ length }) => length === 1).length).toBeGreaterThanOrEqual(4);
    now = 10_000;
    const { length } = beaten;
    await eventually(() => beaten.length > length);
    expect(beaten.slice(length)[0]).toEqual(names);
    await leases.stop();
  });
});
