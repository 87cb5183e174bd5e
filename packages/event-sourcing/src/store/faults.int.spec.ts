import { describe, expect, it } from '@jest/globals';
import { createDocumentCache } from '../projections/held-documents.js';
import { openEventStore } from '../events/event-store.js';
import { type RawEvent } from '../events/events.js';
import { sweepTombstones } from './maintenance.js';
import { type Target, project } from '../projections/projection-writer.js';
import { projection } from '../projections/projection.js';
import { type Store } from './store.js';
import { eventually } from '../test/servers.js';
import { addMember, contextOf, create, remove, rename, team, teamCount, teamEvents, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';
import { someMetadata } from '../testing.js';

const { servers, world } = useWorld();

const projections = [teamList, teamCount];
const writers = { title: 'Writers', organization: 'o1' };

async function write(store: Store, n: number): Promise<void> {
  await store
    .scope(contextOf('x'))
    .handle(team, `t${n}`, (state) => create(state, { ...writers, title: `title ${n}` }));
}

describe('events that cannot be taken', () => {
  it('stop the projection that consumes them, name themselves, and leave the others going', async () => {
    const stopped: string[] = [];
    const picky = projection({
      name: 'picky',
      version: 1,
      events: [teamEvents],
      entities: ['team'],
      id: (event) => event.entityId,
      evolve: (doc: { n: number } | null, event) => {
        if (event.type === 'TeamRenamed') throw new Error('never seen such a name');
        return { n: (doc?.n ?? 0) + 1 };
      },
    });
    const store = world.open({
      projections: [teamList, picky],
      metrics: { stopped: (name, type) => stopped.push(`${name} ${type}`) },
    });
    await store.start();
    await write(store, 1);
    const poison = await store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await write(store, 2);
    await expect(store.collection(teamList).byId('t2')).resolves.not.toBeNull();
    await expect(store.collection(picky).byId('t1')).resolves.toMatchObject({ n: 1 });
    await expect(store.collection(picky).byId('t2')).resolves.toBeNull();
    const health = (await store.health()).projections.find(({ name }) => name === 'picky_v1');
    expect(health).toMatchObject({
      state: 'stopped',
      problem: {
        eventId: poison.events[0]?.id,
        eventType: 'TeamRenamed',
        message: expect.stringContaining('never seen such a name'),
      },
    });
    expect(stopped).toEqual(['picky_v1 TeamRenamed']);
  });

  it('are also those whose payload does not fit', async () => {
    const store = world.open({ projections });
    await store.start();
    const log = openEventStore(servers.eventstoreUrl);
    await log.append(`${world.namespace}.identity.team-t1`, -1n, [
      { id: '8d9b9a86-45a8-4d3c-9d37-0a4d9d0c8f11', type: 'TeamCreated', data: { title: 7 }, metadata: someMetadata() },
    ]);
    await log.close();
    await eventually(async () => (await store.health()).projections.every(({ state }) => state === 'stopped'));
    await expect(
      store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, writers)),
    ).rejects.toMatchObject({
      reason: 'unexpected',
      message: expect.stringContaining('TeamCreated'),
    });
    expect((await store.health()).ready).toBe(true);
  });
});

describe('redelivery', () => {
  it('of everything changes nothing', async () => {
    const store = world.open({ projections });
    await store.start();
    for (let n = 0; n < 20; n += 1) await write(store, n);
    await store.scope(contextOf('x')).handle(team, 't1', (state) => addMember(state, { user: 'u1' }));
    await store.scope(contextOf('x')).handle(team, 't2', remove);
    const all = async () =>
      Promise.all(
        [teamList, teamCount].map(({ collection }) =>
          store.database.collection(collection).find().sort({ _id: 1 }).toArray(),
        ),
      );
    const before = await all();
    await store.stop();
    const again = world.open({ projections });
    await again.database.collection('op_consumers').updateMany({}, { $set: { position: -1 } });
    await again.start();
    await write(again, 20);
    const after = await Promise.all(
      [teamList, teamCount].map(({ collection }) =>
        again.database
          .collection<{ _id: string }>(collection)
          .find({ _id: { $nin: ['t20', 'o1'] } })
          .sort({ _id: 1 })
          .toArray(),
      ),
    );
    expect(after).toEqual(before.map((docs) => docs.filter(({ _id }) => String(_id) !== 'o1')));
    await expect(again.collection(teamCount).byId('o1')).resolves.toMatchObject({ teams: 21 });
    for (const { equal, documents } of (await again.rebuild()).map(({ equal: same, live }) => ({
      equal: same,
      ...live,
    })))
      expect([equal, documents > 0]).toEqual([true, true]);
  });
});

describe('an older event', () => {
  it('does not bring back what was made and removed in one batch', async () => {
    const store = world.open({});
    const events = (['TeamCreated', 'TeamDeleted'] as const).map((type, n): RawEvent => ({
      id: `event-${n}`,
      type,
      data: type === 'TeamCreated' ? writers : {},
      metadata: someMetadata(),
      stream: `${world.namespace}.identity.team-t1`,
      revision: BigInt(n),
      position: BigInt(n) * 10n,
      created: new Date(0),
    }));
    // The writer that lost the lease is still behind, and knows nothing of what the next one wrote.
    const [next, late] = [1, 2].map(() => ({
      db: store.database,
      collection: teamList.collection,
      cache: createDocumentCache(10, 1000),
    })) as [Target, Target];
    await project(next, teamList, events);
    await project(late, teamList, events.slice(0, 1));
    await expect(store.collection(teamList).byId('t1')).resolves.toBeNull();
    await sweepTombstones(store.database, teamList.collection, 10n);
    await expect(store.collection(teamList).raw.countDocuments({})).resolves.toBe(0);
  });
});

describe('a server that goes away', () => {
  it.each(['eventstore', 'mongo'] as const)(
    'makes commands fail in time and all recovers when it is back (%s)',
    async (which) => {
      const store = world.open({ projections });
      await store.start();
      await write(store, 1);
      await servers.restart(which, async () => {
        const began = performance.now();
        const failed =
          which === 'eventstore'
            ? store.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'lost' }))
            : store.parked();
        await expect(failed).rejects.toMatchObject({ reason: 'unavailable' });
        expect(performance.now() - began).toBeLessThan(20_000);
        const health = await store.health();
        expect(health).toMatchObject({
          ready: false,
          eventStore: which === 'eventstore' ? 'down' : 'up',
          database: which === 'mongo' ? 'down' : 'up',
        });
      });
      await eventually(async () => (await store.health()).ready, 30_000);
      await write(store, 2);
      await eventually(async () => (await store.collection(teamList).byId('t2')) !== null, 30_000);
      await write(store, 3);
      await expect(store.collection(teamList).byId('t3')).resolves.not.toBeNull();
      for (const { equal } of await store.rebuild()) expect(equal).toBe(true);
    },
    120_000,
  );

  it('is waited for at the start', async () => {
    let starting: Promise<void> = Promise.resolve();
    const store = world.open({ projections });
    await servers.restart('mongo', async () => {
      starting = store.start();
      await eventually(async () => (await store.health()).database === 'down');
      expect((await store.health()).ready).toBe(false);
    });
    await starting;
    await write(store, 1);
    await expect(store.collection(teamList).byId('t1')).resolves.not.toBeNull();
  }, 60_000);
});
