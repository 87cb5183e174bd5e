import { describe, expect, it } from '@jest/globals';
import { hash, parseMarkdown, toMarkdown } from '../index.js';

const read = (markdown: string): [title: string | undefined, text: string] => {
  const { title, document } = parseMarkdown(markdown, { context: 'page' });
  const again = parseMarkdown(toMarkdown(document, { context: 'page', title: title ?? 'Title' }), { context: 'page' });
  expect(hash(again.document, { keys: false })).toBe(hash(document, { keys: false }));
  return [title, toMarkdown(document, { context: 'page' }).trim()];
};
const badge = '[![b](https://a.b/c.svg)](https://x.y)';
const written = '[<img src="https://a.b/c.svg" alt="b" data-size="">](https://x.y)';
const long = 'Long '.repeat(60).trim();

describe('the title of a page', () => {
  it.each([
    ['is its first heading', '# Title\n\nText', 'Title', 'Text'],
    ['is underlined', 'Title\n=====\n\nText', 'Title', 'Text'],
    ['stands behind a badge', `${badge}\n\n# Title\n\nText`, 'Title', `${written}\n\nText`],
    [
      'stands behind badges on lines',
      `${badge}\n${badge}\n\n# Title\n\nText`,
      'Title',
      `${written} ${written}\n\nText`,
    ],
    [
      'stands behind pictures in HTML',
      '<p align="center"><img src="https://a.b/c.svg"></p>\n\n# Title',
      'Title',
      '<p align="center"><img src="https://a.b/c.svg" alt="" data-size=""></p>',
    ],
    ['is that of front matter as well', '---\ntitle: Title\n---\n\n# Title\n\nText', 'Title', 'Text'],
  ])('%s', (_name, markdown, title, text) => expect(read(markdown)).toEqual([title, text]));

  it.each([
    ['differs from that of front matter', '---\ntitle: Other\n---\n\n# Title\n\nText', '## Title\n\nText'],
    ['is too long for one', `# ${long}\n\nText`, `## ${long}\n\nText`],
    ['stands behind words', 'Words\n\n# Title', 'Words\n\n## Title'],
    ['stands behind words beside a badge', `${badge} words\n\n# Title`, `${written} words\n\n## Title`],
    ['is not of the first level', `${badge}\n\n## Title`, `${written}\n\n## Title`],
    ['is the second one', '## First\n\n# Title', '## First\n\n## Title'],
  ])('is no heading that %s, which stays', (_name, markdown, text) =>
    expect(read(markdown)).toEqual([undefined, text]),
  );

  it.each([
    ['beside words', '# ![Logo](https://a.b/l.svg) Product\n\nText', 'Logo Product', 1],
    ['alone', '# ![Product](https://a.b/l.svg)\n\nText', 'Product', 1],
    ['in a link', '# Product [![Build](https://a.b/l.svg)](https://x.y)\n\nText', 'Product Build', 1],
    ['in HTML', '# <img src="https://a.b/l.svg" alt="Logo"> Product\n\nText', 'Logo Product', 1],
    ['several', '# ![A](https://a.b/1.svg) ![B](https://a.b/2.svg) C\n\nText', 'A B C', 2],
    ['none', '# Product\n\nText', 'Product', undefined],
  ])('keeps pictures as the first blocks of the page: %s', (_name, markdown, title, pictures) => {
    const [found, text] = read(markdown);
    expect(found).toBe(title);
    expect(parseMarkdown(markdown, { context: 'page' }).picturesInTitle).toBe(pictures);
    const shown = text.split('\n\n');
    expect(shown.at(-1)).toBe('Text');
    expect(shown.length).toBe(1 + (pictures ?? 0));
    for (const one of shown.slice(0, -1)) expect(one).toContain('https://a.b/');
  });

  it('keeps every other heading of the first level', () => {
    expect(read('# A\n\n# B\n\ntext\n\n# C')).toEqual(['A', '## B\n\ntext\n\n## C']);
  });
});
