import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBranch } from '@scriptorium/contracts';
import { connectAsker } from '../../test/ask.js';
import { get, startRig, type Rig } from '../../test/rig.js';

describe('an address', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' })), 60_000);
  afterAll(() => rig.stop());

  const find = (url: string, token: string | null = rig.owner.token) =>
    rig.send('GET', `/urls/content?url=${encodeURIComponent(url)}`, { token });

  it('leads to the space, page, change request or collection, for whoever may see it', async () => {
    const org = `/orgs/${rig.organization}`;
    const { body: collection } = await rig.send('POST', `${org}/collections`);
    const body = { title: 'Guide', empty: true, editMode: 'live' };
    const { body: space } = await rig.send('POST', `${org}/spaces`, { body });
    const app = String(get(space, 'urls.app'));
    const document = { markdown: 'Text' };
    const changes = [
      { operation: 'insert_page', title: 'Outer', document, ref: 'outer' },
      { operation: 'insert_page', title: 'Inner', document, into: 'outer', ref: 'inner' },
    ];
    const made = await rig.send('POST', `/spaces/${String(space['id'])}/content`, { body: { changes } });
    const page = String(get(made.body, 'refs.inner'));
    const shown = await find(app);
    expect([shown.status, get(shown.body, 'space.title'), 'page' in shown.body]).toEqual([200, 'Guide', false]);
    expect((await find(String(get(collection, 'urls.app')))).body).toEqual({ collection });
    for (const path of [page, 'outer/inner'])
      expect([path, get((await find(`${app}/${path}`)).body, 'page.id')]).toEqual([path, page]);
    const ask = await connectAsker(rig);
    await ask(openBranch, { space: String(space['id']), branch: 'request' });
    await ask.close();
    const inRequest = (await find(`${app}/~/changes/request/outer/inner`)).body;
    expect([get(inRequest, 'changeRequest.id'), get(inRequest, 'page.id')]).toEqual(['request', page]);
    const revision = String(made.body['revision']);
    expect(get((await find(`${app}/~/revisions/${revision}/${page}`)).body, 'page.title')).toBe('Inner');
    for (const path of ['/none', '/~/changes/none', '/~/revisions/none']) {
      const { status, body: refused } = await find(`${app}${path}`);
      expect([path, status, refused.error.reason]).toEqual([path, 404, 'not_found']);
    }
    const other = await rig.person('Otto Other');
    expect((await find(app, other.token)).status).toBe(404);
    expect((await find(app.replace(rig.organization, 'other'))).status).toBe(404);
    expect((await find(app, null)).status).toBe(401);
  });

  it('is asked what a link to it shows', async () => {
    const server = createServer((request, response) => {
      const isPage = request.url === '/page';
      response.writeHead(request.url === '/none' ? 404 : 200, { 'content-type': isPage ? 'text/html' : 'image/png' });
      response.end(isPage ? '<title>Wombats</title><link rel=icon href=/i.png>' : 'x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const space = String((await rig.send('POST', `/orgs/${rig.organization}/spaces`)).body['id']);
    const show = (from: string, path: string, token = rig.owner.token) =>
      rig.send('GET', `${from}/embed?url=${encodeURIComponent(`${base}${path}`)}`, { token });
    for (const from of ['/urls', `/spaces/${space}`]) {
      const page = { type: 'link', title: 'Wombats', site: '127.0.0.1', icon: `${base}/i.png` };
      expect([from, (await show(from, '/page')).body]).toEqual([from, page]);
      expect((await show(from, '/a/map.png')).body).toEqual({ type: 'link', title: 'map.png', site: '127.0.0.1' });
      const { status, body } = await show(from, '/none');
      expect([status, body.error.details?.[0]?.path]).toEqual([502, 'query.url']);
    }
    const other = await rig.person('Ola Other');
    expect((await show(`/spaces/${space}`, '/page', other.token)).status).toBe(404);
    expect((await show('/urls', '/page', other.token)).status).toBe(200);
    const refused = await rig.send('GET', '/urls/embed?url=http%3A%2F%2F10.0.0.1%2F');
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, 'query.url']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('is one of this installation', async () => {
    expect((await find('https://elsewhere.example/o/a/s/b')).status).toBe(404);
    const { status, body } = await find('no address');
    expect([status, body.error.details?.[0]?.path]).toEqual([400, 'query.url']);
  });
});
