import { describe, expect, it } from '@jest/globals';
import { Long } from 'mongodb';
import { marking, markingHandler } from '../test/run.js';
import { eventually } from '../test/servers.js';
import { contextOf, create, rename, team, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

describe('a database that is newer than the log', () => {
  it('is noticed at the start: read models are built again from what the log has', async () => {
    const before = world.open({ projections: [teamList] });
    await before.start();
    const scope = before.scope(contextOf('x'));
    await scope.handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    await before.stop();
    const { database } = world.open({});
    // As a restored log of earlier leaves it: a checkpoint, and documents, of events that are not there any more.
    const late = Long.fromString('1000000000000');
    const consumers = database.collection<{ _id: string }>('op_consumers');
    await consumers.updateOne({ _id: teamList.collection }, { $set: { position: late } });
    const documents = database.collection<{ _id: string; title: string; _at: Long }>(teamList.collection);
    await documents.insertOne({ _id: 't2', title: 'never', _at: late });
    await documents.updateOne({ _id: 't1' }, { $set: { title: 'never', _at: late } });

    const after = world.open({ projections: [teamList] });
    await after.start();
    await expect(after.collection(teamList).byIds(['t1', 't2'])).resolves.toMatchObject([{ _id: 't1', title: 'a' }]);
    await after.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    await expect(after.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'b' });
  });

  it('has runs go on from what their streams say', async () => {
    const options = { runs: [markingHandler()] };
    const first = world.open(options);
    await first.start();
    await first.stop();
    const asking = world.open(options);
    const ask = (id: string) => asking.scope(contextOf('x')).requestRun(marking, { id, input: { team: id, steps: 2 } });
    for (const id of ['behind', 'ended', 'removed']) await ask(id);
    // As a restored log of earlier leaves them: further than their streams, removed since, and never requested.
    const docs = asking.database.collection<{ _id: string }>('op_runs');
    const template = await docs.findOne({ _id: 'behind' });
    await docs.insertOne({ ...template, _id: 'never' });
    await docs.updateOne({ _id: 'behind' }, { $set: { step: 1, state: '{"at":1}' } });
    await docs.updateOne({ _id: 'ended' }, { $set: { open: false, outcome: 'done', endedAt: 1, sweepAt: 2 } });
    await docs.deleteOne({ _id: 'removed' });
    const consumers = asking.database.collection<{ _id: string }>('op_consumers');
    await consumers.updateOne({ _id: 'reactor_runs_v1' }, { $set: { position: Long.fromString('1000000000000') } });
    const store = world.open(options);
    await store.start();
    for (const id of ['behind', 'ended', 'removed']) {
      await eventually(async () => (await store.runs.find(id))?.status === 'done');
      await expect(store.runs.find(id)).resolves.toMatchObject({ step: 1, result: { marked: 2 } });
      // An event of each step.
      const { revision } = await store.scope(contextOf('x')).handle(team, id, () => []);
      expect(revision).toBe(1n);
    }
    await expect(store.runs.find('never')).resolves.toBeNull();
  });

  it('is no reason to build anything again when it is not newer', async () => {
    const stores = [world.open({ projections: [teamList] }), world.open({ projections: [teamList] })];
    await stores[0]?.start();
    await stores[0]
      ?.scope(contextOf('x'))
      .handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    const consumers = stores[0]?.database.collection<{ _id: string; epoch: number }>('op_consumers');
    const epoch = async () => (await consumers?.findOne({ _id: teamList.collection }))?.epoch;
    const first = await epoch();
    await stores[1]?.start();
    expect(await epoch()).toBe(first);
  });
});
