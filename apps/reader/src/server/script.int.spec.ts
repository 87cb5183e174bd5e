import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;
const page = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });
const table = `| ${'a column | '.repeat(12)}\n|${' --- |'.repeat(12)}\n| ${'a value | '.repeat(12)}`;

describe('the script of the reader in a browser', () => {
  let world: ReaderRig;
  let chromium: Chromium;
  let address: string;
  beforeAll(async () => {
    if (browser === null) return;
    world = await startReaderRig();
    const long = 'Words of a paragraph. '.repeat(400);
    const { id } = await world.space('Guide', [
      page('Start', `## First\n\n${long}\n\n## Second\n\n${long}\n\n\`\`\`js\nlet a;\nlet b;\n\`\`\`\n\n${table}`),
      page('Findable', 'Has the findword in it.'),
      page('Also findable', 'Has the findword, too.'),
    ]);
    const old = await world.space('Old', [page('Formerly', 'Had the findword.')]);
    ({ address } = await world.publish({ title: 'Docs', spaces: [id, old.id] }));
    chromium = new Chromium(browser);
  }, 90_000);
  afterAll(async () => {
    if (browser === null) return;
    await chromium.close();
    await world.stop();
  });
  const press = async (key: string, text?: string): Promise<void> => {
    for (const type of ['keyDown', 'keyUp'])
      await chromium.send('Input.dispatchKeyEvent', { type, key, code: key, ...(text !== undefined && { text }) });
  };
  const found = `document.querySelector('.top .found')`;

  inBrowser(
    'searches while somebody types, by keys alone, and shows the first variant first',
    async () => {
      await chromium.open(address, 1_400, 900);
      await press('/', '/');
      await chromium.until(`document.activeElement.type === 'search'`);
      expect(await chromium.evaluate(`document.activeElement.value`)).toBe('');
      await chromium.send('Input.insertText', { text: 'findwort' });
      await chromium.until(`${found}?.querySelectorAll('mark').length >= 3`);
      const spaces = `[...${found}.querySelectorAll('h2')].map((title) => title.textContent).join()`;
      expect(await chromium.evaluate(spaces)).toBe('Guide,Old');
      expect(await chromium.evaluate(`${found}.querySelector('details').textContent.includes('Old')`)).toBe(true);
      await press('ArrowDown');
      await press('ArrowDown');
      expect(await chromium.evaluate(`document.activeElement.className`)).toBe('result');
      await press('ArrowUp');
      await press('ArrowUp');
      expect(await chromium.evaluate(`document.activeElement.type`)).toBe('search');
      await press('Escape');
      expect(await chromium.evaluate(`${found}.hidden`)).toBe(true);
    },
    60_000,
  );

  inBrowser(
    'copies code, and marks what is being read',
    async () => {
      const permissions = ['clipboardReadWrite', 'clipboardSanitizedWrite'];
      await chromium.send('Browser.grantPermissions', { permissions, origin: world.origin }).catch(() => undefined);
      await chromium.open(`${address}start`, 1_400, 900);
      const marked = `document.querySelector('.outline [aria-current="location"]')?.textContent`;
      await chromium.until(`${marked} === 'First'`);
      await chromium.evaluate(`document.querySelector('#second').scrollIntoView()`);
      await chromium.until(`${marked} === 'Second'`);
      expect(await chromium.evaluate(`document.querySelector('figure.code figcaption').textContent`)).toBe(
        'JavaScriptCopy',
      );
      await chromium.evaluate(
        `navigator.clipboard.write = ([item]) => item.getType('text/plain').then((one) => one.text()).then((text) => { window.copied = text; })`,
      );
      await chromium.evaluate(`document.querySelector('figure.code .copy').click()`);
      await chromium.until(`window.copied !== undefined`);
      expect(await chromium.evaluate(`window.copied`)).toBe('let a;\nlet b;');
      await chromium.until(`document.querySelector('figure.code .copy').textContent === 'Copied'`);
      await chromium.evaluate(`document.querySelector('.actions .copy').click()`);
      await chromium.until(`window.copied.startsWith('# Start')`);
    },
    60_000,
  );

  inBrowser(
    'is not needed for the drawer of a phone, which has navigation, variants and search',
    async () => {
      await chromium.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined);
      await chromium.open(`${address}start`, 390, 844);
      const shown = (selector: string) => `document.querySelector('${selector}').checkVisibility()`;
      expect(await chromium.evaluate(`document.querySelector('.top').getBoundingClientRect().height < 60`)).toBe(true);
      expect(await chromium.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
      expect(await chromium.evaluate(shown('#pages'))).toBe(false);
      await chromium.evaluate(`document.querySelector('.to-drawer').click()`);
      for (const part of ['#pages .pages a', '#pages .variants', '#pages input[type="search"]', '#pages .close'])
        expect([part, await chromium.evaluate(shown(part))]).toEqual([part, true]);
      await chromium.evaluate(`document.querySelector('#pages .close').click()`);
      expect(await chromium.evaluate(shown('#pages'))).toBe(false);
      const table = `document.querySelector('.table')`;
      expect(await chromium.evaluate(`${table}.scrollWidth > ${table}.clientWidth`)).toBe(true);
    },
    60_000,
  );
});
