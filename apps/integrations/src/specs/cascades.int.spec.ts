import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { createPeople, newName, publication, script, type IntegrationRig } from '../test/integration-rig.js';
import { eventually, startRig, type Rig } from '../test/own-rig.js';
import { purgeNow } from '../test/purge.js';

const configurations = {
  account: { properties: { key: { type: 'string' } } },
  space: { properties: { key: { type: 'string' } } },
  site: { properties: { key: { type: 'string' } } },
};

/** What ends with integrations, organizations, spaces and sites. */
describe('integrations follow', () => {
  let world: IntegrationRig<Rig>;
  let isStopped = false;
  beforeAll(async () => {
    world = await createPeople(await startRig());
  }, 60_000);
  afterAll(() => (isStopped ? undefined : world.rig.stop()));

  const send: IntegrationRig['send'] = (...sent) => world.send(...sent);
  const count = (collection: string, filter: object = {}) =>
    world.rig.store.database.collection(collection).countDocuments(filter);
  /** The id of an integration. */
  const idOf = async (name: string): Promise<string> => {
    const published = world.rig.store.database.collection<{ _id: string; name: string }>('integration_v1');
    return (await published.findOne({ name }))?._id ?? '';
  };
  /** The last part of the path of an installation. */
  const installationOf = (path: string): string => path.split('/').at(-1) ?? '';
  const rebuildAll = async (): Promise<void> => {
    const { items } = (await send('GET', '/operator/integrations/consumers?limit=1000')).body;
    for (const { name } of items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await send('POST', `/operator/integrations/projections/${String(name)}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  };
  const nothingParked = async () =>
    expect((await send('GET', '/operator/integrations/parked-events')).body.items).toEqual([]);
  /** Removes deleted data from disk, stops everything, and searches the files. */
  const search = async (words: readonly string[]): Promise<string[]> => {
    await world.rig.store.database.collection('op_answers').deleteMany({});
    await world.rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await world.rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    return found;
  };
  const idsOf = async (path: string, kind: string) =>
    (await world.done('GET', `${path}/${kind}s`)).items.map((one) => one[kind]);

  it('the end of a publication: its installations end, and nothing of its bytes and secrets is left', async () => {
    const name = await world.publish({ secrets: { KEY: 'secret' }, configurations, visibility: 'public' });
    const path = await world.install(name, { configuration: { key: 'value' } });
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    await world.done('POST', `/integrations/${name}/installations`, { organization: other });
    const of = { integration: await idOf(name) };
    expect([await count('op_secrets', of), await count('op_assets', of)]).toEqual([1, 1]);
    expect((await send('DELETE', `/integrations/${name}`)).status).toBe(205);
    expect((await send('GET', path)).status).toBe(404);
    expect((await world.done('GET', `${world.org}/installations`))['count']).toBe(0);
    await eventually(async () => (await count('installation_v2', of)) === 0, 20_000);
    await eventually(async () => (await count('op_secrets', of)) + (await count('op_assets', of)) === 0, 20_000);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the end of a publication: what is installed at that moment does not outlive it', async () => {
    const names = await Promise.all(Array.from({ length: 6 }, () => world.publish()));
    const install = (name: string) =>
      send('POST', `/integrations/${name}/installations`, { organization: world.rig.organization });
    await Promise.all(
      names.flatMap((name, n) =>
        n % 2 === 0
          ? [install(name), send('DELETE', `/integrations/${name}`)]
          : [send('DELETE', `/integrations/${name}`), install(name)],
      ),
    );
    await eventually(async () => (await count('installation_v2', { name: { $in: names } })) === 0, 20_000);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion, restoration and purge of a space', async () => {
    const path = await world.install(await world.publish({ configurations }));
    const all = await world.install(await world.publish(), { space_selection: 'all' });
    const space = await world.space('First');
    await world.done('POST', `${path}/spaces`, { space });
    await world.done('PATCH', `${path}/spaces/${space}`, { configuration: { key: 'Unmistakable' } });
    await send('DELETE', `/spaces/${space}`);
    expect(await idsOf(path, 'space')).toEqual([]);
    await eventually(async () => (await count('target_entry_v1', { target: space })) === 0, 20_000);
    expect(await idsOf(all, 'space')).not.toContain(space);
    await world.done('POST', `/spaces/${space}/restore`);
    expect(await idsOf(path, 'space')).toEqual([]);
    await eventually(async () => (await idsOf(all, 'space')).includes(space));
    await send('DELETE', `/spaces/${space}`);
    const of = { installation: installationOf(path) };
    expect(await count('op_configurations', of)).toBe(1);
    await purgeNow(world.rig, space);
    await eventually(async () => (await count('op_configurations', of)) === 0, 20_000);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion of a collection: what is installed on the spaces in it ends', async () => {
    const path = await world.install(await world.publish());
    const collection = String((await world.done('POST', `${world.org}/collections`, { title: 'Box' }))['id']);
    const made = await world.done('POST', `${world.org}/spaces`, { title: 'In it', empty: true, parent: collection });
    const space = String(made['id']);
    await world.done('POST', `${path}/spaces`, { space });
    await send('DELETE', `/collections/${collection}`);
    await eventually(async () => (await count('target_entry_v1', { target: space })) === 0, 20_000);
    expect(await idsOf(path, 'space')).toEqual([]);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the transfer of a space: it leaves one organization, and enters what selects all in the other', async () => {
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    const name = await world.publish({ visibility: 'public' });
    const path = await world.install(name);
    const there = await world.done('POST', `/integrations/${name}/installations`, {
      organization: other,
      space_selection: 'all',
    });
    const theirs = `/integrations/${name}/installations/${String(there['id'])}`;
    const space = await world.space('Moved');
    await world.done('POST', `${path}/spaces`, { space });
    await world.done('POST', `/spaces/${space}/transfer`, { organization: other });
    await eventually(async () => (await idsOf(theirs, 'space')).includes(space), 20_000);
    await eventually(async () => (await count('target_entry_v1', { target: space })) === 0, 20_000);
    expect(await idsOf(path, 'space')).toEqual([]);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion of a site, and what is added at that moment', async () => {
    const path = await world.install(await world.publish({ configurations }));
    const sites = await Promise.all(Array.from({ length: 6 }, (_, n) => world.site(`Site ${n}`)));
    const [first = ''] = sites;
    await world.done('POST', `${path}/sites`, { siteId: first });
    await world.done('PATCH', `${path}/sites/${first}`, { configuration: { key: 'a' } });
    await Promise.all(
      sites.flatMap((site, n) =>
        n % 2 === 0
          ? [send('DELETE', `${world.org}/sites/${site}`), send('POST', `${path}/sites`, { siteId: site })]
          : [send('POST', `${path}/sites`, { siteId: site }), send('DELETE', `${world.org}/sites/${site}`)],
      ),
    );
    const of = { installation: installationOf(path) };
    await eventually(async () => (await count('target_entry_v1', { kind: 'site' })) === 0, 20_000);
    await eventually(async () => (await count('op_configurations', of)) === 0, 20_000);
    expect(await idsOf(path, 'site')).toEqual([]);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('another version, and another configuration: what they replace is removed after 30 days', async () => {
    const name = await world.publish({ secrets: { KEY: '1' }, configurations });
    const path = await world.install(name, { configuration: { key: 'a' } });
    await world.publish({ secrets: { KEY: '2' }, configurations, script: `${script} // 2` }, name);
    await world.done('PATCH', path, { configuration: { key: 'b' } });
    const [of, ofInstallation] = [{ integration: await idOf(name) }, { installation: installationOf(path) }];
    const counts = async () => [
      await count('op_secrets', of),
      await count('op_assets', of),
      await count('op_configurations', ofInstallation),
    ];
    expect(await counts()).toEqual([2, 2, 2]);
    const timers = world.rig.store.database.collection<{ _id: string; at: number }>('op_timers');
    const ids = [`drop_configuration:${ofInstallation.installation}`, `sweep_integration_versions:${of.integration}`];
    const wanted = { _id: { $regex: `^(${ids.join('|')})` } };
    await eventually(async () => (await timers.countDocuments(wanted)) === 2);
    await timers.updateMany(wanted, { $set: { due: 0 } });
    await eventually(async () => (await counts()).join() === '1,1,1', 20_000);
    expect((await world.done('GET', path))['configuration']).toEqual({ key: 'b' });
    expect(await world.publish({ secrets: { KEY: '2' }, configurations, script: `${script} // 2` }, name)).toBe(name);
    expect((await world.done('GET', `/integrations/${name}`))['version']).toBe(2);
    await nothingParked();
  }, 120_000);

  it('the deletion of an organization in which others publish at that moment', async () => {
    const other = String((await world.done('POST', '/orgs', { title: 'Doomed' }))['id']);
    const before = await count('op_assets');
    const publish = () => send('POST', `/integrations/${newName()}`, publication(other));
    await Promise.all([publish(), publish(), send('DELETE', `/orgs/${other}`), publish(), publish()]);
    await eventually(async () => (await count('integration_v1', { organization: other })) === 0, 20_000);
    await eventually(async () => (await count('op_assets')) === before, 20_000);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion of an organization: nothing is left of what it has published and configured', async () => {
    const other = String((await world.done('POST', '/orgs', { title: 'Doomed' }))['id']);
    const [own, foreign] = [newName(), await world.publish({ visibility: 'public', configurations })];
    const texts = { title: 'Quillfeather', summary: 'Birdbrowser', script: `/* Ferryman */ ${script}` };
    const more = { ...texts, secrets: { KEY: 'Hadestroop' }, configurations, visibility: 'public' };
    await world.done('POST', `/integrations/${own}`, publication(other, more));
    const installed = await world.done('POST', `/integrations/${foreign}/installations`, {
      organization: other,
      configuration: { key: 'Unmistakable' },
      externalIds: ['Zyxwvut'],
    });
    const path = `/integrations/${foreign}/installations/${String(installed['id'])}`;
    await world.done('PATCH', path, { externalIds: ['Zyxwvut again'], configuration: { key: 'Unmistakable, too' } });
    const elsewhere = await world.install(own);
    const of = { integration: await idOf(own) };
    const installations = { installation: { $in: [String(installed['id']), installationOf(elsewhere)] } };
    expect([await count('op_secrets', of), await count('op_assets', of)]).toEqual([1, 1]);
    expect((await send('DELETE', `/orgs/${other}`)).status).toBe(205);
    await eventually(async () => (await send('GET', `/integrations/${own}`)).status === 404, 20_000);
    await eventually(async () => (await send('GET', path)).status === 404, 20_000);
    expect((await send('GET', elsewhere)).status).toBe(404);
    await eventually(
      async () => (await count('op_secrets', of)) + (await count('op_configurations', installations)) === 0,
      20_000,
    );
    await eventually(async () => (await count('op_assets', of)) === 0, 20_000);
    // Its name is free.
    await eventually(
      async () => (await send('POST', `/integrations/${own}`, publication(world.rig.organization))).status === 200,
      20_000,
    );
    await rebuildAll();
    await nothingParked();
    const words = ['Quillfeather', 'Birdbrowser', 'Ferryman', 'Hadestroop', 'Unmistakable'];
    expect(await search(words)).toEqual([]);
  }, 120_000);
});
