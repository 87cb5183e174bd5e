import { describe, expect, it } from '@jest/globals';
import {
  anchorOf,
  excerpt,
  links,
  outline,
  parseMarkdown,
  searchSections,
  toMarkdown,
  toPlainText,
  validate,
  type RichDocument,
} from '../index.js';

const read = (markdown: string): RichDocument => parseMarkdown(markdown).document;

describe('text', () => {
  it('lists headings with stable anchors', () => {
    const document = read('# Über uns!\n\n# Über uns\n\n## x <a href="#ueber-uns" id="uber-uns-1"></a>\n\n### 日本 語');
    expect(outline(document).map(({ id, level, title }) => [id, level, title])).toEqual([
      ['uber-uns', 1, 'Über uns!'],
      ['uber-uns-2', 1, 'Über uns'],
      ['uber-uns-1', 2, 'x'],
      ['日本-語', 3, '日本 語'],
    ]);
    expect(anchorOf('!!!')).toBe('section');
  });

  it('cuts pages into sections', () => {
    expect(
      searchSections(read('intro\n\n# A\n\none\n\n* two\n\n## B\n\nthree')).map(({ heading, text }) => [
        heading?.title ?? null,
        text,
      ]),
    ).toEqual([
      [null, 'intro'],
      ['A', 'one\ntwo'],
      ['B', 'three'],
    ]);
  });

  it('makes excerpts of whole words', () => {
    expect(excerpt(read('# Title\n\nsome words of a page that go on'), 20)).toBe('some words of a…');
    expect(excerpt(read('short'))).toBe('short');
    expect(excerpt(read('x😀😀😀😀'), 3).isWellFormed()).toBe(true);
  });

  it('gives everything a reader sees', () => {
    const text = toPlainText(
      read(
        'a **b**[^1] :smile: $$x$$\n\n| h |\n| - |\n| c |\n\n{% hint %}\nd\n{% endhint %}\n\n```\ne\n```\n\n[^1]: note',
      ),
    );
    expect(text).toBe('a b (note) 😄 x\n\nh\nc\n\nd\n\ne');
  });

  it('finds every reference with its node and relation', () => {
    const document = read(
      '[a](/pages/p) ![](/files/i) x\n\n{% include "/reusable-content/r" %}\n\n<table><thead><tr><th data-type="content-ref">R</th></tr></thead><tbody><tr><td><a href="/pages/q">q</a></td></tr></tbody></table>',
    );
    expect(links(document).map(({ type, ref, relation }) => [type, ref.kind, relation])).toEqual([
      ['link', 'page', 'reference'],
      ['inline-image', 'file', 'dependsOn'],
      ['reusable-content', 'reusable-content', 'dependsOn'],
      ['table', 'page', 'reference'],
    ]);
    expect(links(document).every(({ node }) => node.length === 12)).toBe(true);
  });

  it('depends on the pictures of tables', () => {
    const head =
      '<th data-hidden data-card-cover data-type="files">C</th><th data-type="image">I</th><th data-type="files">F</th>';
    const cells = ['c', 'i', 'f'].map((file) => `<td><a href="/files/${file}">${file}</a></td>`).join('');
    const found = links(
      read(`<table data-view="cards"><thead><tr>${head}</tr></thead><tbody><tr>${cells}</tr></tbody></table>`),
    );
    expect(found.map(({ ref, relation }) => [ref['file'], relation])).toEqual([
      ['c', 'dependsOn'],
      ['i', 'dependsOn'],
      ['f', 'reference'],
    ]);
  });

  it('finds the references of buttons and of typed cells that are text', () => {
    const document = read(
      '<a class="button primary" href="/pages/p">Go</a>\n\n<table><thead><tr><th data-type="content-ref">R</th></tr></thead><tbody><tr><td><a href="/pages/q">q</a> or <a href="/pages/r">r</a></td></tr></tbody></table>',
    );
    expect(links(document).map(({ type, property, ref }) => [type, property, ref])).toEqual([
      ['button', 'ref', { kind: 'page', page: 'p' }],
      ['link', 'ref', { kind: 'page', page: 'q' }],
      ['link', 'ref', { kind: 'page', page: 'r' }],
    ]);
    expect(toPlainText(document)).toBe('Go\n\nR\nq or r');
  });
});

describe('validate', () => {
  const text = (value: string): unknown => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
  const node = (type: string, nodes: unknown[]): unknown => ({ object: 'block', type, isVoid: false, data: {}, nodes });

  it('keeps unknown nodes as they are', () => {
    const strange = {
      object: 'block',
      type: 'hologram',
      key: 'k1',
      isVoid: false,
      data: { depth: 3 },
      nodes: [node('list-item', [text('x')])],
      extra: { a: 1 },
    };
    expect(validate({ object: 'document', data: { schemaVersion: 7 }, nodes: [strange] })).toMatchObject({
      data: { schemaVersion: 7 },
      nodes: [strange],
    });
  });

  it('writes unknown blocks as their text', () => {
    const document = validate({ object: 'document', nodes: [node('hologram', [node('paragraph', [text('inside')])])] });
    expect(toMarkdown(document)).toBe('<!-- unsupported: hologram -->\n\ninside\n');
  });

  it('moves misplaced children behind their parent, wraps parts, fills keys', () => {
    const tabs = node('tabs', [
      node('tabs-item', [node('paragraph', [text('t')])]),
      node('paragraph', [text('stray')]),
    ]);
    const document = validate({
      object: 'document',
      nodes: [node('hint', [tabs, node('paragraph', [text('h')])]), node('list-item', [text('loose')]), text('bare')],
    });
    expect(document.nodes.map(({ type }) => type)).toEqual(['hint', 'tabs', 'list-unordered', 'paragraph']);
    expect(toPlainText(document).split(/\n+/).sort()).toEqual(['bare', 'h', 'loose', 'stray', 't']);
    expect(document.nodes.every(({ key }) => /^[0-9A-Za-z]{12}$/.test(key ?? ''))).toBe(true);
  });

  it('replaces repeated keys and is idempotent', () => {
    const twice = { ...(node('paragraph', [text('a')]) as object), key: 'same' };
    const document = validate({ object: 'document', nodes: [twice, twice] });
    expect(new Set(document.nodes.map(({ key }) => key)).size).toBe(2);
    expect(validate(document)).toEqual(document);
  });
});
