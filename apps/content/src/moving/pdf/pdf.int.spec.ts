import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Pdf } from '@scriptorium/contracts';
import { emptySpace } from '../../test/zips.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { PdfLayouts } from './pdf-layouts.process.js';
import { readPdf, type Bookmark } from './test/read-pdf.js';

jest.setTimeout(180_000);

/** A red square of 40 by 40 pixels. */
const square = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#c00"/></svg>`;

describe('the PDF of a space', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  const askFor = async (space: string, query = ''): Promise<Pdf> => {
    const answer = await rig.send('GET', `/spaces/${space}/pdf${query}`);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return Pdf.parse(answer.body);
  };
  const bytesAt = async (url: string): Promise<Buffer> => {
    const answer = await fetch(url);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const pdfOf = async (space: string, query = '') => readPdf(await bytesAt((await askFor(space, query)).url));
  const titles = (items: readonly Bookmark[]): unknown[] =>
    items.map(({ title, items: below }) => (below.length === 0 ? title : [title, titles(below)]));

  const handbook = async () => {
    const space = await emptySpace(rig);
    const ids = await changeContentOf(rig, space, [
      {
        operation: 'insert_files',
        files: [
          { name: 'red.svg', base64: Buffer.from(square).toString('base64'), contentType: 'image/svg+xml', ref: 'red' },
        ],
      },
      page(
        'Install',
        'See [how to use it](use#first-steps), or [elsewhere](https://example.org/x).\n\n![A red square](/files/red)',
        { ref: 'install' },
      ),
      page('On Linux', '## Packages\n\nOne `command`.', { ref: 'linux', into: 'install', slug: 'linux' }),
      { operation: 'insert_group', title: 'Guides', ref: 'guides' },
      page('Use', '## First steps\n\n日本語の文章。 Ελληνικά, русский.', { ref: 'use', into: 'guides' }),
      page('Secret', 'Nobody sees it in the navigation.', { ref: 'secret', hidden: true }),
      { operation: 'insert_link', title: 'Away', target: { kind: 'url', url: 'https://example.org/' } },
    ]);
    return { space, ids };
  };

  it('has its pages in the order of the navigation, with bookmarks, contents and links', async () => {
    const { space, ids } = await handbook();
    await changeContentOf(rig, space, [
      {
        operation: 'update_page',
        page: ids['install'],
        document: {
          markdown: `See [how to use it](/pages/${ids['use'] ?? ''}#first-steps), or [elsewhere](https://example.org/x).\n\n![A red square](/files/${ids['red'] ?? ''})`,
        },
      },
    ]);
    const asked = await askFor(space);
    expect(asked).toEqual({ url: expect.stringMatching(/\/pdf\/[0-9a-f]{40}\/.+\.pdf\?expires=\d+&signature=/) });
    const pdf = await readPdf(await bytesAt(asked.url));
    expect(pdf.isTagged).toBe(true);
    expect(titles(pdf.bookmarks)).toEqual([['Install', ['On Linux']], ['Guides', ['Use']], 'Secret']);
    const sheetOf = (title: string) =>
      pdf.bookmarks.flatMap((one) => [one, ...one.items]).find((one) => one.title === title)?.sheet;
    expect(pdf.links).toContainEqual({ from: sheetOf('Install'), url: 'https://example.org/x' });
    expect(pdf.links).toContainEqual({ from: sheetOf('Install'), sheet: sheetOf('Use') });
    expect(pdf.texts[1]).toContain('Contents');
    expect(pdf.texts.join('\n')).toContain('日本語の文章');
    const again = await askFor(space);
    expect(again).toMatchObject({ url: asked.url, pages: pdf.sheets, accessible: true });
    expect(again.bytes).toBeGreaterThan(1_000);
    expect(again.missingScripts).toBeUndefined();
  });

  it('shows a page with those in it, or alone', async () => {
    const { space, ids } = await handbook();
    expect(titles((await pdfOf(space, `?page=${ids['install'] ?? ''}`)).bookmarks)).toEqual([
      ['Install', ['On Linux']],
    ]);
    const alone = await pdfOf(space, `?page=${ids['linux'] ?? ''}&only=true&paper=letter`);
    expect(alone).toMatchObject({ title: 'On Linux', sheets: 1 });
    expect(titles(alone.bookmarks)).toEqual([['On Linux', ['Packages']]]);
    const refusal = async (query: string) => {
      const { status, body } = await rig.send('GET', `/spaces/${space}/pdf${query}`);
      return [status, body.error?.details?.[0]?.path];
    };
    expect(await refusal('?only=true')).toEqual([400, 'query.page']);
    expect(await refusal(`?only=true&page=${ids['guides'] ?? ''}`)).toEqual([400, 'query.page']);
    expect(await refusal('?page=none')).toEqual([404, 'query.page']);
    expect(await refusal('?paper=a5')).toEqual([400, 'query.paper']);
  });

  it('is one sheet with the title for an empty space', async () => {
    const { sheets, texts } = await pdfOf(await emptySpace(rig));
    expect(sheets).toBe(1);
    expect(texts[0]).not.toBe('');
  });

  it('is the same bytes whoever asks how often, made once, given in ranges and with an entity tag', async () => {
    const { space } = await handbook();
    const { url } = await askFor(space);
    const layouts = jest.spyOn(PdfLayouts.prototype, 'layouts');
    const all = await Promise.all(Array.from({ length: 10 }, () => bytesAt(url)));
    expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(1);
    expect(layouts).toHaveBeenCalledTimes(1);
    layouts.mockRestore();
    const part = await fetch(url, { headers: { range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, '%PDF']);
    const tag = part.headers.get('etag') ?? '';
    expect(part.headers.get('content-disposition')).toMatch(/^inline; filename=/);
    expect((await fetch(url, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), Number(head.headers.get('content-length'))]).toEqual([
      200,
      'application/pdf',
      all[0]?.length,
    ]);
    const { body } = await rig.send('GET', `/spaces/${space}/pdf?paper=letter`, { headers: { prefer: 'wait=20' } });
    expect(body).toMatchObject({ pages: expect.any(Number), bytes: expect.any(Number) });
  });

  it('is refused without read on the space, without a signature, and after its hour', async () => {
    const { space } = await handbook();
    const { url } = await askFor(space);
    const statusOf = async (address: string, method = 'GET') => (await fetch(address, { method })).status;
    expect(await statusOf(url.replace(/signature=.*/, 'signature=x.0'))).toBe(403);
    expect(await statusOf(url.replace(/expires=\d+/, 'expires=1'))).toBe(403);
    expect(await statusOf(url.replace(/\.pdf\?/, '2.pdf?'))).toBe(403);
    expect(await statusOf(url, 'POST')).toBe(404);
    const other = await rig.person('Otto Other');
    expect((await rig.send('GET', `/spaces/${space}/pdf`, { token: other.token })).status).toBe(404);
    await rig.send('DELETE', `/spaces/${space}`);
    expect(await statusOf(url)).toBe(404);
  });

  it('is laid out by a run when it is large', async () => {
    const space = await emptySpace(rig);
    const pages = Array.from({ length: 60 }, (_, index) =>
      page(`Chapter ${index + 1}`, `Text of chapter ${index + 1}.`),
    );
    for (let start = 0; start < pages.length; start += 20)
      await changeContentOf(rig, space, pages.slice(start, start + 20));
    const { url } = await askFor(space);
    const { bookmarks, sheets } = await readPdf(await bytesAt(url));
    expect([bookmarks.length, sheets]).toEqual([60, 63]);
    await eventually(async () => {
      const all = await rig.store.runs.list({ organization: rig.organization, kind: 'pdf_layout' }, { limit: 10 });
      return all.length === 1 && all[0]?.status === 'done';
    });
    await eventually(async () => (await askFor(space)).pages === 63);
  });
});
