import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, word: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `A ${word} text.` },
  ...more,
});

describe('the address of a page whose path begins as a space or a section is named', () => {
  let world: ReaderRig;
  let [idx, two]: Awaited<ReturnType<ReaderRig['space']>>[] = [];
  beforeAll(async () => {
    world = await startReaderRig();
    two = await world.space('Two', [page('First', 'firstword'), page('Below', 'belowword')]);
    idx = await world.space('Idx', [
      page('Home', 'homeword', { ref: 'home', document: { markdown: 'See [two](./two.md).' } }),
      page('Two', 'pageword', { ref: 'two' }),
      page('Below', 'innerword', { into: 'two', ref: 'below' }),
      { operation: 'insert_group', title: 'Idx', ref: 'group' },
      page('In', 'groupword', { into: 'group', ref: 'in' }),
    ]);
  }, 90_000);
  afterAll(() => world.stop());

  const word = (text: string) => /\b(?:first|below|page|inner|group)word\b/.exec(text)?.[0];
  const open = async (address: string): Promise<string | undefined> => word((await world.open(address)).text);
  const lead = async (url: string) => (await world.make('POST', '/urls/published', { url })).body;

  const spaces = () => ({ spaces: [String(idx?.id), String(two?.id)] });

  it('names the default space wherever the address is told, and leads to the page', async () => {
    const { address, path } = await world.publish({ title: 'Docs', ...spaces() });
    const { pathname } = new URL(address);
    const { text } = await world.open(address);
    expect([...text.matchAll(/<nav aria-label="Pages".*?<\/nav>/gs)].join('')).toContain(
      `href="${pathname}idx/two/below"`,
    );
    expect(text).toContain(`See <a href="${pathname}idx/two">two</a>`);
    expect(text).not.toContain(`href="${pathname}two"`);
    const below = await world.open(`${address}idx/two/below`);
    expect([word(below.text), below.text.includes(`<a href="${pathname}idx/two">Two</a>`)]).toEqual([
      'innerword',
      true,
    ]);
    // Links of a page that was asked for by the name of the space are those of every other page.
    expect(below.text).toContain(`<a href="${pathname}home">Home</a>`);
    const found = await world.open(`${address}~search?q=pageword`);
    expect(found.text).toContain(`href="${pathname}idx/two"`);
    const [sitemap, llms] = [await world.open(`${address}sitemap.xml`), await world.open(`${address}llms.txt`)];
    expect([...sitemap.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      `${address}home`,
      `${address}idx/two`,
      `${address}idx/two/below`,
      `${address}idx/in`,
      `${address}two/first`,
      `${address}two/below`,
    ]);
    expect(llms.text).toContain(`(${address}idx/two.md)`);
    await world.make('POST', `${path}/redirects`, {
      source: '/old',
      destination: { kind: 'page', page: idx?.refs['two'] },
    });
    const old = await world.open(`${address}old`);
    expect([old.status, old.headers.get('location')]).toEqual([308, `${pathname}idx/two`]);
    const { body } = await world.make('GET', `${path}/redirect?source=/old`);
    expect(body['target']).toBe(`${address}idx/two`);
  });

  it('is the same page as HTML, as markdown, by the API, and by its canonical address', async () => {
    const { address } = await world.publish({ title: 'Docs', ...spaces() });
    for (const [n, [at, expected, canonical]] of [
      ['two', 'firstword', 'two'],
      ['two/below', 'belowword', 'two/below'],
      ['idx/two', 'pageword', 'idx/two'],
      ['idx/two/below', 'innerword', 'idx/two/below'],
      ['idx/in', 'groupword', 'idx/in'],
      ['idx/idx/in', 'groupword', 'idx/in'],
    ].entries()) {
      const carried = `?visitor.n=${n}`;
      // Once as the first thing that is asked about the site, and once when it is known.
      for (let again = 0; again < 2; again += 1) {
        expect([at, await open(`${address}${at}${carried}`)]).toEqual([at, expected]);
        expect([at, await open(`${address}${at}.md${carried}`)]).toEqual([at, expected]);
      }
      const known = await lead(`${address}${at}`);
      expect([known['canonicalUrl'], await open(String(known['canonicalUrl']))]).toEqual([
        `${address}${canonical}`,
        expected,
      ]);
      const { pathname, space, format } = await lead(`${address}${at}.md`);
      expect([pathname, space, format]).toEqual([known['pathname'], known['space'], 'markdown']);
      expect((await world.open(`${address}${at}`)).text).toContain(
        `<link rel="canonical" href="${address}${String(canonical)}">`,
      );
    }
    const group = await world.open(`${address}idx.md`);
    expect([group.status, group.headers.get('location')]).toEqual([307, `${new URL(address).pathname}idx/in.md`]);
  });

  it('names the default section where another section would be meant', async () => {
    const { address, path } = await world.publish({ title: 'Guides', spaces: [idx?.id] });
    const [first] = (await world.make('GET', `${path}/site-spaces`)).body.items;
    await world.make('POST', `${path}/sections`, { title: 'Two', spaceId: two?.id });
    const sections = (await world.make('GET', `${path}/sections`)).body.items;
    const name = String(sections[0]?.['path']);
    const sitemap = (await world.open(`${address}sitemap.xml`)).text;
    const told = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
    expect(told).toContain(`${address}${name}/two`);
    const shown: (string | undefined)[] = [];
    for (const url of told) shown.push(await open(url));
    expect(shown).toEqual([undefined, 'pageword', 'innerword', 'groupword', 'firstword', 'belowword']);
    expect(await open(`${address}two.md`)).toBe('firstword');
    expect(first).toBeDefined();
  });

  it('names the default section before a space that is named as another section is', async () => {
    const { address, path } = await world.publish({ title: 'Guides', ...spaces() });
    const other = await world.space('Third', [page('Third', 'thirdword')]);
    await world.make('POST', `${path}/sections`, { title: 'Two', spaceId: other.id });
    const { items } = (await world.make('GET', `${path}/site-spaces`)).body;
    const told = items.map(({ urls }) => String((urls as { published?: string }).published));
    expect(told).toEqual([address, `${address}guides/two/`, `${address}two/`]);
    const titles: (string | undefined)[] = [];
    for (const url of told) titles.push(/<title>(\w+) /.exec((await world.open(url)).text)?.[1]);
    expect(titles).toEqual(['Home', 'First', 'Third']);
  });

  it('leads to the page after it has moved, and in a preview as it was asked for', async () => {
    const moving = await world.space('Mov', [page('Home', 'homeword'), page('Before', 'pageword', { ref: 'moved' })]);
    const { address } = await world.publish({ title: 'Docs', spaces: [moving.id, two?.id] });
    const update = { operation: 'update_page', page: moving.refs['moved'], slug: 'two' };
    await world.make('POST', `/spaces/${moving.id}/content`, { changes: [update] });
    const moved = await world.open(`${address}before`);
    expect([moved.status, moved.headers.get('location')]).toEqual([307, `${new URL(address).pathname}mov/two`]);
    const asMarkdown = await world.open(`${address}before.md`);
    expect(asMarkdown.headers.get('location')).toBe(`${new URL(address).pathname}mov/two.md`);
    const revision = String((await world.make('GET', `/spaces/${moving.id}/content`)).body['id']);
    const preview = await lead(`${address}~/revisions/${revision}/two.md`);
    expect([preview['pathname'], preview['space'], preview['format']]).toEqual(['/two', moving.id, 'markdown']);
  });
});
