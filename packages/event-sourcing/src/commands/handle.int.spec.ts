import { describe, expect, it } from '@jest/globals';
import { type TeamEvent, addMember, contextOf, create, remove, rename, team, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

function unreachable(): never {
  throw new Error('decided again');
}

const writers = { title: 'Writers', organization: 'o1' };

describe('handle', () => {
  it('records what was decided, with metadata, and returns it', async () => {
    const store = world.open({ projections: [] });
    const done = await store
      .scope(contextOf('createTeam', { causation: 'e0' }))
      .handle(team, 't1', (state) => create(state, writers));
    expect(done).toMatchObject({ revision: 0n, repeated: false, state: { status: 'active', title: 'Writers' } });
    expect(done.events[0]).toMatchObject({
      type: 'TeamCreated',
      entityId: 't1',
      revision: 0n,
      position: done.position,
    });
    expect(done.events[0]?.meta).toMatchObject({
      v: 1,
      actor: { kind: 'user', id: 'u1' },
      organization: 'o1',
      operation: 'createTeam',
      correlation: 'req-1',
      causation: 'e0',
    });
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'Writers' });
  });

  it('appends nothing when there is nothing to do, and refuses with the reason of the decision', async () => {
    const store = world.open({ projections: [] });
    await expect(
      store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'x' })),
    ).rejects.toMatchObject({ reason: 'not_found' });
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    await expect(
      store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, writers)),
    ).resolves.toMatchObject({
      events: [],
      revision: 0n,
    });
  });

  it('does not read the stream of a new id, and finds by the append that the id is in use after all', async () => {
    const [one, two] = [world.open({ projections: [] }), world.open({ projections: [] })];
    const seen: string[] = [];
    const isNew = { isNew: true };
    const made = (store: typeof one, context = contextOf('x')) =>
      store.scope(context).handle(
        team,
        't1',
        (state) => {
          seen.push(state.status);
          return create(state, writers);
        },
        isNew,
      );
    await expect(made(one)).resolves.toMatchObject({ revision: 0n });
    await expect(made(two)).rejects.toMatchObject({ reason: 'already_exists' });
    // With an idempotency key an earlier request can have used the id.
    await expect(made(world.open({ projections: [] }), contextOf('x', { idem: 'k' }))).rejects.toMatchObject({
      reason: 'already_exists',
    });
    expect(seen).toEqual(['absent', 'absent', 'active', 'active']);
  });

  it('decides again on a fresh read when a cached state refuses', async () => {
    const [one, two] = [world.open({ projections: [] }), world.open({ projections: [] })];
    await one.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    await two.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'Editors' }));
    // `one` still has "Writers" cached, for which this would be nothing to do.
    const done = await one.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, writers));
    expect(done).toMatchObject({ revision: 2n, state: { title: 'Writers' } });
    await two.scope(contextOf('x')).handle(team, 't1', remove);
    await expect(
      one.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'z' })),
    ).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('lets concurrent commands of one process and of two through, each on the state it saw', async () => {
    const stores = [world.open({ projections: [] }), world.open({ projections: [] })];
    await stores[0]?.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    const one = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, n) =>
          (await stores[0]?.scope(contextOf('x')).handle(team, 't1', (state) => addMember(state, { user: `u${n}` })))
            ?.revision,
      ),
    );
    expect(new Set(one).size).toBe(40);
    const both = await Promise.allSettled(
      stores.flatMap((store, s) =>
        Array.from({ length: 3 }, (_, n) =>
          store.scope(contextOf('x')).handle(team, 't1', (state) => addMember(state, { user: `v${s}${n}` })),
        ),
      ),
    );
    for (const result of both)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'conflict', retryAfter: 1 });
    const state = await stores[0]?.load(team, 't1');
    expect(state?.status === 'active' ? state.members.size : 0).toBe(
      40 + both.filter(({ status }) => status === 'fulfilled').length,
    );
  });

  it('recognises a repeated command by its key, from memory and from the log', async () => {
    const [one, two] = [world.open({ projections: [] }), world.open({ projections: [] })];
    const context = contextOf('createTeam', { idem: 'k1' });
    const first = await one
      .scope(context)
      .handle(team, 't1', (state): TeamEvent[] => [
        ...create(state, writers),
        { type: 'TeamMemberAdded', data: { user: 'u1' } },
      ]);
    await one.scope(contextOf('x', { idem: 'k2' })).handle(team, 't1', (state) => rename(state, { title: 'Editors' }));
    for (const store of [one, two]) {
      const again = await store.scope(context).handle(team, 't1', () => unreachable());
      expect(again).toMatchObject({
        repeated: true,
        revision: 1n,
        position: first.position,
        state: { title: 'Editors' },
      });
      expect(again.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id));
    }
    await expect(one.load(team, 't1')).resolves.toMatchObject({ members: new Set(['u1']) });
  });

  it('answers what was recorded to two processes that carry out one command at once', async () => {
    const stores = [world.open({ projections: [] }), world.open({ projections: [] })];
    const context = contextOf('createTeam', { idem: 'k1' });
    for (let round = 0; round < 10; round += 1) {
      const done = await Promise.all(
        stores.map((store, which) =>
          store
            .scope(context)
            .handle(team, `t${round}`, (state) => create(state, { ...writers, title: `Of ${which}` })),
        ),
      );
      const titles = done.map(({ state }) => (state.status === 'active' ? state.title : ''));
      const recorded = await stores[0]?.load(team, `t${round}`);
      expect(recorded).toMatchObject({ title: titles[0] });
      expect([titles[1], done.filter(({ repeated }) => repeated).length]).toEqual([titles[0], 1]);
    }
  });

  it('keeps time from running backwards within a stream', async () => {
    const clock = { at: Date.UTC(2024, 0, 1), now: () => clock.at, monotonic: () => performance.now() };
    const store = world.open({ projections: [], clock });
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    clock.at -= 60_000;
    const done = await store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'Editors' }));
    expect(done.events[0]?.meta.time).toBe('2024-01-01T00:00:00.000Z');
  });

  it('does not begin after the deadline', async () => {
    const store = world.open({ projections: [] });
    await expect(
      store.scope(contextOf('x', { deadline: Date.now() - 1 })).handle(team, 't1', (state) => create(state, writers)),
    ).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('begins a cold read of a long stream at its snapshot', async () => {
    const store = world.open({ projections: [] });
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    for (let batch = 0; batch < 11; batch += 1) {
      await store.scope(contextOf('x', { idem: `b${batch}` })).handle(team, 't1', () =>
        Array.from({ length: 100 }, (_, n) => ({
          type: 'TeamMemberAdded' as const,
          data: { user: `u${batch}-${n}` },
        })),
      );
    }
    await store.stop();
    const other = world.open({ projections: [] });
    const kept = await other.database.collection('op_snapshots').find().toArray();
    expect(kept.map(({ _id }) => String(_id))).toEqual([`${world.namespace}.identity.team-t1`]);
    const state = await other.load(team, 't1');
    expect(state.status === 'active' ? state.members.size : 0).toBe(1100);
    await expect(
      other.scope(contextOf('x', { idem: 'b3' })).handle(team, 't1', () => unreachable()),
    ).resolves.toMatchObject({
      repeated: true,
    });
  });

  it('erases a stream for good', async () => {
    const store = world.open({ projections: [teamList] });
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    await store.erase(team, 't1');
    await expect(store.load(team, 't1')).resolves.toEqual({ status: 'absent' });
    await expect(
      store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers)),
    ).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  it('leaves no snapshot of a stream whose erasure may have happened', async () => {
    const away = world.open({ projections: [], eventstoreUrl: 'esdb://127.0.0.1:1?tls=false' });
    const snapshots = away.database.collection<{ _id: string }>('op_snapshots');
    await snapshots.insertOne({ _id: `${world.namespace}.identity.team-t1` });
    await expect(away.erase(team, 't1')).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(snapshots.countDocuments({})).resolves.toBe(0);
  });
});
