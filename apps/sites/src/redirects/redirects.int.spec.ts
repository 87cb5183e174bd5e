import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import { refusal } from '../test/site-rig.js';
import { startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('redirects and links of a site', () => {
  let visitors: VisitorRig;
  let first: string;
  let second: string;
  beforeAll(async () => {
    visitors = await startVisitorRig({ variables: { OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' } });
    ({ first, second } = visitors);
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const make = (site: string, source: string, destination: object) =>
    send('POST', `${site}/redirects`, { source, destination });
  const target = async (site: string, source: string, token: string): Promise<unknown[]> => {
    const { status, body } = await send('GET', `${site}/redirect?source=${source}`, undefined, token);
    return [status, body['target']];
  };
  /** The address at which a site is published, without a slash at its end. */
  const published = async (site: string): Promise<string> =>
    String(get((await send('GET', site)).body, 'urls.published')).replace(/\/$/, '');
  const parts = async (site: string) => {
    const sections = (await send('GET', `${site}/sections`)).body.items;
    return sections.map((one) => ({ section: one['id'], siteSpace: get(one, 'siteSpaces.0.id') }));
  };

  it('lead where the bodies of the official client say, and are answered in its form', async () => {
    const [site, address] = await visitors.publish({}, [first]);
    await send('POST', `${site}/sections`, { title: 'Reference', spaceId: second });
    const [guides, reference] = await parts(site);
    const { start } = visitors.pages;
    const at = await published(site);
    const destinations = {
      '/a': [{ kind: 'site-page', siteSpaceId: guides?.siteSpace, pageId: start }, `${at}/start`],
      '/b': [{ kind: 'site-space', siteSpaceId: reference?.siteSpace }, `${at}/reference`],
      '/c': [{ kind: 'site-section', siteSectionId: reference?.section }, `${at}/reference`],
      '/d': [{ kind: 'external', url: 'https://example.com/new' }, 'https://example.com/new'],
      '/e': [{ kind: 'url', url: 'https://example.com/new' }, 'https://example.com/new'],
      '/f': [{ kind: 'page', page: start }, `${at}/start`],
    } as const;
    const { apiToken } = await visitors.lead(address);
    for (const [source, [destination, leadsTo]] of Object.entries(destinations)) {
      const made = await make(site, source, destination);
      expect([made.status, made.body['destination']]).toEqual([201, destination]);
      const { status, body } = await send('GET', `${site}/redirect?source=${source}`, undefined, apiToken);
      expect([status, body['target'], body['redirect']]).toEqual([200, leadsTo, made.body]);
      expect(await target(site, source, visitors.world.reader.token)).toEqual([200, leadsTo]);
      expect(await visitors.lead(`${address}${source}`)).toMatchObject({
        redirect: leadsTo.replace(at, address),
      });
    }
    const asMarkdown = async (source: string) => (await visitors.lead(`${address}${source}.md`)).redirect;
    expect(await asMarkdown('/a')).toBe(`${address}/start.md`);
    expect(await asMarkdown('/b')).toBe(`${address}/reference`);
    expect(await asMarkdown('/d')).toBe('https://example.com/new');
    const listed = (await send('GET', `${site}/redirects`)).body.items.map(({ destination }) => destination);
    expect(listed).toEqual(Object.values(destinations).map(([destination]) => destination));
  });

  it('are told to visitors of the site and to members alone, and where they lead only to whom it is shown', async () => {
    const [site, address] = await visitors.publish();
    const [other] = await visitors.publish();
    const { paid } = visitors.pages;
    await visitors.useClaims(site);
    expect((await make(site, '/paying', { kind: 'page', page: paid })).status).toBe(201);
    const { apiToken } = await visitors.lead(address);
    expect(await target(site, '/paying', apiToken)).toEqual([404, undefined]);
    expect(await target(site, '/paying', visitors.world.reader.token)).toEqual([200, `${await published(site)}/paid`]);
    for (const source of [
      '/unknown',
      '/a//b',
      '//example.com',
      '/..',
      '/%2f',
      '/~service/x',
      'none',
      '',
      '/%zz',
      '/x*',
    ])
      expect([source, ...(await target(site, encodeURIComponent(source), apiToken))]).toEqual([source, 404, undefined]);
    expect(await target(other, '/paying', apiToken)).toEqual([404, undefined]);
    expect(await target(site, '/paying', visitors.world.stranger.token)).toEqual([404, undefined]);
  });

  it('show visitors what a link leads to, in the spaces of their token', async () => {
    const [, address] = await visitors.publish({}, [first]);
    const { apiToken } = await visitors.lead(address);
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Linked</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = encodeURIComponent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const embed = async (path: string): Promise<unknown[]> => {
      const { status, body } = await send('GET', `${path}/embed?url=${url}`, undefined, apiToken);
      return [status, body['title']];
    };
    for (const path of [`/spaces/${first}`, '/urls']) expect(await embed(path)).toEqual([200, 'Linked']);
    for (const space of [second, 'none']) expect(await embed(`/spaces/${space}`)).toEqual([404, undefined]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('have the key of a share link in their target', async () => {
    const [site] = await visitors.publish({ visibility: 'share-link' });
    await make(site, '/old', { kind: 'page', page: visitors.pages['start'] });
    const link = String(get((await send('POST', `${site}/share-links`, { name: 'One' })).body, 'urls.published'));
    const { apiToken } = await visitors.lead(link);
    expect(await target(site, '/old', apiToken)).toEqual([200, `${link}start`]);
    const key = link.split('/').at(-2) ?? '';
    const named = `/old&shareKey=${key}`;
    expect(await target(site, named, visitors.world.reader.token)).toEqual([200, `${link}start`]);
  });

  it('lead to nothing that is not on the site', async () => {
    const [site] = await visitors.publish({}, [first]);
    const [, elsewhere] = [await visitors.world.space('Elsewhere'), await visitors.world.space('Else')];
    await send('PATCH', `/spaces/${elsewhere}`, { editMode: 'live' });
    const insert = { operation: 'insert_page', title: 'Far', ref: 'far', document: { markdown: '' } };
    const { body } = await send('POST', `/spaces/${elsewhere}/content`, { changes: [insert] });
    const far = String(get(body, 'refs.far'));
    const siteSpaceId = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const refused = async (destination: object) => refusal(await make(site, '/x', destination));
    const field = (name: string) => [400, 'invalid_request', `body.destination.${name}`];
    expect(await refused({ kind: 'page', page: far })).toEqual(field('page'));
    expect(await refused({ kind: 'page', page: far, space: elsewhere })).toEqual(field('space'));
    expect(await refused({ kind: 'site-page', siteSpaceId, pageId: far })).toEqual(field('pageId'));
    expect(await refused({ kind: 'site-page', siteSpaceId })).toEqual(field('pageId'));
    expect(await refused({ kind: 'site-page', siteSpaceId: 'none', pageId: far })).toEqual(field('siteSpaceId'));
    expect(await refused({ kind: 'site-space', siteSpaceId: 'none' })).toEqual(field('siteSpaceId'));
    expect(await refused({ kind: 'site-section', siteSectionId: 'none' })).toEqual(field('siteSectionId'));
    for (const kind of ['url', 'external'])
      for (const url of [
        'https://user:pw@example.com/',
        'https://user@example.com/',
        'https://@example.com/',
        'ftp://a.b',
      ])
        expect([url, ...(await refused({ kind, url }))]).toEqual([url, ...field('url')]);
  });

  it('have sources that are paths of addresses', async () => {
    const [site] = await visitors.publish();
    const url = { kind: 'url', url: 'https://example.com' };
    const sources = ['//x', '/a//b', '/', '/..', '/a/../b', '/.', '/%2f', '/a%2Fb', '/%5c', '/%2e%2e', '/%zz', '/%00'];
    for (const source of [...sources, '/~service/auth/login', '/~gitbook/auth', '/a/~/changes/1', '/old/*', '/%2a'])
      expect([source, ...refusal(await make(site, source, url))]).toEqual([
        source,
        400,
        'invalid_request',
        'body.source',
      ]);
    expect((await make(site, '/Stra%C3%9Fe/a.html/', url)).body['source']).toBe('/Straße/a.html');
    const { body } = await make(site, '/kept', url);
    const one = `${site}/redirects/${String(body['id'])}`;
    expect(refusal(await send('PATCH', one, { source: '/~/x' }))).toEqual([400, 'invalid_request', 'body.source']);
  });

  it('do not lead to themselves, by themselves or by others', async () => {
    const [site, address] = await visitors.publish();
    const page = visitors.pages['start'];
    const loop = [400, 'invalid_request', 'body.destination'];
    const to = (path: string) => ({ kind: 'external', url: `${address}${path}` });
    expect(refusal(await make(site, '/x', to('/x?again=1')))).toEqual(loop);
    expect(refusal(await make(site, '/start', { kind: 'page', page }))).toEqual(loop);
    expect(refusal(await make(site, '/first/start', { kind: 'page', page }))).toEqual(loop);
    expect((await make(site, '/x', to('/y'))).status).toBe(201);
    expect((await make(site, '/y', to('/z'))).status).toBe(201);
    expect(refusal(await make(site, '/z', to('/x')))).toEqual(loop);
    const last = `${site}/redirects/${String((await make(site, '/z', to('/start'))).body['id'])}`;
    expect(refusal(await send('PATCH', last, { destination: to('/x') }))).toEqual(loop);
    expect(refusal(await send('PATCH', last, { source: '/start' }))).toEqual(loop);
    // What has become an address of the site since leads nowhere, and not in a circle.
    expect((await make(site, '/own', { kind: 'url', url: 'https://example.org/docs/own' })).status).toBe(201);
    await send('PATCH', site, { proxy: 'example.org/docs' });
    expect(await visitors.lead('https://example.org/docs/own')).toMatchObject({ pathname: '/own' });
  });
});
