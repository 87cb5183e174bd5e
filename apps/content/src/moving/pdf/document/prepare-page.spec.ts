import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from '@scriptorium/rich-text';
import { layOutPages } from '../test/lay-out-pages.js';
import { readPdf } from '../test/read-pdf.js';

const textOf = async (...given: Parameters<typeof layOutPages>) =>
  (await readPdf((await layOutPages(...given)).pdf)).texts.join('\n');

describe('what is written on a page', () => {
  it('is never markup', async () => {
    const hostile = '#read("/etc/passwd") #import "@preview/a:0.1.0": b $x$ <lab> @ref `#x` \\u{41} */ /*';
    const document = parseMarkdown('x', { context: 'page' }).document;
    const [paragraph] = document.nodes;
    const leaf = { object: 'leaf' as const, text: hostile, marks: [] };
    const nodes = [{ ...paragraph!, nodes: [{ object: 'text' as const, leaves: [leaf] }] }];
    const text = await textOf([{ id: 'p', title: hostile, document: { ...document, nodes } }], { title: hostile });
    expect(text.replace(/\s+/g, '').split(hostile.replace(/\s+/g, '')).length).toBeGreaterThanOrEqual(3);
  });

  it('is laid out however it is nested, and however long its words and tables are', async () => {
    const says: string[] = [];
    const columns = (count: number) => {
      const row = (text: string) => `|${Array.from({ length: count }, (_, index) => ` ${text}${index} `).join('|')}|`;
      return [row('h'), `|${' - |'.repeat(count)}`, row('c')].join('\n');
    };
    const pages = [
      {
        id: 'nested',
        markdown: Array.from({ length: 60 }, (_, depth) => `${'> '.repeat(depth)}level ${depth}`).join('\n\n'),
      },
      { id: 'word', markdown: 'w'.repeat(10_000) },
      { id: 'wide', markdown: columns(12) },
      { id: 'records', markdown: columns(100) },
      { id: 'long', markdown: `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(3_000)}` },
      {
        id: 'odd',
        markdown: '# \n\nx\u0001y \ud800 end\n\nturned \u202e round\n\n[empty]()\n\n[bad](javascript:alert(1))',
      },
    ];
    const { pdf } = await layOutPages(pages, { says });
    expect(says).toEqual([]);
    const text = (await readPdf(pdf)).texts.join('\n');
    for (const word of ['level 59', 'c99', 'h11', 'end']) expect(text).toContain(word);
    expect(text.match(/w/g)?.length).toBeGreaterThanOrEqual(10_000);
  });

  it('is what is said of a block of an integration, with its text and its link', async () => {
    const { document } = parseMarkdown('{% @acme/plot url="https://acme.example/1" content="a > b" %}');
    const integration = { name: 'acme', title: 'Acme', version: 1 };
    const resolved = { title: 'Plotted title', description: 'Plotted description', integration };
    const nodes = document.nodes.map((node) => ({ ...node, data: { ...node.data, resolved } }));
    const { pdf } = await layOutPages([{ id: 'p', title: 'Page', document: { ...document, nodes } }]);
    const text = (await readPdf(pdf)).texts.join('\n');
    for (const words of ['Plotted title', 'Plotted description', 'a > b']) expect(text).toContain(words);
    expect(pdf.toString('latin1')).toContain('https://acme.example/1');
  });

  it('is the same bytes each time', async () => {
    const pages = [{ id: 'p', markdown: '# One\n\nText and `code`.\n\n```js\nconst a = 1;\n```' }];
    const [first, second] = [await layOutPages(pages), await layOutPages(pages)];
    expect(first.pdf.equals(second.pdf)).toBe(true);
  });

  it('is shown in the scripts for which there are fonts, and others are told', async () => {
    const markdown = 'Ελληνικά Русский 日本語の文章 العربية עברית ไทย हिन्दी 😀';
    const { pdf, missing, isAccessible } = await layOutPages([{ id: 'p', markdown }]);
    expect([missing, isAccessible]).toEqual([[], true]);
    const [text = ''] = (await readPdf(pdf)).texts;
    for (const word of ['Ελληνικά', 'Русский', '日本語の文章', '😀']) expect(text).toContain(word);
    const other = await layOutPages([{ id: 'p', markdown: 'ქართული 한국어' }]);
    expect(other.missing.sort()).toEqual(['Geor', 'Hang']);
  });

  it('is not lost with a picture that cannot be read', async () => {
    const says: string[] = [];
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="a</svg>');
    const files = { broken: { name: 'a.svg', isPicture: true } };
    const markdown = '![How it looks](/files/broken)\n\nText.';
    const pictures = [{ name: '1.svg', bytes }];
    const text = await textOf([{ id: 'p', markdown, files }], { says, pictures, names: { broken: '1.svg' } });
    expect(text).toContain('How it looks');
    expect(says).toEqual([]);
  });
});
