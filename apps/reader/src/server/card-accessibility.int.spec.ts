import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import axe from 'axe-core';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allBlocks, cards, corpus, packOf, schemasBlock } from '../test/api-blocks.js';
import { forge } from '../test/forge.js';
import { wholeHtml } from '../test/whole-page.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

describe('the cards of APIs in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cards-'));
  let chromium: Chromium;
  beforeAll(async () => {
    if (browser === null) return;
    const [, travel = ''] = corpus.find(([name]) => name.endsWith('train-travel.json')) ?? [];
    for (const [name, text] of [['forge', JSON.stringify(forge)] as const, ['travel', travel] as const]) {
      const pack = await packOf(text);
      const shown = cards(...allBlocks(pack), schemasBlock(pack, ...[...pack.schemas.keys()].slice(0, 3)));
      writeFileSync(join(folder, `${name}.html`), wholeHtml('An API', shown));
    }
    chromium = new Chromium(browser);
  }, 60_000);
  afterAll(async () => {
    if (browser !== null) await chromium.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (name: string, scheme: string, width: number): Promise<void> => {
    await chromium.open(pathToFileURL(join(folder, `${name}.html`)).href, width, 900);
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await chromium.send('Emulation.setEmulatedMedia', { features });
    await chromium.until(`matchMedia('(prefers-color-scheme: ${scheme})').matches`);
  };
  const violations = async (): Promise<unknown[]> => {
    await chromium.evaluate(axe.source);
    await chromium.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
    const found = await chromium.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations))`,
    );
    return (JSON.parse(String(found)) as Violation[]).map(({ id, nodes }) => [
      id,
      ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    ]);
  };

  inBrowser.each([
    ['forge', 'light', 1400],
    ['forge', 'dark', 390],
    ['travel', 'light', 390],
    ['travel', 'dark', 1400],
  ])(
    'have no finding (%s, %s, %d pixels), and fit on the screen',
    async (name, scheme, width) => {
      await open(name, scheme, width);
      expect(await violations()).toEqual([]);
      expect(await chromium.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
    },
    60_000,
  );

  inBrowser(
    'change their tabs by keys',
    async () => {
      await open('forge', 'light', 1400);
      const samples = `[...document.querySelectorAll('.of-code')].at(-1)`;
      await chromium.evaluate(`${samples}.querySelector('input').focus()`);
      const key = { key: 'ArrowRight', code: 'ArrowRight', windowsVirtualKeyCode: 39 };
      await chromium.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
      await chromium.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
      await chromium.until(`getComputedStyle(${samples}.querySelectorAll('.tab')[1]).display === 'block'`);
      expect(await chromium.evaluate(`${samples}.querySelectorAll('.tab')[1].textContent.startsWith('curl')`)).toBe(
        true,
      );
    },
    60_000,
  );
});
