import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, type Person } from '../test/rig.js';
import { startNameServer, type NameServer } from '../test/name-server.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

describe('sites', () => {
  let world: SiteRig;
  let names: NameServer;
  beforeAll(async () => {
    names = await startNameServer();
    world = await startSiteRig({ DNS_SERVERS: names.address, APP_URL: 'https://app.docs.example' });
  }, 60_000);
  afterAll(async () => {
    await world.rig.stop();
    await names.stop();
  });

  const send = (method: string, path: string, body?: object, { token }: Person = world.rig.owner) =>
    world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });

  it('are created without a body', async () => {
    const { status, body, headers } = await send('POST', `${world.org}/sites`);
    const id = String(body['id']);
    expect(status).toBe(201);
    expect(id).toMatch(/^site_[a-zA-Z0-9]{10}$/);
    expect(headers.get('location')).toBe(`https://docs.example/v1${world.org}/sites/${id}`);
    expect(body).toMatchObject({
      object: 'site',
      type: 'basic',
      title: 'Untitled site',
      basename: 'untitled-site',
      visibility: 'public',
      published: false,
      siteSpaces: 0,
      adaptiveContent: { enabled: false },
      agentsContext: 'excluded',
      permissions: { view: true, admin: true },
      urls: { location: `https://docs.example/v1${world.org}/sites/${id}` },
    });
    expect(get(body, 'urls.published')).toBeUndefined();
    expect((await send('GET', `${world.org}/sites/${id}`)).body).toEqual(body);
  });

  it('get basenames of their own', async () => {
    const basenames = [];
    for (const title of ['Über Café', 'Über Café', 'Über Café', '日本']) {
      const { body } = await send('POST', `${world.org}/sites`, { title });
      basenames.push(String(body['basename']));
    }
    expect(basenames.slice(0, 3)).toEqual(['uber-cafe', 'uber-cafe-2', 'uber-cafe-3']);
    expect(basenames[3]).toMatch(/^site-[a-z0-9]{6}$/);
  });

  it('are created with spaces, on which the caller may create', async () => {
    const [first, second] = [await world.space('First'), await world.space('Second')];
    const site = await world.site({ title: 'With spaces', spaces: [first, second] });
    expect((await send('GET', site)).body['siteSpaces']).toBe(2);
    const listed = await send('GET', `${site}/site-spaces`);
    expect(listed.body.items).toMatchObject([
      { object: 'site-space', path: 'first', default: true, title: 'First', space: { object: 'space', id: first } },
      { object: 'site-space', path: 'second', default: false, title: 'Second', space: { title: 'Second' } },
    ]);
    const create = (spaces: string[], person: Person) => send('POST', `${world.org}/sites`, { spaces }, person);
    expect(refusal(await create(['nospace'], world.creator))).toEqual([404, 'not_found', 'body.spaces[0]']);
    const own = await world.space('Only read');
    await send('PATCH', `/spaces/${own}`, { defaultLevel: 'read' });
    expect(refusal(await create([first, own], world.creator))).toEqual([403, 'forbidden', 'body.spaces[1]']);
    expect(refusal(await create([first], world.editor))).toEqual([403, 'forbidden', undefined]);
    expect((await create([first], world.guest)).status).toBe(403);
    expect((await create([first], world.stranger)).status).toBe(404);
  });

  it('are listed, the newest first, and found by title, type, space and whether they are published', async () => {
    const space = await world.space('On one site');
    const site = await world.site({ title: 'Needle (1)', type: 'premium', spaces: [space] });
    await send('POST', `${site}/publish`);
    const titles = async (query: string, person?: Person) =>
      (await send('GET', `${world.org}/sites?${query}`, undefined, person)).body.items.map((one) => one['title']);
    expect((await titles(''))[0]).toBe('Needle (1)');
    for (const query of [`space=${space}`, 'title=needle%20(1', 'type=premium', 'published=true'])
      expect([query, await titles(query)]).toEqual([query, ['Needle (1)']]);
    expect(await titles('title=needle&published=false')).toEqual([]);
    expect(await titles('title=needle', world.reader)).toEqual(['Needle (1)']);
    expect(await titles('title=needle', world.guest)).toEqual([]);
    const seen: unknown[] = [];
    let page = '';
    do {
      const { body } = await send('GET', `${world.org}/sites?limit=2${page}`);
      seen.push(...body.items.map((one) => one['id']));
      const next = get(body, 'next.page') as string | undefined;
      page = next === undefined ? '' : `&page=${next}`;
      if (page === '') expect(new Set(seen).size).toBe(body['count']);
    } while (page !== '');
  });

  it('are published and unpublished by admins, as often as they like', async () => {
    const site = await world.site({ title: 'Public' });
    for (const path of ['publish', 'unpublish'])
      expect((await send('POST', `${site}/${path}`, undefined, world.creator)).status).toBe(403);
    const organization = await send('GET', world.org);
    const address = `https://${String(organization.body['hostname'])}.sites.localhost/public/`;
    for (let i = 0; i < 2; i += 1)
      expect((await send('POST', `${site}/publish`)).body).toMatchObject({
        published: true,
        urls: { published: address },
      });
    for (let i = 0; i < 2; i += 1) {
      const { body } = await send('POST', `${site}/unpublish`);
      expect([body['published'], get(body, 'urls.published')]).toEqual([false, undefined]);
    }
  });

  it('have settings that admins change', async () => {
    const site = await world.site({ title: 'Settings' });
    const patch = (body: object, person?: Person) => send('PATCH', site, body, person);
    const change = { title: 'Changed', visibility: 'unlisted', agentsContext: 'included' };
    const { body } = await patch({ ...change, adaptiveContent: { enabled: true }, basename: 'v1.0_docs' });
    expect(body).toMatchObject({ ...change, adaptiveContent: { enabled: true }, basename: 'v1.0_docs' });
    expect((await patch({ title: 'xy' }, world.creator)).status).toBe(403);
    expect((await patch({ title: 'xy' }, world.stranger)).status).toBe(404);
    for (const basename of ['llms.txt', 'Upper', '~site', '-x', 'ä', ''])
      expect([basename, refusal(await patch({ basename }))]).toEqual([
        basename,
        [400, 'invalid_request', 'body.basename'],
      ]);
    for (const wrong of [{ visibility: 'secret' }, { title: '' }, { proxy: 'no path' }, { hostname: 'two.parts' }])
      expect((await patch(wrong)).status).toBe(400);
    for (const name of ['defaultSiteSpace', 'defaultSiteSection'])
      expect(refusal(await patch({ [name]: 'none' }))).toEqual([400, 'invalid_request', `body.${name}`]);
  });

  it('keep basenames and proxies for themselves, and give them back', async () => {
    const [one, other] = [await world.site({ title: 'One' }), await world.site({ title: 'Other' })];
    expect(refusal(await send('PATCH', other, { basename: 'one' }))).toEqual([409, 'already_exists', 'body.basename']);
    const { body } = await send('PATCH', one, { basename: 'renamed', proxy: 'Example.com/Docs' });
    expect(get(body, 'proxy.origin')).toBe('example.com/Docs');
    expect(get(body, 'proxy.target')).toMatch(/sites\.localhost\/renamed$/);
    expect((await send('PATCH', other, { basename: 'one' })).status).toBe(200);
    const clash = await send('PATCH', other, { basename: 'free', proxy: 'EXAMPLE.com/Docs' });
    expect(refusal(clash)).toEqual([409, 'already_exists', 'body.proxy']);
    expect((await send('GET', other)).body['basename']).toBe('one');
    expect((await send('PATCH', one, { proxy: null })).body).not.toHaveProperty('proxy');
    expect((await send('PATCH', other, { proxy: 'example.com/Docs' })).status).toBe(200);
  });

  it('refuse the hosts of the installation as their own, and those below the domain at which it publishes', async () => {
    const site = await world.site({ title: 'Greedy' });
    const own = ['docs.example', 'app.docs.example', 'other.sites.localhost', 'DOCS.example'];
    for (const host of own)
      expect([host, refusal(await send('PATCH', site, { proxy: `${host}/docs` }))]).toEqual([
        host,
        [400, 'invalid_request', 'body.proxy'],
      ]);
    for (const hostname of ['app.docs.example', 'a.other.sites.localhost'])
      expect([hostname, refusal(await send('PATCH', site, { hostname }))]).toEqual([
        hostname,
        [400, 'invalid_request', 'body.hostname'],
      ]);
    const { body } = await send('GET', site);
    expect([body['proxy'], body['hostname']]).toEqual([undefined, undefined]);
  });

  it('wait with a hostname of their own until it is verified', async () => {
    const site = await world.site({ title: 'Own host' });
    const { body } = await send('PATCH', site, { hostname: 'docs.example.org' });
    expect(body).toMatchObject({
      hostname: 'docs.example.org',
      hostnameStatus: 'pending',
      hostnameProof: { type: 'TXT', name: '_scriptorium-challenge.docs.example.org' },
    });
    expect((await send('GET', site)).body['hostnameProof']).toEqual(body['hostnameProof']);
    const verify = (of: string, person?: Person) => send('POST', `${of}/hostname/verify`, undefined, person);
    expect(refusal(await verify(site)).slice(0, 2)).toEqual([409, 'conflict']);
    const proof = body['hostnameProof'] as { name: string; value: string };
    names.records.set(proof.name, 'something else');
    expect((await verify(site)).status).toBe(409);
    names.records.set(proof.name, proof.value);
    expect((await verify(site, world.creator)).status).toBe(403);
    await send('POST', `${site}/publish`);
    const active = { hostnameStatus: 'active', urls: { published: 'https://docs.example.org/' } };
    for (let i = 0; i < 2; i += 1) expect((await verify(site)).body).toMatchObject(active);
    const other = await world.site();
    expect((await verify(other)).status).toBe(404);
    const taken = await send('PATCH', other, { hostname: 'docs.example.org' });
    expect(refusal(taken)).toEqual([409, 'already_exists', 'body.hostname']);
    expect((await send('PATCH', site, { hostname: null })).body).not.toHaveProperty('hostname');
    const moved = await send('PATCH', other, { hostname: 'docs.example.org' });
    const { name, value } = moved.body['hostnameProof'] as { name: string; value: string };
    expect([name, value === proof.value]).toEqual([proof.name, false]);
    names.records.set(name, value);
    expect((await verify(other)).body).toMatchObject({ hostnameStatus: 'active' });
  });

  it('share a hostname that is pending, and one of them gets it, whoever asks at the same time', async () => {
    const hostname = 'shared.docs.example.org';
    const [one, other] = [await world.site(), await world.site()];
    const prove = async (site: string): Promise<{ name: string; value: string }> =>
      (await send('PATCH', site, { hostname })).body['hostnameProof'] as { name: string; value: string };
    const proofs = [await prove(one), await prove(other)];
    expect(proofs[0]?.name).toBe(proofs[1]?.name);
    const verify = async (site: string): Promise<number> => (await send('POST', `${site}/hostname/verify`)).status;
    names.records.set(proofs[0]?.name ?? '', proofs[0]?.value ?? '');
    // The proof of one site does not verify another one.
    expect(await verify(other)).toBe(409);
    expect(await Promise.all([verify(one), verify(one), verify(other)])).toEqual([200, 200, 409]);
    names.records.set(proofs[1]?.name ?? '', proofs[1]?.value ?? '');
    expect(await verify(other)).toBe(409);
    expect((await send('GET', other)).body).toMatchObject({ hostnameStatus: 'pending' });
  });

  it('are deleted by admins, and their basenames are free again', async () => {
    const space = await world.space('Stays');
    const site = await world.site({ title: 'To delete', spaces: [space] });
    expect((await send('DELETE', site, undefined, world.creator)).status).toBe(403);
    expect((await send('DELETE', site, undefined, world.stranger)).status).toBe(404);
    expect((await send('DELETE', site)).status).toBe(205);
    expect((await send('DELETE', site)).status).toBe(204);
    expect((await send('GET', site)).status).toBe(404);
    expect((await send('GET', `/spaces/${space}`)).status).toBe(200);
    expect((await send('GET', `${world.org}/sites?space=${space}`)).body.items).toEqual([]);
    const other = await world.site({ title: 'Takes over' });
    await eventually(async () => (await send('PATCH', other, { basename: 'to-delete' })).status === 200);
  });
});
