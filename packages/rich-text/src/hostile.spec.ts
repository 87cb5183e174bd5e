import { describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import {
  diff,
  links,
  merge,
  parseMarkdown,
  RichTextError,
  toMarkdown,
  toPlainText,
  validate,
  type Block,
  type RichDocument,
} from './index.js';
import { cost, leastCost, slowMs, usualPage } from './test/cost.js';

const SLOW_MS = slowMs();

const table = (rows: number, columns: number): string =>
  Array.from({ length: rows + 2 }, (_, i) => `|${(i === 1 ? '-|' : 'a|').repeat(columns)}`).join('\n');

const CASES: Array<[string, string, string | null]> = [
  ['5,000 quote markers', '>'.repeat(5000), null],
  ['2,000 lists on one line', `${'- '.repeat(2000)}x`, null],
  ['2,000 nested lists', Array.from({ length: 2000 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'), 'too_large'],
  ['nesting on many lines', `${'>'.repeat(99)}a\n`.repeat(2000), 'too_complex'],
  ['10,000 open brackets', '['.repeat(10_000), null],
  ['10,000 open images', '!['.repeat(10_000), null],
  ['10,000 half links', '[a]('.repeat(10_000), null],
  ['a line of 1 MB', 'word '.repeat(200_000), 'too_large'],
  ['a table of 500 by 100', table(500, 100), 'too_complex'],
  ['open tags', '{%'.repeat(10_000), null],
  ['open tags with open quotes', '{% a x="\n'.repeat(2_000), null],
  ['containers that never end', '{% hint %}\n'.repeat(2_000), null],
  ['elements that never end', '<div>'.repeat(10_000), null],
  ['elements of raw text', '<title></title>'.repeat(10_000), null],
  ['details that never end', '<details>\n\n'.repeat(500), null],
  ['emphasis', '*a _b '.repeat(5_000), null],
  ['emphasis that ends', `${'*a _b '.repeat(2_000)}${'c_ d*'.repeat(2_000)}`, null],
  ['code marks', '``a`'.repeat(5_000), null],
  ['dollars', '$$a'.repeat(5_001), null],
  ['notes in notes', `${'[^1]: '.repeat(300)}x[^1]`, null],
  ['underlined headings', 'a\n===\n'.repeat(2_000), null],
  ['code marks of every length', Array.from({ length: 250 }, (_, i) => '`'.repeat(i + 1)).join(' '), null],
  ['quotes read on for many lines', `${'>'.repeat(90)}a\n${'b\n'.repeat(20_000)}`, 'too_complex'],
  ['list items beyond number', '- a\n'.repeat(50_000), 'too_complex'],
  ['paragraphs beyond number', 'a\n\n'.repeat(100_000), 'too_complex'],
  ['table rows without bars', `a|b\n-|-\n${'c\n'.repeat(50_000)}`, 'too_complex'],
  ['code marks beyond number', '`a'.repeat(250_000), 'too_complex'],
  ['lone surrogates', '\ud800a'.repeat(5_000), null],
  ['NUL', '\0a\0'.repeat(5_000), null],
  ['spaces between tags', `<p>a${' '.repeat(50_000)}b</p>`, null],
  [
    'spaces in a formula, a label and an expression',
    [
      '<span data-tag="inline-math" data-formula="$"></span>',
      '<a class="button">$</a>',
      '<code class="expression">$</code>',
    ]
      .map((html) => html.replace('$', `a${' '.repeat(50_000)}b`))
      .join(' '),
    null,
  ],
  ['a note behind a long word', `${'a'.repeat(50_000)} [^1]\n\n[^1]: x`, null],
  [
    'cells that span columns',
    `<table><tr>${'<td colspan=100>'.repeat(1_000)}${'<tr><td>'.repeat(1_000)}</table>`,
    'too_complex',
  ],
  [
    'cells that span rows and columns',
    `<table><tr>${'<td colspan=100 rowspan=100>'.repeat(400)}${'<tr><td>'.repeat(1_000)}</table>`,
    'too_complex',
  ],
  ['comments without an end', 'a <!--'.repeat(30_000), null],
  ['instructions without an end', 'a <?'.repeat(50_000), null],
  ['tags without an end', "a <a b='\n".repeat(25_000), null],
  ['elements in text', '<b>'.repeat(30_000), null],
  ['elements in elements, side by side', `${'<details>'.repeat(20)}x${'</details>'.repeat(20)}\n\n`.repeat(100), null],
  [
    'icons in icons',
    ['a $', '# $', '|a|\n|-|\n|$|', '<table><tr><td>$</td></tr></table>']
      .map((where) => where.replace('$', `${'<i class="fa-x">'.repeat(100)}word${'</i>'.repeat(100)}`))
      .join('\n\n'),
    null,
  ],
  ['quotes in items', '- > a\n'.repeat(7_000), null],
  ['lines that go on with a quote', `> a\n${'b\n'.repeat(30_000)}`, 'too_complex'],
  ['lines that go on with an item', `- a\n${'b\n'.repeat(30_000)}`, 'too_complex'],
  [
    'rows of one cell in a wide table',
    `${'a|'.repeat(100)}b\n${'-|'.repeat(100)}-\n${'c\n'.repeat(10_000)}`,
    'too_complex',
  ],
  [
    'cells that span more columns than there are',
    `<table><tr>${'<td colspan=1000>'.repeat(10)}${'<tr><td>'.repeat(500)}</table>`,
    'too_complex',
  ],
  ['definitions', Array.from({ length: 3_000 }, (_, i) => `[n${i}]: /x\n`).join(''), null],
  ['brackets at the ends of lines', '[\u2028'.repeat(100_000), null],
  ['definitions beyond number', '[a]: /x\n'.repeat(60_000), 'too_complex'],
  ['footnotes', Array.from({ length: 2_000 }, (_, i) => `[^n${i}]: text\n\n`).join(''), null],
  ['footnotes beyond number', Array.from({ length: 30_000 }, (_, i) => `[^n${i}]: text\n`).join(''), 'too_complex'],
  ['references to one footnote', `[^a]: x\n\n${'b[^a] '.repeat(80_000)}`, 'too_complex'],
  ['tags without content', '{% include %}'.repeat(4_000), null],
  ['tags in a paragraph', 'a {% hint %} '.repeat(8_000), null],
  ['character references', '&amp;'.repeat(20_000), null],
  ['attributes', `<p ${'a="b" '.repeat(80_000)}>x</p>`, null],
  ['underscores', '_'.repeat(100_000), null],
  [
    'notes that refer to notes many times',
    `x[^1]\n\n${[1, 2, 3, 4].map((i) => `[^${i}]: ${`a[^${i + 1}] `.repeat(100)}\n\n`).join('')}[^5]: z`,
    'too_complex',
  ],
];

describe('hostile markdown', () => {
  it.each(CASES)('%s', (_, text, refused) => {
    cost(text.slice(0, 2000));
    const best = leastCost(text, SLOW_MS, 5);
    expect(best.refused).toBe(refused);
    expect(best.ms).toBeLessThanOrEqual(SLOW_MS);
  });

  it.each([
    ['quotes', '>'.repeat(5_000), 100],
    ['list items', '- '.repeat(2_000), 100],
    ['tags', '{% if x %}\n'.repeat(500), 0],
    ['closed tags', `${'{% if x %}\n'.repeat(500)}end\n${'{% endif %}\n'.repeat(500)}`, 100],
    ['elements', '<blockquote>'.repeat(5_000), 100],
  ])('nests at most 100 %s, and keeps the text of the rest', (_, text, most) => {
    const { document } = parseMarkdown(`${text}end`);
    const depth = (node: Block): number =>
      ['blockquote', 'list-item', 'if'].filter((type) => type === node.type).length +
      Math.max(0, ...(node.nodes ?? []).map((child) => (child.object === 'block' ? depth(child) : 0)));
    expect(Math.max(...document.nodes.map(depth))).toBeLessThanOrEqual(most);
    expect(toPlainText(document)).toContain('end');
  });

  it.each(sized([`<table>${'<tr>'.repeat(127_000)}`], [`<table>${'<tr>'.repeat(127_000)}`, '<b>'.repeat(140_000)]))(
    'keeps its text when there are more tags than a call has arguments',
    (tags) => {
      const { document } = parseMarkdown(`${tags}the end`);
      expect(toPlainText(document)).toContain('the end');
    },
  );

  it('never refuses 500 KB of prose, and takes for them as many times longer as they are longer', () => {
    const times = sized(2, 5);
    const { ms, refused } = cost(usualPage.repeat(times));
    expect(refused).toBeNull();
    expect(ms).toBeLessThanOrEqual(times * SLOW_MS);
  });

  it('reads underlined headings as the parser does', () => {
    const source = 'text\n\n[a]: /x\n[b]: /y\nfirst *one*\n===\n> second\n> ---\n\nlazy\n- not one\n===\n';
    const { nodes } = parseMarkdown(source).document;
    expect(nodes.map((node) => node.type)).toEqual([
      'paragraph',
      'heading-1',
      'blockquote',
      'paragraph',
      'list-unordered',
    ]);
    expect(nodes[2]?.nodes?.[0]).toMatchObject({ type: 'heading-2' });
  });

  it('replaces NUL and lone surrogates', () => {
    const { document } = parseMarkdown('a\0b \ud800 c');
    expect(toPlainText(document)).toBe('a\ufffdb \ufffd c');
  });

  it('drops URLs that run code or carry content, and keeps their text', () => {
    const urls = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#10;script:alert(1)',
      '&#1;javascript:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'file:///etc/passwd',
    ];
    for (const url of urls) {
      const { document } = parseMarkdown(
        `[text](<${url}>) <a href="${url}">more</a> ![alt](<${url}>) {% embed url="${url}" %}\n\n{% embed url="${url}" %}\n\n<img src="${url}" alt="pic">`,
      );
      expect(links(document)).toEqual([]);
      expect(toPlainText(document)).toContain('text more alt');
    }
  });

  it('never keeps HTML as HTML', () => {
    const { document } = parseMarkdown(
      '<script>alert(1)</script>\n\n<p onclick="x()">text <b onmouseover="y()">bold</b></p>\n\n<iframe src="https://x.y"></iframe>\n\n<svg onload=z()>shape</svg> <style>a{}</style>',
    );
    const all = JSON.stringify(document);
    expect(all).not.toMatch(/onclick|onmouseover|onload|<script|iframe/);
    expect(toPlainText(document)).toContain('text bold');
    expect(toMarkdown(document)).not.toMatch(/<script|onclick/);
  });
});

describe('hostile documents', () => {
  it('are compared and merged in bounded time, also when they say one word over and over', () => {
    const blocks = sized(40, 100);
    const page = (before: string, after: string): RichDocument => ({
      object: 'document',
      data: {},
      nodes: Array.from({ length: blocks }, (_, i) => ({
        object: 'block',
        type: 'paragraph',
        key: `k${i}`,
        isVoid: false,
        data: {},
        nodes: [
          {
            object: 'text',
            leaves: [
              { object: 'leaf', text: `${before} ${'x '.repeat(i < blocks / 2 ? 200 : 2_000)}${after}`, marks: [] },
            ],
          },
        ],
      })),
    });
    const [base, ours, theirs] = [page('a', 'a'), page('b', 'a'), page('b c', 'c')];
    const start = process.cpuUsage();
    expect(diff(base, theirs)).toHaveLength(blocks);
    expect(merge(base, ours, theirs).document.nodes).toHaveLength(blocks);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(sized(4, 15) * SLOW_MS);
  });

  it('are compared in bounded time where very many blocks without keys are alike', () => {
    const text = { object: 'text' as const, leaves: [{ object: 'leaf' as const, text: 'a', marks: [] }] };
    const document: RichDocument = {
      object: 'document',
      data: {},
      nodes: Array.from({ length: sized(5_000, 20_000) }, () => ({
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: [text],
      })),
    };
    const start = process.cpuUsage();
    expect(diff(document, document)).toEqual([]);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(sized(4, 15) * SLOW_MS);
  });

  it('are merged in bounded time where both sides empty very many containers', () => {
    const length = sized(2_500, 10_000);
    const quotes = (which: number[]): RichDocument => ({
      object: 'document',
      data: {},
      nodes: Array.from({ length }, (_, i) => ({
        object: 'block',
        type: 'blockquote',
        key: `q${i}`,
        isVoid: false,
        data: {},
        nodes: which.map((n) => ({
          object: 'block',
          type: 'paragraph',
          key: `p${i}.${n}`,
          isVoid: false,
          data: {},
          nodes: [],
        })),
      })),
    });
    const start = process.cpuUsage();
    expect(merge(quotes([1, 2]), quotes([1]), quotes([2])).document.nodes).toHaveLength(length);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(sized(4, 15) * SLOW_MS);
  });

  it('are matched in bounded time where very many groups of lines were rewritten', () => {
    const length = sized(2_000, 6_000);
    const lines = (word: string): string =>
      Array.from({ length }, (_, i) => (i % 91 === 0 ? `line ${i}` : `${word}${i} x`)).join('\n\n');
    const previous = parseMarkdown(lines('a')).document;
    const start = process.cpuUsage();
    expect(parseMarkdown(lines('b'), { previous }).document.nodes).toHaveLength(length);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(sized(4, 15) * SLOW_MS);
  });

  it('are matched in bounded time where very many columns are of other types', () => {
    const table = (types: [string, string]): string =>
      `<table><thead><tr>${Array.from({ length: 4_000 }, (_, i) => `<th data-type="${types[i % 2] ?? ''}">x</th>`).join('')}</tr></thead></table>`;
    const previous = parseMarkdown(table(['text', 'number'])).document;
    const start = process.cpuUsage();
    expect(parseMarkdown(table(['checkbox', 'rating']), { previous }).document.nodes).toHaveLength(1);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(15 * SLOW_MS);
  });

  it('are written in bounded time, also with long runs of spaces', () => {
    const long = `a${' '.repeat(50_000)}b`;
    const node = (type: string, data: object): object => ({ object: 'inline', type, isVoid: true, data });
    const text = { object: 'text', leaves: [{ object: 'leaf', text: long, marks: [] }] };
    const nodes = [
      text,
      node('inline-math', { formula: long }),
      node('expression', { expression: long }),
      node('button', { label: long }),
    ];
    const document = validate({
      object: 'document',
      nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: { align: 'center' }, nodes }],
    });
    const start = process.cpuUsage();
    expect(toMarkdown(document)).toContain(long);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(SLOW_MS);
  });

  it('refuses nesting that would exhaust the stack', () => {
    let node: unknown = { object: 'block', type: 'blockquote', isVoid: false, data: {}, nodes: [] };
    for (let i = 0; i < 50_000; i++)
      node = { object: 'block', type: 'blockquote', isVoid: false, data: {}, nodes: [node] };
    expect(() => validate({ object: 'document', data: {}, nodes: [node] })).toThrow(
      expect.objectContaining({ reason: 'too_deep' }),
    );
  });

  it('refuses more nodes than the limit', () => {
    const nodes = Array.from({ length: 60_000 }, () => ({ object: 'block', type: 'divider', isVoid: true, data: {} }));
    expect(() => validate({ object: 'document', data: {}, nodes })).toThrow(
      expect.objectContaining({ reason: 'too_many_nodes' }),
    );
  });

  it('refuses __proto__ and shapes that are no document', () => {
    const evil: unknown = JSON.parse('{"object":"document","data":{"__proto__":{"x":1}},"nodes":[]}');
    for (const input of [
      evil,
      null,
      1,
      'x',
      [],
      {},
      { object: 'block' },
      { object: 'document', nodes: [{ object: 'text', leaves: 'x' }] },
    ]) {
      expect(() => validate(input)).toThrow(RichTextError);
    }
  });

  it('replaces NUL and lone surrogates', () => {
    const node = { object: 'block', type: 'embed', isVoid: true, data: { url: 'https://a.b/\0\ud800' } };
    expect(validate({ object: 'document', nodes: [node] }).nodes[0]?.data).toEqual({ url: 'https://a.b/\ufffd\ufffd' });
  });

  it('removes unsafe URLs from references', () => {
    const node = {
      object: 'inline',
      type: 'link',
      isVoid: false,
      data: { ref: { kind: 'url', url: 'javascript:alert(1)' } },
      nodes: [],
    };
    const document = validate({
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [node] }],
    });
    expect(JSON.stringify(document)).not.toContain('javascript');
  });
});
