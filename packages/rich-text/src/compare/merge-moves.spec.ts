import { describe, expect, it } from '@jest/globals';
import { type Block, type Fragment, type RichDocument } from '../model/types.js';
import { merge } from './merge.js';

const words = (key: string, value = key): Block => ({
  object: 'block',
  type: 'paragraph',
  key,
  isVoid: false,
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }],
});
const hint = (key: string, ...nodes: Block[]): Block => ({
  object: 'block',
  type: 'hint',
  key,
  isVoid: false,
  data: {},
  nodes,
});
const page = (...nodes: Block[]): RichDocument => ({ object: 'document', data: {}, nodes });
const title = (...nodes: Block[]): Fragment => ({ object: 'fragment', fragment: 'expandable-title', nodes });
const expandable = (fragments?: Fragment[]): Block => ({
  object: 'block',
  type: 'expandable',
  key: 'e',
  isVoid: true,
  data: {},
  ...(fragments && { fragments }),
});

/** Where each block ended up, and the conflicts. */
function placed(base: RichDocument, ours: RichDocument, theirs: RichDocument): { tree: string; conflicts: string[] } {
  const { document, conflicts } = merge(base, ours, theirs);
  const show = (block: Block): string => {
    const inside = (block.nodes ?? []).filter((node) => node.object === 'block');
    return (block.key ?? '') + (inside.length > 0 ? `(${inside.map(show).join(' ')})` : '');
  };
  return { tree: document.nodes.map(show).join(' '), conflicts: conflicts.map(({ kind, key }) => `${kind} ${key}`) };
}

describe('merge of moves between containers', () => {
  const base = page(words('x'), hint('a', words('p')), hint('b', words('q')));
  const intoA = page(hint('a', words('p'), words('x')), hint('b', words('q')));
  const intoB = page(hint('a', words('p')), hint('b', words('q'), words('x')));
  const elsewhere = page(words('x'), hint('a', words('p')), hint('b', words('q', 'changed')));

  it('keeps blocks where they are, whatever characters their keys have', () => {
    const odd = (text: string, other: string): RichDocument =>
      page(hint('a', words('a#1')), hint('a#b', words('p', text), words('q', other)), {
        ...expandable([title(words('t', other))]),
        key: 'a#b#c',
      });
    const { document, conflicts } = merge(odd('one', 'two'), odd('one more', 'two'), odd('one', 'two less'));
    expect({ document, conflicts }).toEqual({ document: odd('one more', 'two less'), conflicts: [] });
  });

  it('follows the side that moved, whichever it is', () => {
    expect(placed(base, intoA, elsewhere)).toEqual({ tree: 'a(p x) b(q)', conflicts: [] });
    expect(placed(base, elsewhere, intoA)).toEqual({ tree: 'a(p x) b(q)', conflicts: [] });
  });

  it('reports no conflict if both sides moved a block to the same place', () => {
    const also = page(hint('a', words('p'), words('x')), hint('b', words('q', 'changed')));
    expect(placed(base, intoA, also)).toEqual({ tree: 'a(p x) b(q)', conflicts: [] });
  });

  it('takes our place if both sides moved a block, and reports one conflict', () => {
    expect(placed(base, intoA, intoB)).toEqual({ tree: 'a(p x) b(q)', conflicts: ['move x'] });
    expect(placed(base, intoB, intoA)).toEqual({ tree: 'a(p) b(q x)', conflicts: ['move x'] });
  });

  it('keeps conflicts of several blocks, and of several kinds, apart', () => {
    const two = page(words('x'), words('y'), hint('a', words('p')), hint('b', words('q')));
    const ours = page(hint('a', words('p'), words('x', 'one'), words('y')), hint('b', words('q')));
    const theirs = page(hint('a', words('p')), hint('b', words('q'), words('x', 'two'), words('y')));
    expect(placed(two, ours, theirs).conflicts.sort()).toEqual(['edit x', 'move x', 'move y']);
  });

  it('puts a block whose new container was deleted at its old place, or at the top level', () => {
    const gone = page(words('x'), hint('b', words('q')));
    const { tree, conflicts } = placed(base, intoA, gone);
    expect(tree).toContain('x');
    expect(tree).toContain('b(q)');
    expect(conflicts.length).toBeGreaterThan(0);
  });

  it('empties a container whose last block moved away', () => {
    const away = page(words('x'), words('p'), hint('a'), hint('b', words('q')));
    const { document } = merge(base, away, elsewhere);
    expect(document.nodes[2]).toEqual(hint('a'));
  });
});

describe('merge of fragments', () => {
  const bare: Fragment = {
    object: 'fragment',
    fragment: 'caption',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'c', marks: [] }] }],
  };
  const base = page(words('x'), expandable([title(words('t'))]));

  it('keeps what only one side has, and gives no block fragments that had none', () => {
    const ours = page(words('x', 'ours'), expandable([title(words('t'))]));
    const theirs = page(words('x'), expandable([title(words('t', 'theirs'))]));
    expect(merge(base, ours, theirs).document).toEqual(
      page(words('x', 'ours'), expandable([title(words('t', 'theirs'))])),
    );
    const bare = page(words('x'), hint('a', words('p')));
    const { document } = merge(
      bare,
      page(words('x', 'one'), hint('a', words('p'))),
      page(words('x'), hint('a', words('p', 'two'))),
    );
    expect(document.nodes.map((node) => Object.hasOwn(node, 'fragments'))).toEqual([false, false]);
  });

  it('drops a fragment that one side removed and the other did not change', () => {
    const without = page(words('x'), expandable([]));
    const other = page(words('x', 'other'), expandable([title(words('t'))]));
    expect(merge(base, without, other).document.nodes[1]?.fragments).toEqual([]);
    expect(merge(base, other, without).document.nodes[1]?.fragments).toEqual([]);
  });

  it.each<[string, Fragment[], Fragment[], Fragment[]]>([
    ['new ones, also without blocks', [], [title()], [title()]],
    ['what neither touched, without blocks', [title()], [title()], [title()]],
    ['inline nodes', [bare], [bare], [bare]],
  ])('keeps %s', (_name, before, ours, expected) => {
    const one = page(words('x', 'ours'), expandable(ours));
    const other = page(words('x'), expandable(before), words('n'));
    const both = page(words('x'), expandable(before));
    expect(merge(both, one, other).document.nodes[1]?.fragments).toEqual(expected);
    expect(merge(both, other, one).document.nodes[1]?.fragments).toEqual(expected);
  });

  it('keeps those of a block that the other side deleted', () => {
    const before = page(words('x'), expandable([title()]));
    const edited = page(words('x'), { ...expandable([title()]), data: { defaultExpanded: true } });
    const { document, conflicts } = merge(before, edited, page(words('x', 'other')));
    expect(document.nodes[1]).toEqual(edited.nodes[1]);
    expect(conflicts.map(({ kind }) => kind)).toEqual(['delete']);
  });

  it('leaves an empty list of fragments empty', () => {
    const empty = page(words('x'), expandable([]));
    expect(
      merge(empty, page(words('x', 'one two'), expandable([])), page(words('x'), expandable([]), words('n'))).document
        .nodes[1]?.fragments,
    ).toEqual([]);
  });
});
