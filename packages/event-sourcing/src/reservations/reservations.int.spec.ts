import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { reservationOf } from './reservation.js';
import { type ReservationKind } from '../commands/reservation-request.js';
import { type Store } from '../store/store.js';
import { eventually } from '../test/servers.js';
import { contextOf, create, remove, rename, team } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

const key = Buffer.alloc(32, 7);
const clock = { at: Date.now(), now: () => clock.at, monotonic: () => performance.now() };

/** A store whose unique values are the titles of teams. After `mayAppend` further events its process counts as dead. */
function replica(): { store: Store; kind: ReservationKind; life: { mayAppend: number } } {
  const life = { mayAppend: Number.POSITIVE_INFINITY };
  const uuid = (): string => {
    if (life.mayAppend <= 0) throw new Error('killed');
    life.mayAppend -= 1;
    return randomUUID();
  };
  const kind: ReservationKind = {
    kind: 'title',
    normalise: (title) => title,
    async holds(owner, held) {
      const state = await store.load(team, owner);
      return state.status === 'active' && store.reservations.keyOf(kind, state.title) === held;
    },
  };
  const store = world.open({ reservations: { key, kinds: [kind] }, clock, ids: { uuid } });
  return { store, kind, life };
}

const take = ({ store, kind }: ReturnType<typeof replica>, owner: string, title: string): Promise<unknown> =>
  store
    .scope(contextOf('x'))
    .reserve(kind, { value: title, owner }, () =>
      store.scope(contextOf('x')).handle(team, owner, (state) => create(state, { title, organization: 'o1' })),
    );
const move = (
  { store, kind }: ReturnType<typeof replica>,
  owner: string,
  previous: string,
  title: string,
): Promise<unknown> =>
  store
    .scope(contextOf('x'))
    .reserve(kind, { value: title, previous, owner }, () =>
      store.scope(contextOf('x')).handle(team, owner, (state) => rename(state, { title })),
    );
const presentReservation = ({ store, kind }: ReturnType<typeof replica>, title: string) =>
  store.load(reservationOf('identity'), store.reservations.keyOf(kind, title));
const titleOf = async ({ store }: ReturnType<typeof replica>, owner: string): Promise<string> => {
  const state = await store.load(team, owner);
  return state.status === 'active' ? state.title : '';
};

/** Claimed, previous in doubt, renamed, confirmed, released. */
const steps = [0, 1, 2, 3, 4, 5];

/** For each k, an owner of `old<k>` dies while it changes to `new<k>`, before its event number k. */
async function dieAtEachStep(): Promise<void> {
  const healthy = replica();
  for (const k of steps) await take(healthy, `t${k}`, `old${k}`);
  for (const k of steps) {
    const doomed = replica();
    doomed.life.mayAppend = k;
    await move(doomed, `t${k}`, `old${k}`, `new${k}`).catch(() => undefined);
    expect(await titleOf(healthy, `t${k}`)).toBe(k < 3 ? `old${k}` : `new${k}`);
  }
}

describe('an owner whose process dies while it changes to another value', () => {
  it('keeps the value of its stream, and the next claimant can have the other one', async () => {
    await dieAtEachStep();
    const next = replica();
    const takeBoth = async (k: number, of: string): Promise<string[]> => {
      const values = [`old${k}`, `new${k}`];
      const got = await Promise.allSettled(values.map((title) => take(next, `${of}-${title}`, title)));
      return values.filter((_, n) => got[n]?.status === 'fulfilled');
    };
    for (const k of steps) expect(await takeBoth(k, 'soon')).toEqual([[`new${k}`], [], [], [], [], [`old${k}`]][k]);
    clock.at += 31_000;
    for (const k of [1, 2, 3, 4]) expect(await takeBoth(k, 'late')).toEqual([k < 3 ? `new${k}` : `old${k}`]);
    for (const k of steps) {
      const mine = await titleOf(next, `t${k}`);
      await expect(presentReservation(next, mine)).resolves.toMatchObject({ status: 'confirmed', owner: `t${k}` });
    }
  }, 60_000);

  it('has its claims settled by the repair', async () => {
    await dieAtEachStep();
    clock.at += 31_000;
    const next = replica();
    await next.store.start();
    for (const k of steps) {
      const [kept, left] = k < 3 ? [`old${k}`, `new${k}`] : [`new${k}`, `old${k}`];
      await eventually(async () => (await presentReservation(next, left)).status === 'free', 15_000);
      await eventually(async () => (await presentReservation(next, kept)).status === 'confirmed', 15_000);
    }
  }, 60_000);
});

describe('an owner that gives up a value', () => {
  it('keeps the value when its append is refused', async () => {
    const one = replica();
    await take(one, 't1', 'mine');
    const refused = one.store
      .scope(contextOf('x'))
      .giveUp(one.kind, { value: 'mine', owner: 't1' }, () => Promise.reject(new AppError('forbidden')));
    await expect(refused).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(presentReservation(one, 'mine')).resolves.toMatchObject({ status: 'confirmed', owner: 't1' });
  });
});

describe('an owner whose process dies while it gives up a value', () => {
  it('leaves an open claim, which is settled by its stream', async () => {
    const healthy = replica();
    for (const k of [0, 1, 2, 3]) {
      await take(healthy, `g${k}`, `given${k}`);
      const doomed = replica();
      doomed.life.mayAppend = k;
      const given = doomed.store
        .scope(contextOf('x'))
        .giveUp(doomed.kind, { value: `given${k}`, owner: `g${k}` }, () =>
          doomed.store.scope(contextOf('x')).handle(team, `g${k}`, remove),
        );
      await given.catch(() => undefined);
    }
    clock.at += 31_000;
    const next = replica();
    await next.store.start();
    await eventually(async () => (await presentReservation(next, 'given2')).status === 'free', 15_000);
    await eventually(async () => (await presentReservation(next, 'given1')).status === 'confirmed', 15_000);
    const all = await Promise.all([0, 1, 2, 3].map(async (k) => (await presentReservation(next, `given${k}`)).status));
    expect(all).toEqual(['confirmed', 'confirmed', 'free', 'free']);
  }, 60_000);
});

describe('a value', () => {
  it('that was confirmed and not released goes to the next claimant after the time of a claim', async () => {
    const one = replica();
    await take(one, 't1', 'lost');
    await one.store.scope(contextOf('x')).handle(team, 't1', remove);
    await expect(take(one, 't2', 'lost')).rejects.toMatchObject({ reason: 'already_exists' });
    clock.at += 31_000;
    await take(one, 't2', 'lost');
    await expect(presentReservation(one, 'lost')).resolves.toMatchObject({ status: 'confirmed', owner: 't2' });
  });

  it('is claimed again by its owner without an event', async () => {
    const one = replica();
    await take(one, 't1', 'kept');
    const { claims } = await presentReservation(one, 'kept');
    await one.store.scope(contextOf('x')).reserve(one.kind, { value: 'kept', owner: 't1' }, () => Promise.resolve());
    await expect(presentReservation(one, 'kept')).resolves.toEqual({ status: 'confirmed', owner: 't1', claims });
  });

  it('stays confirmed when the change of its owner is refused', async () => {
    const one = replica();
    await take(one, 't1', 'kept');
    const refused = one.store
      .scope(contextOf('x'))
      .reserve(one.kind, { value: 'other', previous: 'kept', owner: 't1' }, () =>
        one.store.scope(contextOf('x')).handle(team, 'nobody', (state) => rename(state, { title: 'other' })),
      );
    await expect(refused).rejects.toMatchObject({ reason: 'not_found' });
    await expect(presentReservation(one, 'kept')).resolves.toMatchObject({ status: 'confirmed', owner: 't1' });
    await expect(presentReservation(one, 'other')).resolves.toMatchObject({ status: 'free' });
  });
});
