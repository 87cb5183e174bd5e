import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `${title}word.` },
  ...more,
});
const texts = ['llms.txt', 'sitemap.xml', 'robots.txt'];

describe('what a site has besides pages', () => {
  let world: ReaderRig;
  let spaces: string[];
  beforeAll(async () => {
    world = await startReaderRig();
    const [guide, other] = [
      await world.space('Guide', [page('Home', { ref: 'home' }), page('Inner', { into: 'home' })]),
      await world.space('Reference', [page('Terms')]),
    ];
    spaces = [guide.id, other.id];
  }, 90_000);
  afterAll(() => world.stop());

  const status = async (address: string) => (await world.open(address)).status;

  it('is at the site and nowhere below it: texts for programs', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces });
    await world.make('POST', `${path}/redirects`, {
      source: '/out',
      destination: { kind: 'url', url: 'https://example.com/' },
    });
    const below = ['nope/', 'a/b/', 'home/', 'home/inner/', 'reference/', 'reference/terms/', 'guide/', 'out/'];
    // Before anything is known of the site, and afterwards.
    for (let again = 0; again < 2; again += 1) {
      for (const name of texts) {
        for (const at of below) expect([at, name, await status(`${address}${at}${name}`)]).toEqual([at, name, 404]);
        expect([name, await status(`${address}${name}`)]).toEqual([name, 200]);
      }
      expect(await status(`${address}home`)).toBe(200);
    }
  });

  it('is at the site and each space of it: a search', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces });
    for (let again = 0; again < 2; again += 1) {
      for (const at of ['', 'reference/', 'guide/'])
        expect([at, await status(`${address}${at}~search`)]).toEqual([at, 200]);
      for (const at of ['nope/', 'home/', 'reference/terms/'])
        expect([at, await status(`${address}${at}~search`)]).toEqual([at, 404]);
    }
  });

  it('is what visitors come back to with its path and query after they have signed in', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces, visibility: 'visitor-auth' });
    await world.make('PATCH', `${path}/publishing/auth`, { fallbackURL: 'https://login.example/in?a=1' });
    const { pathname } = new URL(address);
    for (const at of ['llms.txt', '~search?q=dup+x', 'home?from=mail', 'home.md', 'reference/~search?q=a', '']) {
      const sent = await world.open(`${address}${at}`);
      const to = new URL(sent.headers.get('location') ?? '');
      expect([sent.status, to.origin, to.searchParams.get('a'), to.searchParams.get('location')]).toEqual([
        302,
        'https://login.example',
        '1',
        `${pathname}${at}`,
      ]);
    }
    const bad = await world.open(`${address}llms.txt?jwt_token=bad&x=1`);
    expect(new URL(bad.headers.get('location') ?? '').searchParams.get('location')).toBe(`${pathname}llms.txt?x=1`);
  });

  it('answers 304 to whoever has any version of a page that is there', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces });
    const tagged = { 'if-none-match': '*' };
    for (const at of ['', 'home', 'home.md', 'llms.txt', '~search?q=x'])
      expect([at, (await world.open(`${address}${at}`, tagged)).status]).toEqual([at, 304]);
    for (const at of ['nope', 'nope/llms.txt'])
      expect([at, (await world.open(`${address}${at}`, tagged)).status]).toEqual([at, 404]);
  });

  it('is shown at addresses as long as the API takes them', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces });
    const opened = (length: number) => {
      const long = `${new URL(address).pathname}home?visitor.a=`.padEnd(length, 'x');
      return status(new URL(long, address).href);
    };
    for (const length of [2_100, 3_000, 4_000]) expect([length, await opened(length)]).toEqual([length, 200]);
    for (const length of [4_095, 4_097, 5_000]) expect([length, await opened(length)]).toEqual([length, 414]);
  });
});
