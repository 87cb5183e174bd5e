import { describe, expect, it } from '@jest/globals';
import { projection } from '../projections/projection.js';
import { claimRebuild } from './rebuild-claim.js';
import { createConsumers } from '../leases/consumers.js';
import { systemClock } from '../process/time.js';
import { eventually } from '../test/servers.js';
import { contextOf, create, team, teamEvents, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

async function twoReplicas() {
  const stores = [world.open({ projections: [teamList] }), world.open({ projections: [teamList] })] as const;
  for (const store of stores) await store.start();
  for (let n = 0; n < 50; n += 1)
    await stores[0]
      .scope(contextOf('x'))
      .handle(team, `t${n}`, (state) => create(state, { title: `a${n}`, organization: 'o1' }));
  return stores;
}

const partsOf = (store: { database: Parameters<typeof createConsumers>[0] }) => ({
  consumers: createConsumers(store.database),
  clock: systemClock,
  stopped: new AbortController(),
});

describe('a rebuild', () => {
  it('runs once at a time, on whichever replica it is asked for', async () => {
    const [one, two] = await twoReplicas();
    const claim = await claimRebuild(partsOf(one), 'team_list_v1', 'somebody', Date.now() + 60_000);
    await expect(two.rebuild('team_list_v1')).rejects.toMatchObject({
      reason: 'conflict',
      message: 'The projection is being rebuilt already',
    });
    claim.check();
    await claim.release();
    const results = await Promise.allSettled([one.rebuild(), two.rebuild()]);
    for (const result of results) {
      if (result.status === 'fulfilled')
        expect(result.value).toMatchObject([{ equal: true, live: { documents: 50 }, events: 50 }]);
      else expect(result.reason).toMatchObject({ reason: 'conflict' });
    }
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await one.database.listCollections().toArray()).filter(({ name }) => name.includes('rebuild'))).toEqual([]);
  });

  it('takes over from one that died, and removes what that left', async () => {
    const [one] = await twoReplicas();
    const { consumers } = partsOf(one);
    await consumers.declare([{ name: 'rebuild_team_list_v1', fingerprint: 'task', position: -1n }]);
    const free = (await consumers.read(['rebuild_team_list_v1'])).get('rebuild_team_list_v1');
    if (free === undefined) throw new Error('not declared');
    await consumers.take('rebuild_team_list_v1', free, 'dead');
    await one.database.collection('team_list_v1_rebuild_1').insertOne({ left: true });
    await expect(one.rebuild('team_list_v1')).resolves.toMatchObject([{ equal: true, rebuilt: { documents: 50 } }]);
    expect((await one.database.listCollections().toArray()).filter(({ name }) => name.includes('rebuild'))).toEqual([]);
  });

  it('compares what is left where documents are removed after their use', async () => {
    const events = projection({
      name: 'used',
      version: 1,
      consumed: true,
      events: [teamEvents],
      entities: ['team'],
      writes: ({ id, entityId }) => [{ put: id, doc: { team: entityId } }],
    });
    const store = world.open({ projections: [events] });
    await store.start();
    for (const id of ['t1', 't2'])
      await store.scope(contextOf('x')).handle(team, id, (state) => create(state, { title: 'a', organization: 'o1' }));
    await store.collection(events).raw.deleteMany({ team: 't1' });
    await expect(store.rebuild('used_v1')).resolves.toMatchObject([
      { equal: true, events: 2, live: { documents: 1 }, rebuilt: { documents: 1 } },
    ]);
    await store.collection(events).raw.updateMany({}, { $set: { team: 'another' } });
    await expect(store.rebuild('used_v1')).resolves.toMatchObject([{ equal: false }]);
  });

  it('that was taken over stops', async () => {
    const [one] = await twoReplicas();
    const parts = partsOf(one);
    const claim = await claimRebuild(parts, 'team_list_v1', 'slow', Date.now() + 60_000);
    const [held] = (await parts.consumers.read(['rebuild_team_list_v1'])).values();
    if (held === undefined) throw new Error('not declared');
    await eventually(async () =>
      parts.consumers.take(
        'rebuild_team_list_v1',
        { ...held, ...(await parts.consumers.read(['rebuild_team_list_v1'])).get('rebuild_team_list_v1') },
        'next',
      ),
    );
    await eventually(() => claim.signal.aborted);
    expect(() => claim.check()).toThrow('taken over');
    await claim.release();
    expect((await parts.consumers.read(['rebuild_team_list_v1'])).get('rebuild_team_list_v1')).toMatchObject({
      owner: 'next',
    });
  });

  it('ends at its deadline, and when the store stops, with nothing left of it', async () => {
    const slow = projection({
      name: 'slow',
      version: 1,
      events: [teamEvents],
      entities: ['team'],
      id: (event) => event.entityId,
      evolve: (doc: { n: number } | null) => ({ n: (doc?.n ?? 0) + 1 }),
    });
    const store = world.open({ projections: [slow] });
    await store.start();
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    await expect(store.rebuild('slow_v1', Date.now())).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('longer than a request may'),
    });
    await expect(store.rebuild('slow_v1')).resolves.toMatchObject([{ equal: true }]);
    const names = async () =>
      (await store.database.listCollections().toArray())
        .map(({ name }) => name)
        .filter((name) => name.includes('rebuild'));
    expect(await names()).toEqual([]);
    const { consumers } = partsOf(store);
    const free = (await consumers.read(['rebuild_slow_v1'])).get('rebuild_slow_v1');
    if (free === undefined) throw new Error('not declared');
    await consumers.take('rebuild_slow_v1', free, 'dead');
    const refused = expect(store.rebuild('slow_v1')).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'The service stops',
    });
    await store.stop();
    await refused;
  });
});
