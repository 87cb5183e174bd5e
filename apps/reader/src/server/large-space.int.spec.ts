import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import { mostInTree } from '../pages/tree-parts.js';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;
const [groups, pagesOfGroup] = [12, 39];
const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `The text of ${title}.` },
  ...more,
});
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a page of a large space', () => {
  let world: ReaderRig;
  let address: string;
  let base: string;
  beforeAll(async () => {
    world = await startReaderRig();
    const { id } = await world.space('Large', [page('Start')]);
    for (const group of numbers(groups)) {
      const changes = numbers(pagesOfGroup).map((n) => page(`Page ${group}-${n}`, { into: 'area' }));
      const area = page(`Area ${group}`, { ref: 'area' });
      await world.make('POST', `/spaces/${id}/content`, { changes: [area, ...changes] });
    }
    const many = numbers(280).map((n) => page(`Single ${n}`));
    for (let n = 0; n < many.length; n += 40)
      await world.make('POST', `/spaces/${id}/content`, { changes: many.slice(n, n + 40) });
    ({ address } = await world.publish({ title: 'Docs', spaces: [id] }));
    base = new URL(address).pathname;
  }, 90_000);
  afterAll(() => world.stop());

  const links = (text: string): number => text.split('<li').length;

  it('has the part of the navigation around it, and leads to the rest', async () => {
    const { text } = await world.open(`${address}area-7/page-7-20`);
    expect(text).toContain(`<a href="${base}area-7/page-7-20" aria-current="page">Page 7-20</a>`);
    expect(text).toContain('>Page 7-0</a>');
    expect(links(text)).toBeLessThan(mostInTree + 20);
    const opener = /<a href="([^"]*)" class="opener" aria-label="Pages in Area 11">/.exec(text)?.[1] ?? '';
    const opened = await world.open(new URL(opener, address).href);
    expect([opened.status, opened.text.includes('<h1>Area 11</h1>')]).toEqual([200, true]);
    for (const n of [0, pagesOfGroup - 1]) expect(opened.text).toContain(`>Page 11-${n}</a>`);
    expect(opened.text).toContain('<meta name="robots" content="noindex">');
    const behind = /<li class="more-pages"><a href="([^"]*)">(\d+) more<\/a><\/li><\/ul><\/nav>/.exec(text)?.[1] ?? '';
    expect((await world.open(new URL(behind, address).href)).text).toContain('>Single 120</a>');
  });

  it('leads to no part of the navigation that there is not', async () => {
    for (const query of ['?in=nothing', '?from=-1', '?from=x', '?from=1e99'])
      expect((await world.open(`${address}~tree${query}`)).status).toBe(404);
    expect((await world.open(`${address}~tree?from=99999`)).status).toBe(200);
    expect((await world.open(`${address}area-7/~tree`)).status).toBe(404);
  });

  it('is sent compressed, as its styles are', async () => {
    const send = (path: string, encoding: string) => fetch(path, { headers: { 'accept-encoding': encoding } });
    const whole = await send(`${address}area-7/page-7-20`, 'identity');
    expect([whole.headers.get('content-encoding'), whole.headers.get('vary')]).toEqual([
      null,
      'Accept-Encoding, Cookie',
    ]);
    const style = new URL(/href="([^"]*style-[^"]*)"/.exec(await whole.text())?.[1] ?? '', address).href;
    for (const path of [`${address}area-7/page-7-20`, style])
      for (const encoding of ['br', 'gzip']) {
        const answer = await send(path, encoding);
        expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
        expect(Number(answer.headers.get('content-length'))).toBeLessThan(16_000);
        const again = await send(path, encoding);
        await again.text();
        const known = await fetch(path, { headers: { 'if-none-match': again.headers.get('etag') ?? '' } });
        expect(known.status).toBe(304);
        expect((await answer.text()).length).toBeGreaterThan(16_000);
      }
  });

  inBrowser(
    'opens the rest in place where a script may run',
    async () => {
      const chromium = new Chromium(browser ?? '');
      try {
        await chromium.open(`${address}area-7/page-7-20`, 1_400, 900);
        const current = `document.querySelector('#pages [aria-current]').getBoundingClientRect()`;
        await chromium.until(`${current}.top > 0 && ${current}.bottom < innerHeight`);
        await chromium.evaluate(`document.querySelector('.opener[aria-label="Pages in Area 11"]').click()`);
        await chromium.until(`document.querySelector('#pages a[href$="/page-11-38"]') !== null`);
        expect(await chromium.evaluate(`location.pathname`)).toBe(`${base}area-7/page-7-20`);
        const count = `document.querySelectorAll('#pages .pages > ul > li').length`;
        for (let more = 0; more < 9; more += 1) {
          const before = Number(await chromium.evaluate(count));
          await chromium.evaluate(`document.querySelector('#pages .pages > ul > .more-pages > a').click()`);
          await chromium.until(`${count} !== ${before}`);
          if (await chromium.evaluate(`document.querySelector('#pages .pages > ul > .more-pages') === null`)) break;
        }
        expect(await chromium.evaluate(count)).toBe(1 + groups + 280);
        const hrefs = `[...document.querySelectorAll('#pages .pages a')].map((link) => link.href)`;
        expect(await chromium.evaluate(`new Set(${hrefs}).size === ${hrefs}.length`)).toBe(true);
        expect(chromium.errors.filter((error) => !error.includes('favicon.ico'))).toEqual([]);
      } finally {
        await chromium.close();
      }
    },
    60_000,
  );
});
