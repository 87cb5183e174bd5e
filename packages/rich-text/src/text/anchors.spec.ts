import { describe, expect, it } from '@jest/globals';
import {
  anchors,
  derivedIds,
  foreignAnchors,
  hash,
  outline,
  parseMarkdown,
  resolveAnchor,
  toMarkdown,
  type RichDocument,
} from '../index.js';

const read = (markdown: string): RichDocument => parseMarkdown(markdown).document;
const content = (document: RichDocument): string => hash(document, { keys: false });
const idsOf = (markdown: string): string[] => outline(read(markdown)).map(({ id }) => id);

describe('the anchor of a link', () => {
  it.each([
    ['Step 1. Do it', ['step-1.-do-it', 'step-1-do-it']],
    ["What's new", ['whats-new', 'what-s-new', "what's-new"]],
    ['2.0 release', ['2.0-release', '20-release']],
    ['snake_case', ['snake_case', 'snake-case']],
    ['A & B', ['a--b', 'a-b']],
    ['Été', ['été', '%C3%A9t%C3%A9', 'ete', 'e%CC%81te%CC%81']],
    ['안녕하세요 세계', ['안녕하세요-세계']],
    ['はじめに（概要）', ['はじめに概要', 'はじめに-概要']],
    ['`config.set()` – usage', ['configset--usage', 'config.set-usage', 'Config-Set-Usage']],
  ])('names a heading, whoever made its id: %s', (title, links) => {
    const ids = anchors(read(`# Before\n\n# ${title}\n\n# After`));
    expect(links.map((link) => resolveAnchor(link, ids))).toEqual(links.map(() => ids[1]));
  });

  it('is the same id where there is one, also beside others that differ in punctuation alone', () => {
    const ids = ['a-b', 'ab', 'a_b'];
    expect(['ab', 'a_b', 'a.b', 'x', '--', '%'].map((link) => resolveAnchor(link, ids))).toEqual([
      'ab',
      'a_b',
      'a-b',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is what other products make of a heading', () => {
    expect(foreignAnchors("What's new in 2.0?")).toEqual(['whats-new-in-20', 'what-s-new-in-2.0']);
    expect(foreignAnchors('A & B')).toEqual(['a--b', 'a-b']);
    expect(foreignAnchors('!!!')).toEqual([]);
  });
});

describe('the id of a heading', () => {
  it.each([
    ['## Set up {#install}', 'install', 'Set up'],
    ['## Set up {/* #install */}', 'install', 'Set up'],
    ['## Set up {: #install }', 'install', 'Set up'],
    ['## `code` {#in-code}', 'in-code', 'code'],
    ['## Set up {#Install}', 'install', 'Set up'],
    ['## Set up{#install} ##', 'install', 'Set up'],
    ['## Set up \\{#install}', 'set-up-install', 'Set up {#install}'],
    ['## Set up {install}', 'set-up-install', 'Set up {install}'],
    ['## Set up <a id="In_Stall"></a>', 'in_stall', 'Set up'],
  ])('stands behind it: %s', (markdown, id, title) => {
    const document = read(markdown);
    expect(outline(document).map((heading) => [heading.id, heading.title])).toEqual([[id, title]]);
    expect(content(read(toMarkdown(document)))).toBe(content(document));
  });

  it('is no part of the title of a page', () => {
    expect(parseMarkdown('# Title {#top}\n\nText', { context: 'page' }).title).toBe('Title');
    const title = 'Title {#top}';
    expect(parseMarkdown(toMarkdown(read(''), { context: 'page', title }), { context: 'page' }).title).toBe(title);
  });

  it('is there once, given or not', () => {
    expect(idsOf('# A\n\n# A\n\n# B {#x}\n\n# C {#x}\n\n# X')).toEqual(['a', 'a-1', 'x', 'x-1', 'x-2']);
  });
});

describe('the id that the text of a heading makes', () => {
  it.each([
    ['behind the own one', '<a id="old"></a>\n\n### New Title', ['old', 'new-title']],
    ['once', '# A {#x}\n\n# A {#y}', ['x', 'a', 'y']],
    ['unless another heading has it', '# A {#x}\n\n# A', ['x', 'a']],
    ['unless another heading is called so', '# A {#x}\n\n# B {#a}', ['x', 'a', 'b']],
    ['unless an anchor has it', '# A {#x}\n\nWords <a id="a"></a>', ['x', 'a']],
    ['unless it is the own one', '# A {#a}', ['a']],
  ])('is there for links %s', (_name, markdown, ids) => {
    expect(anchors(read(markdown))).toEqual(ids);
  });

  it('is not that of the outline where there is an own one', () => {
    const document = read('<a id="old"></a>\n\n### New Title\n\n### Other');
    expect(outline(document).map(({ id }) => id)).toEqual(['old', 'other']);
    const [heading] = outline(document);
    expect([...derivedIds(document)]).toEqual([[heading?.key, 'new-title']]);
  });
});

describe('anchors in texts', () => {
  it.each([
    ['in a paragraph', 'Words <a id="x"></a>behind it', ['x']],
    ['around words', 'Words <a name="x">behind</a> it', ['x']],
    ['of a link', 'Words <a id="x" href="https://example.com">behind</a> it', ['x']],
    ['in an item', '* <a id="x"></a>one\n* two <a id="y"></a>', ['x', 'y']],
    ['in a cell', '| a |\n| - |\n| <a id="x"></a>b |', ['x']],
    ['before a table', '<a id="x"></a>\n\n| a |\n| - |\n| b |', ['x']],
    ['before a list', '<a id="x"></a>\n* one', ['x']],
    ['at the end', 'Words\n\n<a id="x"></a>', ['x']],
    ['before a heading that has an id', '<a id="x"></a>\n\n## A {#y}', ['y', 'a', 'x']],
    ['two before a heading', '<a id="x"></a><a id="y"></a>\n\n## A', ['x', 'a', 'y']],
    ['on both sides of a heading', '## <a id="x"></a>A <a id="y"></a>', ['y', 'a', 'x']],
    ['in a span', 'Words <span id="x"></span>behind it', ['x']],
  ])('are there for links: %s', (_name, markdown, ids) => {
    const document = read(markdown);
    expect(anchors(document)).toEqual(ids);
    const written = toMarkdown(document);
    expect(content(read(written))).toBe(content(document));
    expect(toMarkdown(read(written))).toBe(written);
  });

  it('say nothing themselves', () => {
    expect(toMarkdown(read('Words <a id="x"></a>behind'))).toBe('Words <a id="x"></a>behind\n');
    expect(outline(read('# A\n\n<a id="x"></a>words'))).toHaveLength(1);
  });
});
