import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { SignJWT } from 'jose';
import { dot } from '../test/everything.js';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

/** The script of the reader, which each page has once. */
const ownScript = /<script type="module" src="([^"]*\/~reader\/script-[\da-f]{12}\.js)"[^>]*><\/script>/;
const withoutOwnScript = (text: string): string => text.replace(ownScript, '');

describe('the reader', () => {
  let world: ReaderRig;
  let guide: Awaited<ReturnType<ReaderRig['space']>>;
  let other: Awaited<ReturnType<ReaderRig['space']>>;
  beforeAll(async () => {
    world = await startReaderRig();
    other = await world.space('Reference', [page('Terms', 'All termword of it.', { ref: 'terms' })]);
    const key = await world.upload('dot.png', 'image/png', dot);
    guide = await world.space('Guide', [
      { operation: 'insert_files', files: [{ name: 'dot.png', upload: key, ref: 'dot' }] },
      page(
        'Start',
        '## First\n\nHello **startword**. See [use](./use.md).\n\n```js\nconst a = 1;\n```\n\n## Second\n\n![A dot](/files/dot)',
        {
          ref: 'start',
          description: 'How to begin.',
        },
      ),
      { operation: 'insert_group', title: 'More', ref: 'more' },
      page('Use', 'Uses \\<script>alert(1)\\</script>.', { ref: 'use', into: 'more' }),
      page('Paid', 'For payingword people.', { ref: 'paid', condition: 'visitor.claims.plan == "paid"' }),
      page('Away', 'Hiddenword.', { ref: 'away', hidden: true }),
    ]);
  }, 90_000);
  afterAll(() => world.stop());

  const open: ReaderRig['open'] = (...asked) => world.open(...asked);
  const useClaims = async (path: string): Promise<void> => {
    await world.make('PATCH', path, { adaptiveContent: { enabled: true } });
    const jsonSchema = {
      type: 'object',
      properties: {
        plan: { type: 'string', enum: ['free', 'paid'] },
        unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } },
      },
    };
    await world.make('PUT', `${path}/adaptive-schema`, { jsonSchema });
  };

  it('shows a page with its navigation, code, outline and links', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] });
    const { status, text, headers } = await open(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const base = new URL(address).pathname;
    expect(text).toContain('<title>Start | Docs</title>');
    expect(text).toContain('<strong>startword</strong>');
    expect(text).toContain(`<a href="${base}more/use">use</a>`);
    expect(text).toContain('<span class="hljs-keyword">const</span>');
    expect(text).toContain(`<a href="${base}start" aria-current="page">Start</a>`);
    expect(text).toContain('<a href="#second">Second</a>');
    expect(text).toContain(`<a href="${base}reference/">Reference</a>`);
    expect(text).toContain('<meta name="description" content="How to begin.">');
    expect(withoutOwnScript(text)).not.toMatch(/Paid|Away|<script/);
    const use = await open(`${address}more/use`);
    expect(use.text).toContain('&#x3C;script>alert(1)&#x3C;/script>');
    expect(use.text).toContain(`rel="prev"`);
    expect((await open(`${address}away`)).status).toBe(200);
    expect((await open(`${address}reference/`)).text).toContain('All termword of it.');
    const group = await open(`${address}more`);
    expect([group.status, group.headers.get('location')]).toEqual([307, `${base}more/use`]);
  });

  it('is where the API says that sites and spaces are published', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] });
    const published = async (of: string): Promise<string> =>
      String(((await world.make('GET', of)).body['urls'] as { published?: string }).published);
    expect(await published(path)).toBe(address);
    const { items } = (await world.make('GET', `${path}/site-spaces`)).body;
    expect(items.map(({ urls }) => urls)).toEqual([{ published: address }, { published: `${address}reference/` }]);
    for (const url of [await published(path), `${address}reference/terms`]) {
      expect((await open(url)).status).toBe(200);
      expect((await world.make('POST', '/urls/published', { url })).body).toMatchObject({ canonicalUrl: url });
    }
    expect((await open(address)).text).toContain(`<link rel="canonical" href="${address}`);
  });

  it('loads images and styles without a token, and lets nothing else run or load', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const { text, headers } = await open(address);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("; script-src 'self'; connect-src 'self'; ");
    expect(policy.replace("script-src 'self';", '')).not.toMatch(/unsafe|script-src/);
    const [, own = ''] = ownScript.exec(text) ?? [];
    const script = await open(new URL(own, address).href);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await open(`${address}~reader/script-000000000000.js`)).status).toBe(404);
    expect([headers.get('x-content-type-options'), headers.get('set-cookie')]).toEqual(['nosniff', null]);
    const image = /<img src="([^"]+)" alt="A dot"/.exec(text)?.[1]?.replaceAll('&#x26;', '&') ?? '';
    const loaded = await fetch(image);
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'image/png']);
    for (const [, href = ''] of text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
      const style = await open(new URL(href, address).href);
      expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      expect(style.headers.get('cache-control')).toContain('immutable');
    }
    expect((await open(`${address}~reader/theme-<>-x.css`)).status).toBe(404);
  });

  it('answers 304 for what a browser has, and another page as soon as it changes', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [other.id] });
    const first = await open(address);
    const etag = first.headers.get('etag') ?? '';
    expect((await open(address, { 'if-none-match': etag })).status).toBe(304);
    await world.make('POST', `/spaces/${other.id}/content`, {
      changes: [{ operation: 'update_page', page: other.refs['terms'], document: { markdown: 'Changed termword.' } }],
    });
    await eventually(async () => (await open(address, { 'if-none-match': etag })).text.includes('Changed termword.'));
  });

  it('asks about an address once for many pages of a site, and for those that are not there', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] });
    const asked = async (...paths: string[]): Promise<number> => {
      const before = world.resolved();
      for (const path of paths) await open(`${address}${path}`);
      return world.resolved() - before;
    };
    expect(await asked('', 'start', 'more/use', 'start.md', 'reference/', 'reference/terms', '~search?q=word')).toBe(1);
    expect((await open(`${address}reference/terms`)).text).toContain(
      `<a href="${new URL(address).pathname}reference/terms"`,
    );
    expect((await open(`${address}reference/terms`)).text).toMatch(
      /<link rel="canonical" href="[^"]+\/reference\/terms">/,
    );
    expect(await asked('gone', 'reference/gone', '?visitor.beta=true')).toBe(3);
  });

  it('shows the same page at an address whatever was opened before, also where a group of pages has the path of a section', async () => {
    const { id } = await world.space('Twice', [
      page('Home', 'Homeword.'),
      { operation: 'insert_group', title: 'Guides', ref: 'guides' },
      page('Install', 'Installword of the group.', { into: 'guides' }),
      page('Install', 'Installword at the top.', { slug: 'install' }),
    ]);
    const { address, path } = await world.publish({ title: 'Guides', spaces: [id] });
    await world.make('POST', `${path}/sections`, { title: 'Reference', spaceId: other.id });
    const { items } = (await world.make('GET', `${path}/sections`)).body;
    expect(items.map((one) => [one['path'], one['default']])).toEqual([
      ['guides', true],
      ['reference', false],
    ]);
    const paths = [
      'guides/install',
      'install',
      'guides/home',
      'guides',
      'guides/twice/install',
      'reference/terms',
      'nothing',
    ];
    const shown = async (n: number, at: string) => {
      const { status, text, headers } = await open(`${address}${at}?visitor.n=${n}`);
      return [at, status, headers.get('location'), /(Install|Home|term)word[^<"]*/.exec(text)?.[0]];
    };
    const fresh: unknown[] = [];
    for (const [n, at] of paths.entries()) fresh.push(await shown(n, at));
    expect(fresh.map((one) => (one as unknown[])[3])).toEqual([
      'Installword of the group.',
      'Installword at the top.',
      'Homeword.',
      undefined,
      'Installword at the top.',
      expect.stringContaining('termword'),
      undefined,
    ]);
    const plain = (all: unknown[]) => JSON.stringify(all).replaceAll(/visitor\.n=\d+/g, '');
    for (const [n, order] of [paths, paths.toReversed()].entries())
      for (const at of order)
        expect(plain(await shown(100 + n, at))).toBe(plain(fresh[paths.indexOf(at)] as unknown[]));
  });

  it('says that a page does not exist, within the site if there is one', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const missing = await open(`${address}nothing/here`);
    expect([missing.status, missing.text.includes('aria-label="Pages"')]).toEqual([404, true]);
    const { address: none } = { address: `${world.origin}/~site/none/` };
    expect((await open(none)).status).toBe(404);
    for (const bad of ['%', '%ff', '..%2f..%2f', '//example.com/', `x${'y'.repeat(5_000)}`])
      expect([400, 404, 414]).toContain((await open(`${address}${bad}`)).status);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
    expect((await open(address)).status).toBe(200);
    await world.make('POST', `${path}/unpublish`);
    await eventually(async () => (await open(address)).status === 404);
  });

  it('finds pages by their words', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] });
    const found = await open(`${address}~search?q=startword`);
    expect(found.text).toContain('1 page');
    expect(found.text).toContain(`href="${new URL(address).pathname}start"`);
    expect((await open(`${address}reference/~search?q=termword`)).text).toContain('1 page');
    const odd = await open(`${address}~search?q=${encodeURIComponent('"><script>')}`);
    // In the value of an attribute, `<` begins nothing.
    expect(odd.text.replaceAll(/="[^"]*"/g, '')).not.toContain('<script>');
    for (const hidden of ['payingword', 'nothingatall'])
      expect((await open(`${address}~search?q=${hidden}`)).text).toContain('Nothing was found.');
  });

  it('shows a preview of a site that is not published, as somebody with these claims sees it, from page to page', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    await useClaims(path);
    await world.make('POST', `${path}/unpublish`);
    await eventually(async () => (await open(address)).status === 404);
    const { items } = (await world.make('GET', `${path}/site-spaces`)).body;
    const claims = encodeURIComponent('{"plan":"paid"}');
    const preview = await world.make(
      'GET',
      `${path}/publishing/preview?siteSpace=${String(items[0]?.['id'])}&claims=${claims}`,
    );
    const { search } = new URL(String(preview.body['url']));
    const shown = await open(`${address}${search}`);
    expect([shown.status, shown.text.includes('>Paid</a>')]).toEqual([200, true]);
    const next = /href="([^"]*\/paid[^"]*)"/.exec(shown.text)?.[1]?.replaceAll('&#x26;', '&') ?? '';
    expect((await open(new URL(next, address).href)).text).toContain('payingword');
    expect((await open(`${address}paid`)).status).toBe(404);
  });

  it('takes ratings and the choice of a theme by forms of the page, without a script', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const send = (body: string, more: Record<string, string> = {}) =>
      fetch(`${address}start`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: world.origin, ...more },
        body,
      });
    const base = new URL(address).pathname;
    // Nobody is asked what the site does not want to know.
    expect((await open(`${address}start`)).text).not.toContain('Was this page helpful?');
    expect((await send('rating=good')).status).toBe(404);
    await world.make('PUT', `${path}/customization`, { feedback: { enabled: true } });
    await eventually(async () => (await open(`${address}start`)).text.includes('Was this page helpful?'));
    expect((await open(`${address}start`)).text).toContain(`<form method="post" action="${base}start"`);
    const rated = await send('rating=good');
    expect([rated.status, rated.headers.get('location')]).toEqual([303, `${base}start?rated=good`]);
    expect((await open(`${address}start?rated=good`)).text).toContain('Thank you for telling.');
    const search = { method: 'POST', body: new URLSearchParams({ rating: 'good' }) };
    for (const refused of [
      fetch(`${address}~search`, search),
      send('rating=great'),
      send('rating=good', { origin: 'https://evil.example' }),
      send('rating=good', { 'sec-fetch-site': 'cross-site' }),
    ])
      expect((await refused).status).toBe(404);
    const today = new Date().toISOString().slice(0, 10);
    const query = `metric=feedback&from=${today}&to=${today}&by=page`;
    expect((await world.make('GET', `${path}/insights?${query}`)).body.items).toEqual([
      { page: guide.refs['start'], space: guide.id, count: 1, positive: 1, negative: 0 },
    ]);
    const chosen = await send('theme=dark');
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${base}start`]);
    const cookie = chosen.headers.get('set-cookie') ?? '';
    expect(cookie).toContain(`scriptorium-theme=dark; Max-Age=31536000; Path=${base}; HttpOnly`);
    expect((await open(`${address}start`)).text).toContain('data-theme="light"');
    const dark = await open(`${address}start`, { cookie: cookie.split(';')[0] ?? '' });
    expect(dark.text).toContain('data-theme="dark"');
  });

  it('applies the customization of the site', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] });
    const { items } = (await world.make('GET', `${path}/site-spaces`)).body;
    const plain = (await open(`${address}start`)).text;
    expect(plain).toContain('Made with Scriptorium');
    expect(plain).toContain(`<a href="${new URL(address).pathname}start.md">View as Markdown</a>`);
    await world.make('PUT', `${path}/customization`, {
      trademark: { enabled: false },
      pageActions: { markdown: false },
      themes: { default: 'dark', toggeable: false },
      styling: { dangerColor: { light: '#990000', dark: '#ffcccc' } },
    });
    const second = `${path}/site-spaces/${String(items[1]?.['id'])}/customization`;
    await world.make('PATCH', second, { title: 'All terms' });
    await eventually(async () => !(await open(`${address}start`)).text.includes('Made with Scriptorium'));
    const { text } = await open(`${address}start`, { cookie: 'scriptorium-theme=light' });
    expect(text).toContain('data-theme="dark"');
    expect(text).toContain('-990000-ffcccc-rounded.css');
    expect(text).not.toMatch(/View as Markdown|name="theme"/);
    expect(text).toContain('<title>Start | Docs</title>');
    expect((await open(`${address}reference/terms`)).text).toContain('<title>Terms | All terms</title>');
  });

  it('counts the pages that are shown', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    for (const page of ['start', 'start', 'more/use', 'gone']) await open(`${address}${page}`);
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const query = `metric=views&from=${from}&to=${to}&by=page`;
    await eventually(async () => {
      const { items } = (await world.make('GET', `${path}/insights?${query}`)).body;
      return items.find(({ page: id }) => id === guide.refs['start'])?.['count'] === 2 && items.length === 2;
    });
  });

  it('gives programs markdown, and the texts of the site', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const markdown = await open(`${address}start.md`);
    expect([markdown.headers.get('content-type'), markdown.text.split('\n')[0]]).toEqual([
      'text/markdown; charset=utf-8',
      '# Start',
    ]);
    expect((await open(`${address}llms.txt`)).text).toContain('Start');
    expect((await open(`${address}robots.txt`)).text).toContain('Sitemap');
    expect((await open(`${address}sitemap.xml`)).text).toContain('<urlset');
  });

  it('follows redirects within the site by their path, and out of it', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    await world.make('POST', `${path}/redirects`, {
      source: '/old',
      destination: { kind: 'page', page: guide.refs['use'] },
    });
    await world.make('POST', `${path}/redirects`, {
      source: '/out',
      destination: { kind: 'url', url: 'https://example.com/x' },
    });
    const old = await open(`${address}old?visitor.beta=true`);
    expect([old.status, old.headers.get('location')]).toEqual([
      308,
      `${new URL(address).pathname}more/use?visitor.beta=true`,
    ]);
    const out = await open(`${address}out`);
    expect([out.status, out.headers.get('location')]).toEqual([308, 'https://example.com/x']);
  });

  it('shows a site with the key of a share link alone, and keeps the key in its links', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id], visibility: 'share-link' });
    expect((await open(address)).status).toBe(404);
    const link = await world.make('POST', `${path}/share-links`, { name: 'One' });
    const published = (link.body['urls'] as { published: string }).published;
    const key = published.split('/').at(-2) ?? '';
    const { status, text } = await open(`${address}${key}/`);
    expect([status, text.includes(`href="${new URL(address).pathname}${key}/more/use"`)]).toEqual([200, true]);
    expect(text).toContain('<meta name="robots" content="noindex">');
    await world.make('PATCH', `${path}/share-links/${String(link.body['id'])}`, { active: false });
    await eventually(async () => (await open(`${address}${key}/`)).status === 404);
  });

  it('lets visitors in who bring a token, keeps it in a cookie of the site, and forgets it when they leave', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id], visibility: 'visitor-auth' });
    expect((await open(address)).status).toBe(401);
    await world.make('PATCH', `${path}/publishing/auth`, {
      fallbackURL: 'https://login.example/in',
      logoutURL: 'https://login.example/out',
    });
    const sent = await open(`${address}start`);
    expect(sent.status).toBe(302);
    expect(new URL(sent.headers.get('location') ?? '').searchParams.get('location')).toBe(
      `${new URL(address).pathname}start`,
    );
    const { privateKey } = (await world.make('GET', `${path}/publishing/auth`)).body as { privateKey?: string };
    const token = await new SignJWT({ plan: 'paid' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
    const entered = await open(`${address}start?jwt_token=${token}`);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `${new URL(address).pathname}start`]);
    for (const toOthers of ['start', 'llms.txt']) expect((await open(`${address}${toOthers}`)).status).toBe(302);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(new RegExp(`; Path=${new URL(address).pathname}; HttpOnly; SameSite=Lax$`));
    const [pair = ''] = cookie.split(';');
    expect((await open(`${address}start`, { cookie: pair })).text).toContain('startword');
    const left = await open(`${address}~service/auth/logout`, { cookie: pair });
    expect([left.status, left.headers.get('location')]).toEqual([302, 'https://login.example/out']);
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
    await world.make('POST', `${path}/publishing/auth/regenerate`);
    await eventually(async () => (await open(`${address}start`, { cookie: pair })).status === 302);
  });

  it('shows what the claims of a visitor allow, and carries what the address says of them on', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    await useClaims(path);
    const { privateKey } = (await world.make('GET', `${path}/publishing/auth`)).body as { privateKey?: string };
    const token = await new SignJWT({ plan: 'paid' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
    const cookie = `scriptorium-visitor-token=${token}`;
    expect((await open(`${address}paid`, { cookie })).text).toContain('payingword');
    const plain = await open(`${address}paid`);
    expect([plain.status, plain.text.includes('payingword')]).toEqual([404, false]);
    expect((await open(`${address}?visitor.beta=true`)).text).toContain('more/use?visitor.beta=true');
  });
});
