import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  hash,
  parseMarkdown,
  toMarkdown,
  toPlainText,
  validate,
  type Block,
  type Fragment,
  type Inline,
  type Node,
  type RichDocument,
} from '../index.js';
import { documents, runs, SEED } from '../test/arbitraries.js';
import { show } from '../test/show.js';
import { block, fragment, inline, paragraph, text, voidBlock } from './build.js';
import { KNOWN_BLOCKS, TEXT_INLINES, VOID_INLINES } from './content.js';

const documentOf = (...nodes: Node[]): RichDocument => ({ object: 'document', data: {}, nodes: nodes as Block[] });
const shown = (...nodes: Node[]): string =>
  validate(documentOf(...nodes))
    .nodes.map(show)
    .join(' ');

describe('nodes where they may not stand', () => {
  it.each<[string, Node, string]>([
    [
      'text in an emoji',
      paragraph([inline('emoji', { code: '1f604' }, [text('x')]), text('y')]),
      'paragraph(emoji{"code":"1f604"}() "x" "y")',
    ],
    [
      'an empty text in an emoji',
      paragraph([inline('emoji', { code: '1f604' }, [text('')])]),
      'paragraph(emoji{"code":"1f604"}(""))',
    ],
    [
      'a block nobody knows in a divider',
      block('divider', {}, [block('hologram', {}, [text('x')])]),
      'divider() hologram("x")',
    ],
    ['a block nobody knows in a hint', block('hint', {}, [block('hologram', {}, [text('x')])]), 'hint(hologram("x"))'],
    [
      'a part of a whole in an inline between blocks',
      inline('emoji', { code: '1f604' }, [block('column', {}, [paragraph([text('x')])]) as Node as Inline]),
      'paragraph(emoji{"code":"1f604"}()) columns(column(paragraph("x")))',
    ],
  ])('move or stay: %s', (_, node, expected) => expect(shown(node)).toBe(expected));

  it('are written also where only some blocks are expected', () => {
    const image = voidBlock('image', { ref: { kind: 'file', file: 'f' } }, [
      fragment('caption', [paragraph([text('one')]), block('hologram', {}, [paragraph([text('two')])])]),
    ]);
    const document = validate(documentOf(block('images', {}, [image, block('hologram', {}, [text('three')])])));
    expect(toMarkdown(document)).toBe(
      '<figure><img src="/files/f" alt=""><figcaption><p>one<br>two</p></figcaption></figure>\n\n<!-- unsupported: hologram -->\n\nthree\n',
    );
  });
});

describe('names that every object has', () => {
  const NAMES = ['constructor', 'toString', 'hasOwnProperty'];

  it('are as unknown as others, as types of blocks', () => {
    for (const name of NAMES)
      expect(shown(block('paragraph', {}, [text('a'), block(name, {}, [text('b')])]))).toBe(
        shown(block('paragraph', {}, [text('a'), block('hologram', {}, [text('b')])])).replace('hologram', name),
      );
  });

  it('are names of columns, in which a record may have nothing', () => {
    const called = (name: string): RichDocument => {
      const definition = { [name]: { id: name, title: 'A', type: 'text' }, b: { id: 'b', title: 'B', type: 'text' } };
      return validate(
        documentOf(
          voidBlock('table', {
            view: { type: 'grid', columns: [name, 'b'] },
            definition,
            records: { r: { orderIndex: '0', values: { b: 'x' } } },
          }),
        ),
      );
    };
    for (const document of NAMES.map(called)) {
      expect(toMarkdown(document)).toBe('| A | B |\n| - | - |\n| | x |\n');
      expect(toPlainText(document)).toBe(toPlainText(called('a')));
      expect(hash(document, { keys: false })).toBe(hash(called('a'), { keys: false }));
    }
  });

  it('are settings that nobody knows', () => {
    for (const name of NAMES) {
      expect(parseMarkdown(`{% hint style="${name}" %}\na\n{% endhint %}`).document.nodes[0]?.data).toEqual({
        style: 'info',
      });
      expect(toMarkdown(validate(documentOf(paragraph([text('a')], { align: name }))))).toBe('a\n');
    }
  });
});

const part = (name: { fragment?: string; type?: string }, word: string): Fragment => ({
  object: 'fragment',
  ...name,
  nodes: [paragraph([text(word)])],
});
const tableOf = (...fragments: Fragment[]): Block =>
  voidBlock(
    'table',
    {
      view: { type: 'grid', columns: ['a'] },
      definition: { a: { id: 'a', title: 'A', type: 'text' } },
      records: { r: { orderIndex: '0', values: { a: 'cell' } } },
    },
    fragments,
  );
const strange: Inline = {
  object: 'inline',
  type: 'strange',
  isVoid: false,
  data: {},
  nodes: [text('two words')],
  fragments: [part({ type: 'aside' }, 'w')],
};

describe('fragments', () => {
  const inTable = (fragments: Fragment[]): string =>
    validate(documentOf(tableOf(...fragments)))
      .nodes.map((node) =>
        node.type === 'table' ? `table(${(node.fragments ?? []).map(show).join(' ')})` : show(node),
      )
      .join(' ');

  it('go by their type where nothing else names a place', () => {
    const expandable = voidBlock('expandable', {}, [
      part({ type: 'expandable-title' }, 't'),
      part({ fragment: 'body-1', type: 'expandable-body' }, 'b'),
    ]);
    expect(shown(expandable)).toBe('expandable(#expandable-title(paragraph("t")) #expandable-body(paragraph("b")))');
    expect(toMarkdown(validate(documentOf(expandable)))).toBe('<details>\n\n<summary>t</summary>\n\nb\n\n</details>\n');
    expect(inTable([part({ type: 'cell' }, 'x')])).toBe('table(#cell(paragraph("x")))');
  });

  it('that no place shows move behind', () => {
    const images = block('images', {}, [
      voidBlock('image', { ref: { kind: 'file', file: 'f' } }, [part({ fragment: 'legend' }, 'x')]),
    ]);
    expect(shown(images)).toBe('images(image{"ref":{"kind":"file","file":"f"}}()) paragraph("x")');
    expect(shown(voidBlock('divider', {}, [part({}, 'x')]))).toBe('divider() paragraph("x")');
    expect(
      inTable([
        part({ fragment: 'cell' }, 'old'),
        part({ fragment: 'cell' }, 'new'),
        part({ fragment: 'other' }, 'x'),
        part({ fragment: 'empty' }, ''),
      ]),
    ).toBe('table(#cell(paragraph("new"))) paragraph("old") paragraph("x")');
    expect(
      shown(
        paragraph([
          { ...inline('link', { ref: { kind: 'page', page: 'p' } }, [text('l')]), fragments: [part({}, 'x')] },
        ]),
      ),
    ).toBe('paragraph(link{"ref":{"kind":"page","page":"p"}}("l")) paragraph("x")');
  });

  it('of inlines nobody knows are written as notes', () => {
    expect(toMarkdown(validate(documentOf(paragraph([strange]))))).toBe(
      '<!-- unsupported: strange --><span data-footnote="1">two words</span>\n\n[^1]: w\n',
    );
  });

  it('are all shown in any node', () => {
    const types = [...KNOWN_BLOCKS, 'hologram'].map((type): Node => block(type, {}, []));
    const inlines = [...TEXT_INLINES, ...VOID_INLINES, 'strange'].map((type): Node =>
      paragraph([text('a '), inline(type, {}, [])]),
    );
    for (const node of [...types, ...inlines]) {
      const holder = (node.object === 'block' && node.nodes?.at(-1)) || node;
      for (const name of ['caption', 'strange', 'annotation-body'])
        Object.assign(holder, { fragments: [part({ type: name }, 'inserted')] });
      const valid = validate(documentOf(node));
      for (const each of [valid, parseMarkdown(toMarkdown(valid)).document])
        expect([node.object === 'text' || node.type, toPlainText(each)]).toEqual([
          expect.anything(),
          expect.stringContaining('inserted'),
        ]);
    }
  });
});

const types = fc.constantFrom(...KNOWN_BLOCKS, 'hologram');
const inlineTypes = fc.constantFrom(...TEXT_INLINES, ...VOID_INLINES, 'strange');
const addition = fc.record({
  kind: fc.constantFrom('text', 'block', 'inline'),
  type: types,
  inlineType: inlineTypes,
  deep: fc.boolean(),
  at: fc.nat(1000),
  place: fc.nat(5),
});

/** Every list of nodes under a node, those inside unknown ones excepted: they stay as they are. */
function listsIn(node: RichDocument | Node | Fragment): Node[][] {
  if (node.object === 'text' || ('type' in node && (node.type === 'hologram' || node.type === 'strange'))) return [];
  const children: Node[] = node.nodes ?? [];
  const parts = 'fragments' in node ? (node.fragments ?? []) : [];
  return [...(node.nodes ? [children] : []), ...[...children, ...parts].flatMap(listsIn)];
}

/** A document with nodes put anywhere into it, and the words in them. */
const misplaced = fc
  .tuple(documents, fc.array(addition, { minLength: 1, maxLength: 4 }))
  .map(([document, additions]): [RichDocument, string[]] => {
    const copy = structuredClone(document);
    const words = additions.map(({ kind, type, inlineType, deep, at, place }, i) => {
      const word = `inserted${i}`;
      const content: Node[] = deep ? [paragraph([text(word)])] : [text(word)];
      const lists = listsIn(copy);
      // What arrives as JSON may hold a block inside an inline, whatever the type says.
      const node =
        kind === 'text'
          ? text(word)
          : kind === 'block'
            ? block(type, {}, content)
            : inline(inlineType, {}, content as Inline[]);
      lists[at % lists.length]?.splice(place, 0, node);
      return word;
    });
    return [copy, words];
  });

describe(`generated documents with nodes put anywhere (seed ${SEED})`, () => {
  it('keep each of them once: valid, as text and as markdown', () => {
    fc.assert(
      fc.property(misplaced, ([document, words]) => {
        const valid = validate(document);
        const markdown = toMarkdown(valid);
        const again = parseMarkdown(markdown).document;
        for (const word of words)
          for (const each of [valid, again])
            expect([word, toPlainText(each).split(word).length - 1]).toEqual([word, 1]);
        expect(validate(valid)).toEqual(valid);
        const written = toMarkdown(again);
        expect(toMarkdown(parseMarkdown(written).document)).toBe(written);
      }),
      { numRuns: runs(80) },
    );
  });
});
