import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, type Person } from '../test/rig.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

/** What other services make of sites. */
describe('sites and other services', () => {
  let world: SiteRig;
  beforeAll(async () => {
    world = await startSiteRig();
  }, 60_000);
  afterAll(() => world.rig.stop());

  const send = (method: string, path: string, body?: object, { token }: Person = world.rig.owner) =>
    world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });

  it('a space has the visibility of the published site with the widest audience that shows the space', async () => {
    const space = await world.space('Shown');
    const visibility = async () => (await send('GET', `/spaces/${space}`)).body['visibility'];
    const [secret, open] = [
      await world.site({ visibility: 'share-link', spaces: [space] }),
      await world.site({ visibility: 'unlisted', spaces: [space] }),
    ];
    expect(await visibility()).toBe('private');
    await send('POST', `${secret}/publish`);
    expect(await visibility()).toBe('share-link');
    await send('POST', `${open}/publish`);
    expect(await visibility()).toBe('unlisted');
    await send('PATCH', open, { visibility: 'public' });
    expect(await visibility()).toBe('public');
    const [siteSpace] = (await send('GET', `${open}/site-spaces`)).body.items;
    expect(get(siteSpace, 'space.visibility')).toBe('public');
    await send('DELETE', open);
    expect(await visibility()).toBe('share-link');
    await send('POST', `${secret}/unpublish`);
    expect(await visibility()).toBe('private');
  });

  it('an organization shows one of its sites first, until that is deleted', async () => {
    const site = await world.site();
    const id = site.slice(`${world.org}/sites/`.length);
    const setting = (one: string) => ({ defaultContent: { type: 'site', site: one } });
    expect((await send('PATCH', world.org, setting(id))).body).toMatchObject(setting(id));
    const unknown = await send('PATCH', world.org, setting('none'));
    expect(refusal(unknown)).toEqual([400, 'default_content_invalid', 'body.defaultContent.site']);
    const other = String((await send('POST', '/orgs', { title: 'Other' })).body['id']);
    expect(refusal(await send('PATCH', `/orgs/${other}`, setting(id)))[1]).toBe('default_content_invalid');
    await send('DELETE', site);
    await eventually(async () => get((await send('GET', world.org)).body, 'defaultContent') === undefined);
  });

  it('an organization is created with a site if that is wished', async () => {
    const { body } = await send('POST', '/orgs?withDefaultSite=true', { title: 'With a site' });
    const org = `/orgs/${String(body['id'])}`;
    await eventually(async () => get((await send('GET', org)).body, 'defaultContent.site') !== undefined);
    const site = String(get((await send('GET', org)).body, 'defaultContent.site'));
    await eventually(async () => (await send('GET', `${org}/sites`)).body['count'] === 1);
    expect((await send('GET', `${org}/sites`)).body.items).toMatchObject([
      { id: site, title: 'With a site', basename: 'with-a-site', published: false },
    ]);
    const plain = await send('POST', '/orgs', { title: 'Without one' });
    expect((await send('GET', `/orgs/${String(plain.body['id'])}/sites`)).body.items).toEqual([]);
  });
});
