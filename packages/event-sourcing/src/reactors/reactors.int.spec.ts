import { type StoreScope } from '../commands/store-scope.js';
import { type DueTimer } from '../timers/timers.js';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { reactor } from './reactor.js';
import { reservationOf } from '../reservations/reservation.js';
import { type ReservationKind } from '../commands/reservation-request.js';
import { eventually } from '../test/servers.js';
import { addMember, contextOf, create, rename, team, teamEvents, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

const writers = { title: 'Writers', organization: 'o1' };

describe('reactors', () => {
  it('react to events with commands that are recognised when repeated', async () => {
    const welcome = reactor({
      name: 'welcome',
      events: [teamEvents.pick('TeamCreated')],
      entities: ['team'],
      react: async (event, context) =>
        void (await context.handle(team, event.entityId, (state) =>
          addMember(state, { user: `first of ${event.entityId}` }),
        )),
    });
    const store = world.open({ projections: [teamList], reactors: [welcome] });
    await store.start();
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    await eventually(async () => (await store.collection(teamList).byId('t1'))?.members === 1);
    await store.stop();
    const again = world.open({ projections: [teamList], reactors: [welcome] });
    await again.database
      .collection<{ _id: string }>('op_consumers')
      .updateOne({ _id: 'reactor_welcome_v1' }, { $set: { position: -1 } });
    await again.start();
    await again.scope(contextOf('x')).handle(team, 't2', (state) => create(state, writers));
    await eventually(async () => (await again.collection(teamList).byId('t2'))?.members === 1);
    await expect(again.collection(teamList).byId('t1')).resolves.toMatchObject({ members: 1 });
  });

  it('park an event that keeps failing and the later ones of its stream, and process them in order on request', async () => {
    const seen: string[] = [];
    let broken = true;
    const fragile = reactor({
      name: 'fragile',
      events: [teamEvents],
      entities: ['team'],
      react: (event) => {
        if (broken && event.entityId === 'bad' && event.type === 'TeamCreated')
          return Promise.reject(new AppError('bad_gateway'));
        seen.push(`${event.entityId} ${event.type}`);
        return Promise.resolve();
      },
    });
    const store = world.open({ reactors: [fragile] });
    await store.start();
    await store.scope(contextOf('x')).handle(team, 'bad', (state) => create(state, writers));
    await store.scope(contextOf('x')).handle(team, 'bad', (state) => rename(state, { title: 'b' }));
    await store.scope(contextOf('x')).handle(team, 'good', (state) => create(state, writers));
    await eventually(() => seen.includes('good TeamCreated'));
    await eventually(async () => (await store.parked()).length === 2, 30_000);
    expect(await store.parked()).toMatchObject([
      { eventType: 'TeamCreated', waiting: false, attempts: 6, error: expect.stringContaining('bad gateway') },
      { eventType: 'TeamRenamed', waiting: true, attempts: 0 },
    ]);
    const [first, second] = await store.parked();
    expect(await store.parked({ limit: 1 })).toEqual([first]);
    expect(await store.parked({ limit: 9, after: [first?.parkedAt ?? '', first?.id ?? ''] })).toEqual([second]);
    broken = false;
    await store.retryParked((await store.parked())[0]?.id ?? '');
    await eventually(async () => (await store.parked()).length === 0, 15_000);
    expect(seen).toEqual(['good TeamCreated', 'bad TeamCreated', 'bad TeamRenamed']);
    await store.scope(contextOf('x')).handle(team, 'bad', (state) => rename(state, { title: 'c' }));
    await eventually(() => seen.length === 4);
    await expect(store.retryParked('nothing')).rejects.toMatchObject({ reason: 'not_found' });
  }, 90_000);

  it('can begin with the next event', async () => {
    const seen: string[] = [];
    const late = reactor({
      name: 'late',
      events: [teamEvents],
      entities: ['team'],
      from: 'now',
      react: (event) => Promise.resolve(void seen.push(event.entityId)),
    });
    const store = world.open({ reactors: [late] });
    await store.scope(contextOf('x')).handle(team, 'before', (state) => create(state, writers));
    await store.start();
    await store.scope(contextOf('x')).handle(team, 'after', (state) => create(state, writers));
    await eventually(() => seen.length > 0);
    expect(seen).toEqual(['after']);
  });
});

describe('timers', () => {
  it('are fired when due, again after a failure, and not after being cancelled', async () => {
    const clock = { at: Date.UTC(2024, 0, 1), now: () => clock.at, monotonic: () => performance.now() };
    const fired: string[] = [];
    const timers = {
      remind: ({ id, attempts, data }: DueTimer, { context }: StoreScope) => {
        fired.push(`${id} ${attempts} ${JSON.stringify(data)} ${context.idem}`);
        return attempts === 0 && id === 'b' ? Promise.reject(new Error('later')) : Promise.resolve();
      },
    };
    const store = world.open({ timers, clock });
    await store.start();
    const [organization, correlation] = [null, 'req'];
    for (const [id, minutes] of [
      ['a', 5],
      ['b', 1],
      ['c', 1],
    ] as const)
      await store.timers.schedule({
        id,
        at: clock.at + minutes * 60_000,
        command: 'remind',
        data: { minutes },
        organization,
        correlation,
      });
    await store.timers.cancel('c');
    await expect(
      store.timers.schedule({ id: 'd', at: clock.at, command: 'unheard', data: null, organization, correlation }),
    ).rejects.toMatchObject({ reason: 'unexpected' });
    clock.at += 60_000;
    await eventually(() => fired.length === 1);
    clock.at += 60_000;
    await eventually(() => fired.length === 2);
    clock.at += 300_000;
    await eventually(() => fired.length === 3);
    expect(fired.map((line) => line.slice(0, 3))).toEqual(['b 0', 'b 1', 'a 0']);
    // The commands of the second attempt are recognised as those of the first.
    expect(fired[1]?.slice(3)).toBe(fired[0]?.slice(3));
    await eventually(async () => (await store.timers.list({ limit: 10 })).length === 0);
  });
});

describe('reservations', () => {
  const key = Buffer.alloc(32, 7);
  const kind: ReservationKind = {
    kind: 'subdomain',
    normalise: (value) => value.trim().toLowerCase(),
    holds: () => Promise.resolve(false),
  };

  it('give a name to exactly one of 50 claimants on two replicas', async () => {
    const reservations = { key, kinds: [kind] };
    const stores = [world.open({ reservations }), world.open({ reservations })];
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => {
        const store = stores[n % 2] as (typeof stores)[0];
        return store
          .scope(contextOf('x'))
          .reserve(kind, { value: n % 3 === 0 ? ' Acme' : 'acme', owner: `o${n}` }, () =>
            store.scope(contextOf('x')).handle(team, `t${n}`, (state) => create(state, writers)),
          );
      }),
    );
    const lost = results.filter((result) => result.status === 'rejected');
    expect(lost).toHaveLength(49);
    for (const { reason } of lost) expect(['already_exists', 'conflict']).toContain((reason as AppError).reason);
  });

  it('release the name when the owner’s append is refused, and when the owner changes to another', async () => {
    const store = world.open({ reservations: { key, kinds: [kind] } });
    const owned = new Map<string, string>();
    const holding: ReservationKind = {
      ...kind,
      holds: (owner, held) => Promise.resolve(store.reservations.keyOf(kind, owned.get(owner) ?? '') === held),
    };
    const refused = store
      .scope(contextOf('x'))
      .reserve(kind, { value: 'a', owner: 'o1' }, () => Promise.reject(new AppError('forbidden')));
    await expect(refused).rejects.toMatchObject({ reason: 'forbidden' });
    const has = (owner: string, value: string, previous?: string) =>
      store.scope(contextOf('x')).reserve(holding, { value, owner, previous }, () => {
        owned.set(owner, value);
        return Promise.resolve(owner);
      });
    await expect(has('o2', 'a')).resolves.toBe('o2');
    await expect(has('o2', 'b', 'a')).resolves.toBe('o2');
    await expect(has('o1', 'a')).resolves.toBe('o1');
    await expect(has('o1', 'b')).rejects.toMatchObject({ reason: 'already_exists' });
    await store.scope(contextOf('x')).release(kind, { value: 'b', owner: 'o2' });
    await expect(has('o1', 'b', 'a')).resolves.toBe('o1');
  });

  it('do not change the owner’s value when an old command is repeated', async () => {
    const holding: ReservationKind = {
      ...kind,
      holds: (_owner, held) => Promise.resolve(store.reservations.keyOf(kind, 'new') === held),
    };
    const store = world.open({ reservations: { key, kinds: [holding] } });
    const reserve = (value: string, previous: string) =>
      store.scope(contextOf('x')).reserve(holding, { value, owner: 'o1', previous }, () => Promise.resolve('done'));
    await reserve('new', 'old');
    await reserve('old', 'new');
    const state = (value: string) => store.load(reservationOf('identity'), store.reservations.keyOf(kind, value));
    await expect(state('new')).resolves.toMatchObject({ status: 'confirmed', owner: 'o1' });
    await expect(state('old')).resolves.toMatchObject({ status: 'claimed' });
  });

  it('are settled by the owner’s stream when claims stay open', async () => {
    const clock = { at: Date.now(), now: () => clock.at, monotonic: () => performance.now() };
    const held = { ...kind, holds: (owner: string) => Promise.resolve(owner === 'holder') };
    const store = world.open({ reservations: { key, kinds: [held] }, clock });
    const lost = new AppError('unavailable');
    const leave = (owner: string, value: string) =>
      expect(store.scope(contextOf('x')).reserve(held, { value, owner }, () => Promise.reject(lost))).rejects.toBe(
        lost,
      );
    await leave('holder', 'a');
    await leave('ghost', 'b');
    await leave('ghost', 'c');
    const take = (value: string) =>
      store.scope(contextOf('x')).reserve(held, { value, owner: 'me' }, () => Promise.resolve('mine'));
    await expect(take('b')).rejects.toMatchObject({ reason: 'already_exists' });
    clock.at += 31_000;
    await expect(take('a')).rejects.toMatchObject({ reason: 'already_exists' });
    await expect(take('b')).resolves.toBe('mine');
    const state = (value: string) => store.load(reservationOf('identity'), store.reservations.keyOf(held, value));
    await expect(state('a')).resolves.toMatchObject({ status: 'confirmed', owner: 'holder' });
    // Nobody claims "c", so the repair settles it.
    await store.start();
    await eventually(async () => (await state('c')).status === 'free', 15_000);
  });
});
