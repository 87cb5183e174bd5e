import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import axe from 'axe-core';
import { dot, everything, several } from '../test/everything.js';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

describe('a page of a site in a browser', () => {
  let world: ReaderRig;
  let chromium: Chromium;
  let address: string;
  beforeAll(async () => {
    if (browser === null) return;
    world = await startReaderRig();
    const key = await world.upload('dot.png', 'image/png', dot);
    const page = { operation: 'insert_page', title: 'Everything', document: { markdown: everything } };
    const guide = await world.space('Guide', [
      { operation: 'insert_files', files: [{ name: 'dot.png', upload: key, ref: 'dot' }] },
      page,
      { operation: 'insert_page', title: 'Several', document: { markdown: several } },
      { operation: 'insert_group', title: 'More', ref: 'more' },
      { operation: 'insert_page', title: 'Under', into: 'more', ref: 'under', document: { markdown: 'Under.' } },
    ]);
    const other = await world.space('Other', [page]);
    ({ address } = await world.publish({ title: 'Docs', spaces: [guide.id, other.id] }));
    chromium = new Chromium(browser);
  }, 90_000);
  afterAll(async () => {
    if (browser === null) return;
    await chromium.close();
    await world.stop();
  });

  /** What axe finds wrong in a page that has come up, with all of it open. */
  const violations = async (): Promise<unknown[]> => {
    await chromium.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
    await chromium.evaluate(axe.source);
    const found = await chromium.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations))`,
    );
    return (JSON.parse(String(found)) as Violation[]).map(({ id, nodes }) => [
      id,
      ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    ]);
  };

  inBrowser.each([
    ['light', 1400],
    ['dark', 1400],
    ['light', 390],
    ['dark', 390],
  ])(
    'has no finding in %s colors, %d pixels wide',
    async (scheme, width) => {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      for (const at of ['', 'several', '~search?q=under', '~tree', 'gone']) {
        await chromium.open(`${address}${at}`, width, 900);
        await chromium.send('Emulation.setEmulatedMedia', { features });
        await chromium.until(`matchMedia('(prefers-color-scheme: ${scheme})').matches`);
        await chromium.evaluate(`document.documentElement.dataset.theme = '${scheme}'`);
        expect([at, await violations()]).toEqual([at, []]);
        expect(await chromium.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
      }
    },
    60_000,
  );

  inBrowser(
    'loads its styles and images, breaks no policy, and fits on a small screen',
    async () => {
      chromium.errors.length = 0;
      await chromium.open(address, 390, 800);
      expect(await chromium.evaluate(`document.styleSheets.length`)).toBe(2);
      await chromium.evaluate(`document.querySelectorAll('img').forEach((image) => (image.loading = 'eager'))`);
      await chromium.until(`[...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)`);
      expect(await chromium.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
      expect(await chromium.evaluate(`getComputedStyle(document.querySelectorAll('.tab')[1]).display`)).toBe('none');
      await chromium.evaluate(`document.querySelectorAll('.tabs label')[1].click()`);
      expect(await chromium.evaluate(`getComputedStyle(document.querySelectorAll('.tab')[1]).display`)).toBe('block');
      // A browser asks for an icon of its own accord.
      expect(chromium.errors.filter((error) => !error.includes('favicon.ico'))).toEqual([]);
    },
    60_000,
  );
});
