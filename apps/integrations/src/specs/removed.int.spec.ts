import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesWith, get } from '@scriptorium/testing';
import { comesTrue, startDispatchRig, type DispatchRig } from '../test/dispatch-rig.js';
import { newName, publication } from '../test/integration-rig.js';
import { officialScript } from '../test/official-script.js';
import { purgeNow } from '../test/purge.js';

const configurations = {
  account: { properties: { key: { type: 'string' } } },
  space: { properties: { key: { type: 'string' } } },
};

/** What is gone from the disk when an organization is deleted, or a space is purged. */
describe('nothing is left', () => {
  let world: DispatchRig;
  let isStopped = false;
  beforeAll(async () => {
    world = await startDispatchRig();
  }, 120_000);
  afterAll(() => (isStopped ? undefined : world.stop()));

  const count = (collection: string, filter: object = {}) =>
    world.rig.store.database.collection(collection).countDocuments(filter);

  it('of values, secrets, deliveries and lines of consoles', async () => {
    const organization = String((await world.done('POST', '/orgs', { title: 'Doomed' }))['id']);
    const { name, path, id } = await world.begin({ visibility: 'public', configurations });
    const space = await world.space('Purged');
    await world.done('POST', `${path}/spaces`, { space });
    await world.done('PATCH', `${path}/spaces/${space}`, { configuration: { key: 'Ofaspace' } });

    const own = newName();
    const { environment } = (await world.told(id, 1))[0] ?? {};
    const { SINK } = environment?.['secrets'] as { SINK: string };
    const secrets = { KEY: 'Hadestroop', SINK };
    const line = `/* Ferryman */ console.log('Mockingline');`;
    const script = officialScript(world.teller.replace('console.log(', `${line} console.log(`));
    await world.done('POST', `/integrations/${own}`, publication(organization, { script, secrets, configurations }));
    const installed = await world.done('POST', `/integrations/${own}/installations`, {
      organization,
      configuration: { key: 'Unmistakable' },
      externalIds: ['Zyxwvut'],
    });
    const doomed = String(installed['id']);
    const theirs = await world.done('POST', `/integrations/${name}/installations`, {
      organization,
      configuration: { key: 'Birdbrowser' },
    });
    const [told] = await world.told(doomed, 1);
    const token = String(get(told, 'environment.apiTokens.integration'));
    const body = { task: { word: 'Laterpayload' }, schedule: 3_600 };
    expect((await world.rig.send('POST', `/integrations/${own}/tasks`, { token, body })).status).toBe(204);
    await world.told(String(theirs['id']), 1);
    await comesTrue(async () => expect(await count('op_traces', { 'trace.logs.message': 'Mockingline' })).toBe(1));
    await world.settled(name);

    await world.done('DELETE', `/spaces/${space}`);
    await comesTrue(async () => expect(await count('op_deliveries', { 'target.id': space })).toBe(3));
    await world.settled(name);
    await purgeNow(world.rig, space);
    await comesTrue(async () => expect(await count('op_deliveries', { 'target.id': space })).toBe(0));
    expect(await count('op_deliveries', { installation: id })).toBe(1);
    await comesTrue(async () => expect(await count('op_traces', { installation: id })).toBe(1));

    await world.done('DELETE', `/orgs/${organization}`);
    await comesTrue(async () => expect(await count('op_deliveries', { organization })).toBe(0));
    await comesTrue(async () => expect(await count('op_configurations')).toBe(0));
    await comesTrue(async () => expect(await count('op_secrets')).toBe(1));
    await comesTrue(async () => expect(await count('op_tasks')).toBe(0));
    const gone = { installation: { $in: [doomed, theirs['id']] } };
    await comesTrue(async () => expect(await count('op_traces', gone)).toBe(0));
    expect(await count('last_installation_v2', { organization })).toBe(0);
    expect(world.received.map(({ event }) => event.type)).not.toContain('installation_deleted');
    await world.rig.store.database.collection('op_answers').deleteMany({});
    await world.rig.scavenge();
    const words = ['Hadestroop', 'Unmistakable', 'Birdbrowser', 'Ofaspace', 'Mockingline', 'Ferryman', 'Laterpayload'];
    let found: string[] = ['nothing was searched'];
    isStopped = true;
    await world.stop(async (folder) => void (found = await filesWith(folder, words)));
    expect(found).toEqual([]);
  }, 120_000);
});
