import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;

describe('a site with a font of its own', () => {
  let world: ReaderRig;
  let address: string;
  beforeAll(async () => {
    world = await startReaderRig();
    const file = join(dirname(createRequire(import.meta.url).resolve('temml')), 'Temml.woff2');
    const key = await world.upload('own.woff2', 'font/woff2', await readFile(file));
    const text = { operation: 'insert_page', title: 'Start', document: { markdown: 'Own *word* and `code`.' } };
    const guide = await world.space('Guide', [text]);
    const site = await world.publish({ title: 'Docs', spaces: [guide.id] });
    ({ address } = site);
    const fontOf = (fontFamily: string) => ({
      id: fontFamily,
      custom: true,
      fontFamily,
      fontFaces: [{ weight: 400, sources: [{ url: { file: key }, format: 'woff2' }] }],
    });
    const styling = { font: fontOf('Own "Text"'), monospaceFont: fontOf('Own Code') };
    await world.make('PUT', `${site.path}/customization`, { styling });
  }, 90_000);
  afterAll(() => world.stop());

  it('allows its pages to load it from where files are kept', async () => {
    const shown = await world.open(address);
    expect(shown.headers.get('content-security-policy')).toContain(`; font-src ${world.origin};`);
    expect((await world.open(`${address}gone`)).headers.get('content-security-policy')).toContain('font-src');
    expect((await world.open(`${address}~search?q=word`)).headers.get('content-security-policy')).toContain('font-src');
    const files = [...shown.text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = '']) => url);
    expect(files).toHaveLength(2);
    for (const file of files) expect((await world.open(file)).status).toBe(200);
  });

  inBrowser(
    'is shown in it by a browser, text and code',
    async () => {
      const chromium = new Chromium(browser ?? '');
      try {
        await chromium.open(address, 1000, 800);
        await chromium.until(
          `[...document.fonts].length === 2 && [...document.fonts].every((f) => f.status === 'loaded')`,
        );
        const fontOf = (selector: string) =>
          chromium.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontFamily.split(',')[0]`);
        expect(await fontOf('main p')).toBe('"Own \\"Text\\""');
        expect(await fontOf('main code')).toBe('"Own Code"');
        expect(chromium.errors.filter((error) => !error.includes('favicon.ico'))).toEqual([]);
      } finally {
        await chromium.close();
      }
    },
    60_000,
  );
});
