import { describe, expect, it } from '@jest/globals';
import { documents, runs, SEED } from '@scriptorium/rich-text/arbitraries-for-tests';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { parseMarkdown, toPlainText } from '@scriptorium/rich-text';
import { layOutPages } from '../test/lay-out-pages.js';
import { readPdf, wordsIn } from '../test/read-pdf.js';

const corpus = new URL('../../../../../../packages/rich-text/corpus/', import.meta.url);

describe('a PDF', () => {
  it('has every word of a page with each kind of block, in their order', async () => {
    const says: string[] = [];
    const names = readdirSync(corpus).filter((name) => name.startsWith('block-'));
    const pages = names.map((name) => ({ id: name, markdown: readFileSync(new URL(name, corpus), 'utf8') }));
    const { pdf, isAccessible } = await layOutPages(pages, { says });
    expect(says).toEqual([]);
    expect(isAccessible).toBe(true);
    const found = wordsIn((await readPdf(pdf)).texts.join('\n')).join(' ');
    const { document } = parseMarkdown(readFileSync(new URL('block-paragraphs.md', corpus), 'utf8'), {
      context: 'page',
    });
    expect(found).toContain(wordsIn(toPlainText(document)).slice(0, 8).join(' '));
  });

  it('is made of any document', async () => {
    const says: string[] = [];
    const all = fc.sample(documents, { numRuns: runs(200), seed: SEED });
    const pages = all.map((document, index) => ({ id: `p${index}`, document }));
    for (let start = 0; start < pages.length; start += 50) await layOutPages(pages.slice(start, start + 50), { says });
    expect(says).toEqual([]);
  });
});
