import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { eventually } from '../test/servers.js';
import { contextOf, create, remove, rename, team, teamCount, teamEvents, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';
import { projection } from '../projections/projection.js';
import { type Store } from './store.js';

const { servers, world } = useWorld();

const projections = [teamList, teamCount];

async function heldBy(store: Store): Promise<string[]> {
  return (await store.health()).projections.filter(({ held }) => held).map(({ name }) => name);
}

/** Waits for the replica's first word; it must have been built. */
async function startReplica(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../../dist/test/replica.js', import.meta.url));
  const child = spawn(process.execPath, [script, world.namespace, servers.eventstoreUrl, servers.mongoUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('replicas', () => {
  it('leave each projection to one of them, and the next takes over at once when it stops', async () => {
    const [one, two] = [world.open({ projections }), world.open({ projections })];
    await one.start();
    await two.start();
    expect(await heldBy(one)).toEqual(['team_list_v1', 'team_count_v1']);
    expect(await heldBy(two)).toEqual([]);
    await one.scope(contextOf('x')).handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    await one.stop();
    await two.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await expect(two.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'b' });
    expect(await heldBy(two)).toEqual(['team_list_v1', 'team_count_v1']);
  });

  it('answer the same by id whether they wrote the document themselves or ask the database', async () => {
    const [owner, other] = [world.open({ projections }), world.open({ projections })];
    await owner.start();
    await other.start();
    for (const id of ['t1', 't2'])
      await owner.scope(contextOf('x')).handle(team, id, (state) => create(state, { title: 'a', organization: 'o1' }));
    await other.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await other.scope(contextOf('x')).handle(team, 't2', remove);
    for (const store of [owner, other]) {
      const model = store.collection(teamList);
      await expect(model.byId('t1')).resolves.toEqual(await model.raw.findOne({ _id: 't1' }));
      await expect(model.byId('t2')).resolves.toBeNull();
      await expect(store.collection(teamCount).byId('o1')).resolves.toEqual(
        await store.collection(teamCount).raw.findOne({ _id: 'o1' }),
      );
    }
  });

  it('have started when they show all that the log had by then', async () => {
    const before = world.open({ projections });
    await before.start();
    await before.stop();
    const behind = world.open({});
    const ids = Array.from({ length: sized(500, 1_500) }, (_, n) => `t${n}`);
    await Promise.all(
      ids.map((id) =>
        behind.scope(contextOf('x')).handle(team, id, (state) => create(state, { title: 'a', organization: 'o1' })),
      ),
    );
    const after = [world.open({ projections }), world.open({ projections })];
    const counted = await Promise.all(
      after.map((store) => store.start().then(() => store.collection(teamList).count({ organization: 'o1' }))),
    );
    expect(counted).toEqual([ids.length, ids.length]);
  });

  it('take over when the holder has died and miss nothing', async () => {
    const children = [await startReplica(), await startReplica()];
    const store = world.open({});
    for (let n = 0; n < 20; n += 1)
      await store
        .scope(contextOf('x'))
        .handle(team, `t${n}`, (state) => create(state, { title: 'a', organization: 'o1' }));
    children[0]?.kill('SIGKILL');
    await store.scope(contextOf('x')).handle(team, 't20', (state) => create(state, { title: 'a', organization: 'o1' }));
    await eventually(async () => (await store.collection(teamList).byId('t20')) !== null);
    await expect(store.collection(teamList).count({ organization: 'o1' })).resolves.toBe(21);
    await eventually(async () => (await store.collection(teamCount).byId('o1'))?.teams === 21);
    children[1]?.kill('SIGKILL');
    await eventually(() => children.every(({ signalCode }) => signalCode !== null));
  }, 90_000);

  it('that start after the only one has died take over', async () => {
    const first = await startReplica();
    first.kill('SIGKILL');
    const next = await startReplica();
    const store = world.open({});
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    await eventually(async () => (await store.collection(teamList).byId('t1')) !== null);
    next.kill('SIGKILL');
    await eventually(() => next.signalCode !== null);
  }, 90_000);

  it('refuse to start with other code under the same version', async () => {
    await world.open({ projections }).start();
    const changed = projection({
      name: 'team_list',
      version: 1,
      events: [teamEvents],
      entities: ['team'],
      id: (event) => event.stream,
      evolve: (doc: { n: number } | null) => doc,
    });
    await expect(world.open({ projections: [changed] }).start()).rejects.toMatchObject({
      reason: 'unexpected',
      message: expect.stringContaining('team_list_v1'),
    });
  });

  it('build a new version beside the old one, which stays in use by those who declare it', async () => {
    const old = world.open({ projections });
    await old.start();
    for (let n = 0; n < 30; n += 1)
      await old
        .scope(contextOf('x'))
        .handle(team, `t${n}`, (state) => create(state, { title: `a${n}`, organization: 'o1' }));
    const next = projection({
      name: 'team_list',
      version: 2,
      events: [teamEvents],
      entities: ['team'],
      id: (event) => event.entityId,
      evolve: (doc: { loud: string } | null, event) =>
        'title' in event.data ? { loud: event.data.title.toUpperCase() } : doc,
    });
    const young = world.open({ projections: [next, teamCount] });
    await young.start();
    await expect(young.collection(next).byId('t29')).resolves.toMatchObject({ loud: 'A29' });
    await young.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await expect(young.collection(next).byId('t1')).resolves.toMatchObject({ loud: 'B' });
    await old.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'c' }));
    await expect(old.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'c' });
  });
});
