import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { parseMarkdown, toPlainText } from '@scriptorium/rich-text';
import { layOutPages } from '../test/lay-out-pages.js';
import { readPdf, wordsIn, type ReadPdf } from '../test/read-pdf.js';

const corpus = new URL('../../../../../../packages/rich-text/corpus/', import.meta.url);

/**
 * Words of a page that its PDF does not have: titles and names of pages and files that are not there, what an
 * integration alone can show, and values that are signs.
 */
const unshown = new Set([
  'Target',
  'one',
  'Cover',
  'cover',
  'png',
  'true',
  '4',
  'Sales',
  'Q1',
  'two',
  'lines',
  'A',
  'video',
]);
/** Where notes are at the foot of a sheet, or a text is a title of several blocks. */
const elsewhere = /note|heading/;

/** The number of a note stands behind a word, and before the first one of the note. */
function withoutNumber(word: string): string {
  return word.replace(/(?<=\p{L})\d+$/u, '').replace(/^\d+(?=\p{L})/u, '');
}

describe('the words of a PDF', () => {
  const names = readdirSync(corpus).filter((name) => /^(block|inline|inside)-.*\.md$/.test(name));
  const sources = new Map(names.map((name) => [name, readFileSync(new URL(name, corpus), 'utf8')]));
  let whole: ReadPdf;
  const says: string[] = [];
  beforeAll(async () => {
    const pages = names.map((id) => ({ id, markdown: sources.get(id) ?? '' }));
    whole = await readPdf((await layOutPages(pages, { says })).pdf);
  }, 120_000);

  /** The words of a page, without the number and the title of each sheet. */
  const wordsOf = (name: string): string[] => {
    const place = whole.bookmarks.findIndex(({ title }) => title === name);
    const [from, to] = [whole.bookmarks[place]?.sheet ?? 0, whole.bookmarks[place + 1]?.sheet ?? whole.sheets + 1];
    return wordsIn(whole.texts.slice(from - 1, to - 1).join('\n'));
  };

  it('are those of the whole corpus, which is accessible', () => {
    expect(says).toEqual([]);
    expect(whole.bookmarks.map(({ title }) => title)).toEqual(names);
  });

  it.each(names)('are in the order in which %s is read', (name) => {
    const document = parseMarkdown(sources.get(name) ?? '', { context: 'page' }).document;
    const wanted = wordsIn(toPlainText(document))
      .filter((word) => !unshown.has(word))
      .map(withoutNumber);
    const found = wordsOf(name).map(withoutNumber);
    let at = 0;
    const missing = wanted.filter((word) => {
      const place = found.indexOf(word, at);
      if (place < 0) return !(elsewhere.test(name) && found.includes(word));
      at = place + 1;
      return false;
    });
    expect(missing).toEqual([]);
  });

  it('are whole where a line may end within them', async () => {
    const address = `https://example.com/${'committee-of-the-module-'.repeat(10)}`;
    const code = `const moment = "${'remember'.repeat(30)}";`;
    const { pdf } = await layOutPages([{ id: 'p', markdown: `${address}\n\n\`\`\`js\n${code}\n\`\`\`` }]);
    const text = (await readPdf(pdf)).texts.join('').replaceAll(/\s/g, '');
    for (const one of [address, code]) expect(text).toContain(one.replaceAll(/\s/g, ''));
  });

  it('are whole in Arabic and Hebrew, in each of their lines', async () => {
    const lines = [
      'هذه فقرة بالعربية وكلمة English هنا ورقم 12345',
      'זוהי פסקה בעברית עם מילה English באמצע ומספר 12345',
    ];
    for (const language of ['en', 'ar', 'he']) {
      const { pdf, missing } = await layOutPages([{ id: 'p', markdown: lines.join('\n\n') }], { language });
      const text = (await readPdf(pdf)).texts.join('\n').normalize('NFKC');
      const lost = lines.flatMap(wordsIn).filter((word) => !text.includes(word));
      expect([language, missing, lost]).toEqual([language, [], []]);
    }
  });
});
