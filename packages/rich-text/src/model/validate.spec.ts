import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseMarkdown, toMarkdown, toPlainText, validate, type Block, type Fragment, type Inline, type Node, type RichDocument } from '../index.js';
import { documents, runs, SEED } from '../test/arbitraries.js';
import { show } from '../test/show.js';
import { block, fragment, inline, paragraph, text, voidBlock } from './build.js';
import { KNOWN_BLOCKS, TEXT_INLINES, VOID_INLINES } from './content.js';

const documentOf = (...nodes: Node[]): RichDocument => ({ object: 'document', data: {}, nodes: nodes as Block[] });
const shown = (...nodes: Node[]): string => validate(documentOf(...nodes)).nodes.map(show).join(' ');

describe('nodes where they may not stand', () => {
  it.each<[string, Node, string]>([
    ['text in an emoji', paragraph([inline('emoji', { code: '1f604' }, [text('x')]), text('y')]), 'paragraph(emoji{"code":"1f604"}() "x" "y")'],
    ['an empty text in an emoji', paragraph([inline('emoji', { code: '1f604' }, [text('')])]), 'paragraph(emoji{"code":"1f604"}(""))'],
    ['a block nobody knows in a divider', block('divider', {}, [block('hologram', {}, [text('x')])]), 'divider() hologram("x")'],
    ['a block nobody knows in a hint', block('hint', {}, [block('hologram', {}, [text('x')])]), 'hint(hologram("x"))'],
  ])('move or stay: %s', (_, node, expected) => expect(shown(node)).toBe(expected));

  it('are written also where only some blocks are expected', () => {
    const image = voidBlock('image', { ref: { kind: 'file', file: 'f' } }, [fragment('caption', [paragraph([text('one')]), block('hologram', {}, [paragraph([text('two')])])])]);
    const document = validate(documentOf(block('images', {}, [image, block('hologram', {}, [text('three')])])));
    expect(toMarkdown(document)).toBe('<figure><img src="/files/f" alt=""><figcaption><p>one<br>two</p></figcaption></figure>\n\n<!-- unsupported: hologram -->\n\nthree\n');
  });
});

const types = fc.constantFrom(...KNOWN_BLOCKS, 'hologram');
const inlineTypes = fc.constantFrom(...TEXT_INLINES, ...VOID_INLINES, 'strange');
const addition = fc.record({ kind: fc.constantFrom('text', 'block', 'inline'), type: types, inlineType: inlineTypes, deep: fc.boolean(), at: fc.nat(1000), place: fc.nat(5) });

/** Every list of nodes under a node, those inside unknown ones excepted: they stay as they are. */
function listsIn(node: RichDocument | Node | Fragment): Node[][] {
  if (node.object === 'text' || ('type' in node && (node.type === 'hologram' || node.type === 'strange'))) return [];
  const children: Node[] = node.nodes ?? [];
  const parts = 'fragments' in node ? (node.fragments ?? []) : [];
  return [...(node.nodes ? [children] : []), ...[...children, ...parts].flatMap(listsIn)];
}

/** A document with nodes put anywhere into it, and the words in them. */
const misplaced = fc.tuple(documents, fc.array(addition, { minLength: 1, maxLength: 4 })).map(([document, additions]): [RichDocument, string[]] => {
  const copy = structuredClone(document);
  const words = additions.map(({ kind, type, inlineType, deep, at, place }, i) => {
    const word = `inserted${i}`;
    const content: Node[] = deep ? [paragraph([text(word)])] : [text(word)];
    const lists = listsIn(copy);
    // What arrives as JSON may hold a block inside an inline, whatever the type says.
    const node = kind === 'text' ? text(word) : kind === 'block' ? block(type, {}, content) : inline(inlineType, {}, content as Inline[]);
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
        for (const word of words) for (const each of [valid, again]) expect([word, toPlainText(each).split(word).length - 1]).toEqual([word, 1]);
        expect(validate(valid)).toEqual(valid);
        const written = toMarkdown(again);
        expect(toMarkdown(parseMarkdown(written).document)).toBe(written);
      }),
      { numRuns: runs(80) },
    );
  });
});
