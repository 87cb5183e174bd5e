import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Chromium, findChromium } from '@scriptorium/rich-text/chromium-for-tests';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';
import { eventually } from '@scriptorium/testing';
import { rendered, withIntegrations } from '../test/with-integration.js';

const browser = findChromium();
const inBrowser = browser === null ? it.skip : it;
const page = (title: string, markdown: string) => ({ operation: 'insert_page', title, document: { markdown } });
const table = `| ${'a column | '.repeat(12)}\n|${' --- |'.repeat(12)}\n| ${'a value | '.repeat(12)}`;

/** Serves scripts, as integrations do; what is behind it never answers. */
async function startScripts(): Promise<{ origin: string; server: Server }> {
  const texts: Readonly<Record<string, string>> = {
    '/good.js': 'window.ran = [...(window.ran ?? []), "good"];',
    '/asks.js': 'window.ran = [...(window.ran ?? []), "asks"];',
    '/broken.js': 'throw new Error("broken");',
    '/adds.js': `document.addEventListener('securitypolicyviolation', (event) => { window.refused = [event.effectiveDirective, event.blockedURI]; });
      const added = document.createElement('script');
      added.src = location.protocol + '//localhost:' + new URL(document.currentScript.src).port + '/foreign.js';
      document.head.append(added);`,
    '/foreign.js': 'window.foreign = true;',
  };
  const server = createServer(({ url = '' }, response) => {
    const text = texts[url];
    if (text !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the script of the reader in a browser', () => {
  let world: ReaderRig;
  let chromium: Chromium;
  let address: string;
  let site: { id: string; address: string };
  let scripts: Awaited<ReturnType<typeof startScripts>>;
  /** The scripts that integrations put on the site. */
  const put: { script: string; cookies: boolean }[] = [];
  beforeAll(async () => {
    if (browser === null) return;
    scripts = await startScripts();
    const shown = withIntegrations({ acme: () => Response.json(rendered) });
    world = await startReaderRig({}, async (url, answer) => {
      if (!url.endsWith('/published') || url.endsWith('/urls/published') || answer.status !== 200)
        return shown(url, answer);
      const told = (await answer.json()) as object;
      return Response.json({ ...told, scripts: put });
    });
    const long = 'Words of a paragraph. '.repeat(400);
    const { id } = await world.space('Guide', [
      page('Start', `## First\n\n${long}\n\n## Second\n\n${long}\n\n\`\`\`js\nlet a;\nlet b;\n\`\`\`\n\n${table}`),
      page('Findable', 'Has the findword in it.'),
      page('Also findable', 'Has the findword, too.'),
      page('Charts', '{% @acme/plot %}'),
    ]);
    const old = await world.space('Old', [page('Formerly', 'Had the findword.')]);
    site = await world.publish({ title: 'Docs', spaces: [id, old.id] });
    ({ address } = site);
    chromium = new Chromium(browser);
  }, 90_000);
  afterAll(async () => {
    if (browser === null) return;
    await chromium.close();
    await world.stop();
    scripts.server.closeAllConnections();
    scripts.server.close();
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
    'stands beside scripts of integrations, which run on the host of the site alone',
    async () => {
      const own = await world.onOwnHost(site);
      const before = (await fetch(address)).headers.get('content-security-policy');
      const names = ['hangs', 'broken', 'adds', 'good'];
      await chromium.open(`${own}start`, 1_400, 900);
      put.push(...names.map((name) => ({ script: `${scripts.origin}/${name}.js`, cookies: false })));
      // The browser says that a page is complete when all of its scripts are, and one of these never is.
      await chromium.send('Page.navigate', { url: `${own}start` });
      await chromium.until(`window.ran?.join() === 'good'`);
      await chromium.until(`window.refused?.[0] === 'script-src-elem'`);
      await chromium.until(`document.querySelector('.outline [aria-current="location"]')?.textContent === 'First'`);
      expect(await chromium.evaluate(`[window.foreign, document.readyState === 'loading'].join()`)).toBe(',false');
      await chromium.open(`${address}start`, 1_400, 900);
      await chromium.until(`document.querySelector('.outline [aria-current="location"]')?.textContent === 'First'`);
      expect(await chromium.evaluate(`[window.ran, document.querySelectorAll('head script').length].join()`)).toBe(
        ',1',
      );
      expect((await fetch(address)).headers.get('content-security-policy')).toBe(before);
    },
    60_000,
  );

  inBrowser(
    'is not needed for what an integration shows, whose frame the policy of the page allows',
    async () => {
      const own = await world.onOwnHost(site);
      put.splice(0);
      await chromium.open(`${own}start`, 1_400, 900);
      await chromium.send('Emulation.setScriptExecutionDisabled', { value: true });
      // The browser says that a page is complete when its frames are, and nobody answers for this one. A page that is
      // without scripts has no timers either.
      const has = (selector: string) =>
        chromium.evaluate(`document.querySelector('${selector}') !== null`).catch(() => false);
      await eventually(async () => {
        await chromium.send('Page.navigate', { url: `${own}charts` });
        await eventually(async () => (await has('.component, .card')) === true, 20_000);
        // It shows a card until the integration has answered.
        return (await has('.component iframe')) === true;
      }, 40_000);
      expect(await chromium.evaluate(`document.querySelector('.component strong').textContent`)).toBe('Renderedword');
      const frame = `document.querySelector('.component iframe')`;
      expect(await chromium.evaluate(`[...${frame}.sandbox].join()`)).toBe('allow-scripts,allow-forms,allow-popups');
      const box = `JSON.stringify([${frame}.clientWidth > 300, ${frame}.clientHeight < ${frame}.clientWidth])`;
      expect(await chromium.evaluate(box)).toBe('[true,true]');
      await chromium.send('Emulation.setScriptExecutionDisabled', { value: false });
    },
    60_000,
  );

  inBrowser(
    'asks before scripts with cookies run, without scripts, and again if somebody wants',
    async () => {
      const own = await world.onOwnHost(site);
      put.splice(0, put.length, { script: `${scripts.origin}/asks.js`, cookies: true });
      const isThere = (selector: string) => chromium.until(`document.querySelector('${selector}') !== null`);
      const choose = (value: string) =>
        chromium.evaluate(`document.querySelector('button[name="cookies"][value="${value}"]').click()`);
      const added = `document.querySelectorAll('head script[async]').length`;
      await chromium.send('Emulation.setScriptExecutionDisabled', { value: true });
      await chromium.open(`${own}start`, 500, 900);
      await isThere('.consent [value="declined"]');
      expect(await chromium.evaluate(added)).toBe(0);
      await choose('declined');
      await isThere('.bottom [value="again"]');
      expect(await chromium.evaluate(`${added} + document.querySelectorAll('.consent').length`)).toBe(0);
      await choose('again');
      await isThere('.consent [value="accepted"]');
      await chromium.send('Emulation.setScriptExecutionDisabled', { value: false });
      await choose('accepted');
      await chromium.until(`window.ran?.join() === 'asks'`);
      expect(await chromium.evaluate(`document.cookie + document.querySelectorAll('.consent').length`)).toBe('0');
      put.push({ script: `${scripts.origin}/good.js`, cookies: true });
      await chromium.open(`${own}start`, 500, 900);
      await isThere('.consent [value="accepted"]');
      expect(await chromium.evaluate(added)).toBe(1);
      await choose('accepted');
      await chromium.until(`window.ran?.length === 2`);
      put.splice(0);
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
