import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jsonAnswer, refuse, startRig, textOf, type Rig } from '../test/rig.js';

const session = `scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}`;
const principal = {
  kind: 'user',
  id: 'ann',
  token: { id: 'a'.repeat(20), kind: 'session', expiresAt: '2999-01-01T00:00:00.000Z' },
  operator: false,
};
const app = 'http://docs.test/o/o1/s/s1';
const space = {
  object: 'space',
  id: 's1',
  title: 'Hand & book',
  urls: { app, published: 'http://files.test/~site/x/' },
};
const inner = { type: 'document', id: 'p2', title: 'Inner', urls: { app: `${app}/p2` }, pages: [] };
const outer = { type: 'document', id: 'p1', title: '<b>Outer</b>', urls: { app: `${app}/p1` }, pages: [inner] };
const site = {
  object: 'site',
  id: 'x',
  title: 'Docs',
  urls: { app: 'http://docs.test/o/o1/sites/x', published: 'http://files.test/~site/x/' },
};

let rig: Rig;
beforeAll(async () => void (rig = await startRig()));
afterAll(() => rig.stop());
beforeEach(() => {
  rig.stub.calls.length = 0;
  rig.stub.on = {
    authenticateSession: () => jsonAnswer({ principal }),
    getOrganizationById: () => jsonAnswer({ title: 'Acme' }),
    listAllContentInOrganizationById: () => jsonAnswer({ items: [space], count: 1 }),
    listSpacesInCollectionById: () => jsonAnswer({ items: [space], count: 1 }),
    getSiteById: () => jsonAnswer(site),
    getContentByUrl: () => jsonAnswer({ space }),
    listPages: () => jsonAnswer({ pages: [outer] }),
    listPagesInChangeRequest: () => jsonAnswer({ pages: [inner] }),
    getPageById: () => jsonAnswer({ ...outer, markdown: '# One\n\n<script>alert(1)</script>\n' }),
    getPageInRevisionById: () => jsonAnswer({ ...outer, markdown: 'As it was' }),
  };
});

const cookie = { cookie: `scriptorium_session=${session}` };
const get = (path: string, headers: Record<string, string> = cookie) => rig.call('GET', path, { token: null, headers });
const view = (path: string, headers?: Record<string, string>) =>
  get(`/v1/auth/view?path=${encodeURIComponent(path)}`, headers);

describe('an address of the application', () => {
  it.each([['/o/o1'], ['/o/o1/s/s1/a%20b'], ['/o/o1/c/c1'], ['/o/o1/sites/x'], ['/o/o1/s/s1/~/changes/3/p1?x=1']])(
    '%s opens the page that has the cookie',
    async (path) => {
      const { status, headers, text } = await get(path, {});
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain(`content="0; url=/v1/auth/view?path=${encodeURIComponent(path)}"`);
      expect(rig.stub.calls).toEqual([]);
    },
  );

  it('tells who is not signed in to sign in, and the way back', async () => {
    const { status, text } = await view('/o/o1/s/s1', {});
    expect(status).toBe(401);
    expect(text).toContain('href="/sign-in"');
    expect(text).toContain('href="/o/o1/s/s1"');
  });

  it('of an invitation says how it is accepted', async () => {
    const { status, text } = await get('/join/i1', {});
    expect([status, text.includes('/invites/i1')]).toEqual([200, true]);
  });

  it.each([['//evil.test/o/x'], ['https://evil.test'], ['/v1/user'], ['']])('is no other one: %j', async (path) => {
    expect((await view(path)).status).toBe(404);
    expect(rig.stub.calls).toEqual([]);
  });
});

describe('what is at it is shown', () => {
  it('as the tree of a space, with its published address', async () => {
    const { status, text } = await view('/o/o1/s/s1');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Hand &amp; book</h1>');
    expect(text).toContain(`<a href="${app}/p1">&lt;b&gt;Outer&lt;/b&gt;</a>`);
    expect(text).toContain(`<a href="${app}/p2">Inner</a>`);
    expect(text).toContain('href="http://files.test/~site/x/"');
  });

  it('as the text of a page, which is never read as HTML', async () => {
    rig.stub.on['getContentByUrl'] = ({ body }) => {
      expect(JSON.parse(textOf(body))).toMatchObject({ query: { url: 'http://docs.test/o/o1/s/s1/p1' } });
      return jsonAnswer({ space, page: outer });
    };
    const { status, text } = await view('/o/o1/s/s1/p1');
    expect(status).toBe(200);
    expect(text).toContain('# One\n\n&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>');
  });

  it('in a change request, and in a revision', async () => {
    rig.stub.on['getContentByUrl'] = () => jsonAnswer({ space, changeRequest: { object: 'change-request', id: 'c1' } });
    expect((await view('/o/o1/s/s1/~/changes/3')).text).toContain('Inner');
    rig.stub.on['getContentByUrl'] = () => jsonAnswer({ space, page: outer });
    expect((await view('/o/o1/s/s1/~/revisions/r1/p1')).text).toContain('As it was');
  });

  it('as the spaces of an organization or collection, and as a site', async () => {
    const organization = await view('/o/o1');
    expect([organization.text.includes('<h1>Acme</h1>'), organization.text.includes(`href="${app}"`)]).toEqual([
      true,
      true,
    ]);
    rig.stub.on['getContentByUrl'] = () => jsonAnswer({ collection: { object: 'collection', id: 'c1', title: 'All' } });
    expect((await view('/o/o1/c/c1')).text).toContain('<h1>All</h1>');
    expect((await view('/o/o1/sites/x')).text).toContain('href="http://files.test/~site/x/"');
  });

  it('to nobody who may not see it', async () => {
    rig.stub.on['getContentByUrl'] = refuse('not_found');
    const { status, headers } = await view('/o/o1/s/s2');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const other = await view('/o/o1/s/s1', { ...cookie, origin: 'https://evil.test' });
    expect([other.status, rig.stub.calls]).toEqual([403, []]);
  });
});

describe('an installation with an application', () => {
  it('redirects to it', async () => {
    const own = await startRig({ config: { appUrl: 'https://app.test/editor/' } });
    const { status, headers } = await own.call('GET', '/o/o1/s/s1/p1?x=1', { token: null });
    expect([status, headers.get('location')]).toEqual([303, 'https://app.test/editor/o/o1/s/s1/p1?x=1']);
    expect((await own.call('GET', '/join/i1', { token: null })).headers.get('location')).toBe(
      'https://app.test/editor/join/i1',
    );
    await own.stop();
  });
});
