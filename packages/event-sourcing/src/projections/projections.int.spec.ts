import { describe, expect, it } from '@jest/globals';
import { eventually } from '../test/servers.js';
import { type Broadcast } from '../process/broadcast.js';
import { addMember, contextOf, create, remove, rename, team, teamCount, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';
import { type Store } from '../store/store.js';

const { world } = useWorld();

const projections = [teamList, teamCount];
const writers = { title: 'Writers', organization: 'o1' };

async function started(): Promise<Store> {
  const store = world.open({ projections });
  await store.start();
  return store;
}

describe('projections', () => {
  it('show what was written, and what was removed no longer', async () => {
    const store = await started();
    const teams = store.collection(teamList);
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, writers));
    await store.scope(contextOf('x')).handle(team, 't1', (state) => addMember(state, { user: 'u1' }));
    await expect(teams.byId('t1')).resolves.toMatchObject({ _id: 't1', title: 'Writers', members: 1 });
    await expect(store.collection(teamCount).byId('o1')).resolves.toMatchObject({ teams: 1 });
    await store.scope(contextOf('x')).handle(team, 't1', remove);
    await expect(teams.byId('t1')).resolves.toBeNull();
    await expect(teams.count({})).resolves.toBe(0);
    await expect(teams.raw.countDocuments({ _gone: true })).resolves.toBe(1);
  });

  it('catch up with what was written before they started, and go on where they stopped', async () => {
    const before = world.open({ projections });
    for (let n = 0; n < 50; n += 1)
      await before.scope(contextOf('x')).handle(team, `t${n}`, (state) => create(state, writers), { wait: false });
    const store = await started();
    await expect(store.collection(teamList).count({ organization: 'o1' })).resolves.toBe(50);
    await store.stop();
    await before.scope(contextOf('x')).handle(team, 't50', (state) => create(state, writers), { wait: false });
    const next = await started();
    await eventually(async () => (await next.collection(teamList).count({ organization: 'o1' })) === 51);
    await eventually(async () => (await next.collection(teamCount).byId('o1'))?.teams === 51);
  });

  it('are read as written by 20 writers on two replicas, 0 stale of 1,000', async () => {
    const stores = await Promise.all([started(), started()]);
    let stale = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, w) => {
        for (let n = 0; n < 50; n += 1) {
          // The documents are shared: what one replica waited for, the other must see as well.
          const [writer, reader] = [stores[(w + n) % 2], stores[(w + Math.floor(n / 2)) % 2]];
          const title = `title ${w}-${n}`;
          const done = await writer
            ?.scope(contextOf('x'))
            .handle(team, `t${w}`, (state) =>
              n === 0 ? create(state, { ...writers, title }) : rename(state, { title }),
            );
          const seen = await reader?.collection(teamList).byId(`t${w}`);
          if (seen?.title !== title || done === undefined) stale += 1;
        }
      }),
    );
    expect(stale).toBe(0);
  }, 60_000);

  it('are read as written also when no announcement arrives', async () => {
    const deaf: Broadcast = { publish: () => undefined, subscribe: () => Promise.resolve({ stop: () => undefined }) };
    const owner = await started();
    const other = world.open({ projections, broadcast: deaf });
    await other.start();
    for (let n = 0; n < 5; n += 1) {
      await other.scope(contextOf('x')).handle(team, `t${n}`, (state) => create(state, writers));
      await expect(other.collection(teamList).byId(`t${n}`)).resolves.not.toBeNull();
    }
    expect((await owner.health()).ready).toBe(true);
  });

  it('can be waited for by an outcome of several commands, as long as its deadline allows', async () => {
    const store = world.open({ projections });
    expect(store.isLive(projections)).toBe(false);
    await store.start();
    expect(store.isLive(projections)).toBe(true);
    const done = await store
      .scope(contextOf('x'))
      .handle(team, 't1', (state) => create(state, writers), { wait: false });
    await store.scope(contextOf('x')).shown(done);
    await expect(store.collection(teamList).byId('t1')).resolves.not.toBeNull();
    const later = { position: done.position + 1_000_000n, types: ['TeamCreated'] };
    await expect(store.scope(contextOf('x', { deadline: Date.now() + 1_000 })).shown(later)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('recorded'),
    });
  });
});
