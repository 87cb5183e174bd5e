import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStore } from '@scriptorium/event-sourcing';
import { filesWith } from '@scriptorium/testing';
import { eventually, get, startRig, type Person, type Rig } from '../test/own-rig.js';
import { createPeople, type SiteRig } from '../test/site-rig.js';

/** What follows in sites from what happens to organizations, members and spaces. */
describe('sites follow', () => {
  let world: SiteRig<Rig>;
  let isStopped: boolean;
  beforeEach(async () => {
    isStopped = false;
    world = await createPeople(await startRig());
  }, 60_000);
  afterEach(() => (isStopped ? undefined : world.rig.stop()));

  const send = (method: string, path: string, body?: object, { token }: Person = world.rig.owner) =>
    world.rig.send(method, path, {
      token,
      headers: { 'idempotency-key': randomUUID() },
      ...(body === undefined ? {} : { body }),
    });
  const paths = async (site: string) =>
    (await send('GET', `${site}/site-spaces`)).body.items.map(
      (one) => `${String(one['path'])}${one['default'] === true ? '*' : ''}`,
    );
  const rebuildAll = async (): Promise<void> => {
    const { body } = await send('GET', '/operator/sites/consumers?limit=1000');
    for (const { name } of body.items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await send('POST', `/operator/sites/projections/${String(name)}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  };
  const nothingParked = async () => expect((await send('GET', '/operator/sites/parked-events')).body.items).toEqual([]);
  /** Removes deleted data from disk, stops everything, and searches the files. */
  const search = async (words: readonly string[]): Promise<string[]> => {
    await world.rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await world.rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    return found;
  };
  /** Fires the timer that purges a space, which would take seven days. */
  const purgeNow = async (space: string): Promise<void> => {
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = world.rig.config;
    const content = createStore({ service: 'content', namespace, eventstoreUrl, mongoUrl });
    const timers = content.database.collection<{ _id: string }>('op_timers');
    const due = () => timers.updateOne({ _id: `purge_deleted:${space}` }, { $set: { due: 0 } });
    await eventually(async () => (await due()).matchedCount === 1);
    await content.stop();
  };
  /** A site with a text of everything that can have one. */
  const richSite = async (org: string, space: string): Promise<string> => {
    const made = await send('POST', `${org}/sites`, { title: 'Quillfeather', spaces: [space] });
    const site = `${org}/sites/${String(made.body['id'])}`;
    const [first] = (await send('GET', `${site}/site-spaces`)).body.items;
    await send('POST', `${site}/share-links`, { name: 'Zyxwvut' });
    await send('PUT', `${site}/customization`, { footer: { copyright: 'Plumage' } });
    const look = `${site}/site-spaces/${String(first?.['id'])}/customization`;
    await send('PATCH', look, { footer: { copyright: 'Birdbrowser' } });
    await send('POST', `${site}/redirects`, {
      source: '/Ferryman',
      destination: { kind: 'url', url: 'https://example.com' },
    });
    await send('PATCH', site, { proxy: 'example.com/Unmistakable', hostname: 'docs.featherduster.org' });
    await send('POST', `${site}/section-groups`, { title: 'Hadestroop' });
    return site;
  };
  const words = ['Quillfeather', 'Zyxwvut', 'Plumage', 'Birdbrowser', 'Ferryman', 'Unmistakable', 'Hadestroop'];

  it('the deletion of a site: nothing is left of its texts', async () => {
    const space = await world.space('Stays');
    const site = await richSite(world.org, space);
    expect((await filesWith(world.rig.folder, words)).length).toBeGreaterThan(0);
    expect((await send('DELETE', site)).status).toBe(205);
    const answers = world.rig.store.database.collection('op_answers');
    await eventually(async () => (await answers.countDocuments({ reply: { $exists: true } })) === 0);
    await rebuildAll();
    await nothingParked();
    expect(await search(words)).toEqual([]);
  }, 120_000);

  it('the deletion of a site: what others write at that moment does not outlive it', async () => {
    const sites = await Promise.all(Array.from({ length: 8 }, () => world.site({ title: 'Doomed' })));
    const destination = { kind: 'url', url: 'https://example.com' };
    await Promise.all(
      sites.flatMap((site, n) => [
        send('PUT', `${site}/customization`, { footer: { copyright: 'Plumage' } }),
        ...(n % 2 === 0 ? [send('DELETE', site)] : []),
        send('POST', `${site}/redirects`, { source: '/late', destination }),
        ...(n % 2 === 1 ? [send('DELETE', site)] : []),
        send('PUT', `${site}/customization`, { footer: { copyright: 'Plumage again' } }),
      ]),
    );
    const { database } = world.rig.store;
    const left = async (): Promise<number[]> =>
      Promise.all(
        ['customization_v2', 'site_redirect_v2'].map((name) =>
          database.collection(name).countDocuments({ site: { $exists: true } }),
        ),
      );
    await eventually(async () => (await left()).every((count) => count === 0), 20_000);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion of an organization: its sites go, and their unique values are free', async () => {
    const other = String((await send('POST', '/orgs', { title: 'Doomed' })).body['id']);
    const space = String((await send('POST', `/orgs/${other}/spaces`, { title: 'Doomed space' })).body['id']);
    const site = await richSite(`/orgs/${other}`, space);
    expect((await send('DELETE', `/orgs/${other}`)).status).toBe(205);
    expect((await send('GET', site)).status).toBe(404);
    const documents = () => world.rig.store.database.collection('site_v3').countDocuments({ organization: other });
    await eventually(async () => (await documents()) === 0, 20_000);
    const mine = await world.site();
    await eventually(
      async () => (await send('PATCH', mine, { proxy: 'example.com/Unmistakable' })).status === 200,
      60_000,
    );
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the deletion, restoration and purge of a space', async () => {
    const [first, second] = [await world.space('First'), await world.space('Second')];
    const site = await world.site({ spaces: [first, second] });
    expect(await paths(site)).toEqual(['first*', 'second']);
    await send('DELETE', `/spaces/${first}`);
    expect(await paths(site)).toEqual(['first', 'second*']);
    await send('POST', `/spaces/${first}/restore`);
    expect(await paths(site)).toEqual(['first*', 'second']);
    await send('DELETE', `/spaces/${first}`);
    await purgeNow(first);
    await eventually(async () => (await paths(site)).join() === 'second*', 20_000);
    expect((await send('GET', `${world.org}/sites?space=${first}`)).body['count']).toBe(0);
    await rebuildAll();
    await nothingParked();
  }, 120_000);

  it('the removal and erasure of members: what was granted to them is gone, and their names are nowhere', async () => {
    const site = await world.site();
    const gone = await world.rig.member('Quillfeather Gone', 'admin');
    await send('POST', `${site}/permissions`, { role: 'read', users: [gone.id] });
    await send('PATCH', site, { title: 'By somebody' }, gone);
    await send('DELETE', `${world.org}/members/${gone.id}`);
    expect((await send('GET', site, undefined, gone)).status).toBe(404);
    const granted = () => world.rig.store.database.collection('site_v3').findOne({ 'grants.users.user': gone.id });
    await eventually(async () => (await granted()) === null);
    expect((await send('DELETE', `/users/${gone.id}`)).status).toBe(205);
    expect(get((await send('GET', site)).body, 'title')).toBe('By somebody');
    await rebuildAll();
    await nothingParked();
    await eventually(async () => (await send('GET', `/users/${gone.id}`)).status === 404);
    await world.rig.store.database.collection('op_answers').deleteMany({});
    expect(await search(['Quillfeather'])).toEqual([]);
  }, 120_000);
});
