import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { parseMarkdown, toMarkdown } from './index.js';
import { Chromium, findChromium } from './chromium-for-tests.js';

const page = new URL('../../../docs/rich-text/index.html', import.meta.url).href;
const path = findChromium();

type AxNode = { ignored: boolean; role?: { value: string }; name?: { value: string } };

const NEEDS_NAME = new Set(['textbox', 'combobox', 'button', 'checkbox', 'region', 'link']);

// Without a browser on the machine these are reported as skipped, not as passed.
(path === null ? describe.skip : describe)('the page in docs/rich-text, opened from the file system', () => {
  let browser: Chromium;
  beforeAll(async () => {
    browser = new Chromium(path ?? '');
    await browser.open(page, 1200, 900);
    await browser.until(`document.getElementById('status').textContent.startsWith('Stable')`);
  }, 60_000);
  afterAll(() => browser.close());

  /** Types a text into the editor, as a person would, and waits for its round trip. */
  async function type(text: string, context: string): Promise<{ document: unknown; written: string; status: string }> {
    const set = `document.getElementById('context').value = ${JSON.stringify(context)}; document.getElementById('status').textContent = '';
      const source = document.getElementById('source'); source.value = ${JSON.stringify(text)}; source.dispatchEvent(new Event('input'));`;
    await browser.evaluate(`(() => { ${set} })()`);
    await browser.until(`document.getElementById('status').textContent !== ''`);
    const read = `['document', 'written', 'status'].map((id) => document.getElementById(id).textContent)`;
    const [document = '', written = '', status = ''] = (await browser.evaluate(read)) as string[];
    return { document: document === '' ? null : JSON.parse(document), written, status };
  }

  it('shows the document and the markdown of a text as it is typed', async () => {
    const text = '# Title\n\n{% hint style="info" %}\nSome **bold** words\n{% endhint %}\n\n- a\n- b\n';
    const shown = await type(text, 'page');
    const parsed = parseMarkdown(text, { context: 'page' });
    const bare = JSON.parse(
      JSON.stringify({ title: parsed.title, document: parsed.document }, (name, value: unknown) =>
        name === 'key' ? undefined : value,
      ),
    ) as unknown;
    expect(shown.document).toEqual(bare);
    expect(shown.written).toBe(toMarkdown(parsed.document, { context: 'page', title: 'Title' }));
    expect(shown.status).toBe('Stable: 2 blocks, and writing a second time changes nothing.');
  });

  it('gives the same when its own output is typed', async () => {
    const first = await type('Heading\n===\n\n+ x\n+ __y__ and <b>z</b>\n', 'comment');
    const second = await type(first.written, 'comment');
    expect(second.document).toEqual(first.document);
    expect(second.written).toBe(first.written);
  });

  it('says which words of the text are in no document', async () => {
    await browser.evaluate(
      `(() => { window.own = RichText; window.RichText = { ...own, parseMarkdown: (text, options) => own.parseMarkdown(text.replaceAll('gone', ''), options) }; })()`,
    );
    expect((await type('# Here\n\nbut gone, {% hint %} [a](there.md)\n\n```js\nx\n```\n', 'page')).status).toBe(
      'Words of the text are not in the document (gone): please report this.',
    );
    await browser.evaluate('window.RichText = own');
    expect((await type('here, not gone\n', 'page')).status).toMatch(/^Stable/);
  });

  it('shows the text of a link that is opened where the page is open', async () => {
    await browser.evaluate(`location.hash = new URLSearchParams({ context: 'comment', text: '# shared' })`);
    await browser.until(`document.getElementById('written').textContent.trim() === '# shared'`);
    expect(await browser.evaluate(`document.getElementById('context').value`)).toBe('comment');
  });

  it('says why a text is refused, and goes on', async () => {
    expect((await type('- a\n'.repeat(25_000), 'comment')).status).toMatch(/^Refused \(too_complex\)/);
    expect((await type('fine', 'comment')).status).toMatch(/^Stable/);
  });

  it('never makes live what somebody types', async () => {
    const { status } = await type(
      '<img src=x onerror="window.hit=1"> <script>window.hit=1</script> [x](javascript:window.hit=1)',
      'comment',
    );
    expect(status).toMatch(/^Stable/);
    expect(await browser.evaluate('window.hit ?? null')).toBeNull();
  });

  it('is stable on each of its examples', async () => {
    const names = (await browser.evaluate('Object.keys(EXAMPLES)')) as string[];
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const chosen = await browser.evaluate(
        `(() => { const example = document.getElementById('example'); example.value = ${JSON.stringify(name)}; example.dispatchEvent(new Event('change')); return document.getElementById('status').textContent; })()`,
      );
      expect([name, chosen]).toEqual([name, expect.stringMatching(/^Stable/)]);
    }
  });

  it('names every control for those who do not see it', async () => {
    const { nodes } = (await browser.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
    const controls = nodes.filter((node) => !node.ignored && NEEDS_NAME.has(node.role?.value ?? ''));
    expect(controls.length).toBeGreaterThanOrEqual(8);
    expect(controls.filter((node) => (node.name?.value ?? '') === '')).toEqual([]);
    expect(await browser.evaluate('document.documentElement.lang')).toBe('en');
  });

  it.each([1200, 768, 360, 320])('fits a screen of %d pixels', async (width) => {
    await browser.resize(width, 800);
    await browser.until(`window.innerWidth === ${width}`);
    expect(await browser.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const folder = process.env['SCREENSHOTS'];
    if (folder === undefined) return;
    const { data } = await browser.send('Page.captureScreenshot', { captureBeyondViewport: true });
    writeFileSync(`${folder}/page-${width}.png`, Buffer.from(String(data as string), 'base64'));
  });

  it('reports no error to the console', () => expect(browser.errors).toEqual([]));
});
