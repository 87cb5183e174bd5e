import { describe, expect, it } from '@jest/globals';
import { block, fragment, paragraph, text, voidBlock } from '../model/build.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { show } from '../test/show.js';
import { merge } from './merge.js';
import { mergeOwn, sameOwn, type OwnMerge } from './own.js';
import { newWork } from './work.js';

const words = (value: string, data: Data = {}): Block => paragraph([text(value)], data);
const keyed = (key: string, node: Block): Block => ({ ...node, key });
const hint = (data: Data, ...nodes: Block[]): Block => block('hint', data, nodes);

/** A table of records of one text cell and one number; the text of a cell may be an array of paragraphs. */
function table(records: { [id: string]: [cell: string | string[], value: Json] }, data: Data = {}): Block {
  const parts = Object.entries(records).map(([id, [cell]]) =>
    fragment(
      `cell-${id}`,
      [cell].flat().map((line, i) => keyed(`${id}${i}`, words(line))),
    ),
  );
  return voidBlock(
    'table',
    {
      records: Object.fromEntries<Json>(
        Object.entries(records).map(([id, [, value]]) => [
          id,
          { orderIndex: id, values: { text: `cell-${id}`, number: value } },
        ]),
      ),
      ...data,
    },
    parts,
  );
}

const merged = (base: Block | undefined, ours: Block, theirs: Block): OwnMerge =>
  mergeOwn(base, ours, theirs, newWork(), merge);

describe('a block without the blocks in it', () => {
  it.each<[string, Block, Block, boolean]>([
    ['keys and meta', { ...keyed('a', words('x')), meta: { n: 1 } }, keyed('b', words('x')), true],
    ['blocks inside', hint({ style: 'info' }, words('x')), hint({ style: 'info' }, words('y'), words('z')), true],
    ['properties', hint({ style: 'info' }), hint({ style: 'danger' }), false],
    ['text', words('x'), words('y'), false],
    ['types', block('heading-1', {}, [text('x')]), words('x'), false],
    ['keys in cells', table({ a: ['x', 1] }), table({ a: ['x', 1] }), true],
    ['texts of cells', table({ a: ['x', 1] }), table({ a: ['y', 1] }), false],
    ['values of cells', table({ a: ['x', 1] }), table({ a: ['x', 2] }), false],
    [
      'fragments of other blocks',
      voidBlock('file', {}, [fragment('caption', [words('x')])]),
      voidBlock('file', {}, [fragment('caption', [words('y')])]),
      true,
    ],
    ['tables without records', voidBlock('table', { records: [] }), voidBlock('table', {}), false],
    [
      'tables of odd records',
      voidBlock('table', { records: { a: 1, b: { values: 'none' } } }),
      voidBlock('table', { records: { a: 1, b: { values: 'none' } } }),
      true,
    ],
  ])('%s', (_name, a, b, expected) => {
    expect(sameOwn(a, b)).toBe(expected);
    expect(sameOwn(b, a)).toBe(expected);
  });

  it('is the same as itself', () => {
    const node = words('x');
    expect(sameOwn(node, node)).toBe(true);
  });
});

describe('the merge of one block', () => {
  it.each<[string, Block | undefined, Block, Block, Block]>([
    ['that one side changed', words('x'), words('y'), words('x'), words('y')],
    ['that the other changed', words('x'), words('x'), words('y'), words('y')],
    ['that both changed alike', words('x'), words('y'), words('y'), words('y')],
    ['that both made alike', undefined, words('y'), words('y'), words('y')],
    ['by words', words('one two three'), words('1 two three'), words('one two 3'), words('1 two 3')],
    [
      'by properties',
      hint({ style: 'info' }),
      hint({ style: 'danger' }),
      hint({ style: 'info', icon: 'x' }),
      hint({ style: 'danger', icon: 'x' }),
    ],
    ['by text and properties', words('x'), words('y'), words('x', { align: 'end' }), words('y', { align: 'end' })],
    [
      'by type and text',
      words('one two'),
      block('heading-1', {}, [text('one two')]),
      words('one 2'),
      block('heading-1', {}, [text('one 2')]),
    ],
    [
      'by type of the other side',
      words('one two'),
      words('one 2'),
      block('heading-1', {}, [text('one two')]),
      block('heading-1', {}, [text('one 2')]),
    ],
    [
      'by the properties both gave it',
      undefined,
      hint({ style: 'info' }),
      hint({ icon: 'x' }),
      hint({ style: 'info', icon: 'x' }),
    ],
  ])('%s', (_name, base, ours, theirs, expected) =>
    expect(merged(base, ours, theirs)).toEqual({ block: expected, conflict: false }),
  );

  it.each<[string, Block | undefined, Block, Block]>([
    ['the same words', words('x'), words('y'), words('z')],
    ['the same property', hint({ style: 'info' }), hint({ style: 'danger' }), hint({ style: 'success' })],
    ['the type', words('x'), block('heading-1', {}, [text('x')]), block('heading-2', {}, [text('x')])],
    ['the same cell', table({ a: ['x', 1] }), table({ a: ['y', 1] }), table({ a: ['z', 1] })],
    ['the same value', table({ a: ['x', 1] }), table({ a: ['x', 2] }), table({ a: ['x', 3] })],
  ])('stays ours where both changed %s', (_name, base, ours, theirs) =>
    expect(merged(base, ours, theirs)).toEqual({ block: ours, conflict: true }),
  );

  it('keeps a record that one side removed and the other changed', () => {
    const [base, removed, edited] = [
      table({ a: ['x', 1], b: ['y', 1] }),
      table({ a: ['x', 1] }),
      table({ a: ['x', 1], b: ['z', 1] }),
    ];
    for (const [ours, theirs] of [
      [removed, edited],
      [edited, removed],
    ] as const)
      expect(merged(base, ours, theirs)).toEqual({ block: edited, conflict: true });
  });

  it('keeps the sort keys of records that are in that order, and numbers the others', () => {
    const sorted = (ids: { [id: string]: string }, data: Data = {}): Block =>
      voidBlock('table', {
        records: Object.fromEntries<Json>(
          Object.entries(ids).map(([id, orderIndex]) => [id, { orderIndex, values: {} }]),
        ),
        ...data,
      });
    const indexes = (base: Block, ours: Block, theirs: Block): Json[] => {
      const { records } = merged(base, ours, theirs).block.data as { records: { [id: string]: { orderIndex: Json } } };
      return Object.entries(records)
        .map(([id, { orderIndex }]) => `${id} ${JSON.stringify(orderIndex)}`)
        .sort();
    };
    expect(indexes(sorted({ a: 'm' }), sorted({ a: 'm', b: 'p' }), sorted({ a: 'm' }, { view: 1 }))).toEqual([
      'a "m"',
      'b "p"',
    ]);
    expect(
      indexes(sorted({ a: 'm', b: 'n' }), sorted({ a: 'o', b: 'p' }, { view: 1 }), sorted({ a: 'm', b: 'n', c: 'q' })),
    ).toEqual(['a "o"', 'b "p"', 'c "q"']);
    expect(indexes(sorted({ a: 'm' }), sorted({ x: 'k', a: 'm' }), sorted({ y: 'k', a: 'm' }))).toEqual([
      'a "000002"',
      'x "000000"',
      'y "000001"',
    ]);
    expect(indexes(sorted({ a: 'm' }), sorted({ x: 'k', a: 'l' }), sorted({ a: 'n', y: 'o' }))).toEqual([
      'a "000001"',
      'x "000000"',
      'y "000002"',
    ]);
  });

  it('keeps the blocks it holds, and gets no text when it has none', () => {
    const { block: result } = merged(
      hint({ style: 'info' }),
      hint({ style: 'danger' }, words('x')),
      hint({ style: 'info', icon: 'x' }),
    );
    expect(show(result)).toBe('hint{"style":"danger","icon":"x"}(paragraph("x"))');
  });
});

describe('the merge of a table', () => {
  const base = table({ a: ['one', 1], b: ['two', 2] });

  it.each<[string, Block, Block, Block]>([
    [
      'cells of different records',
      table({ a: ['1', 1], b: ['two', 2] }),
      table({ a: ['one', 1], b: ['2', 2] }),
      table({ a: ['1', 1], b: ['2', 2] }),
    ],
    [
      'a cell and a value of one record',
      table({ a: ['1', 1], b: ['two', 2] }),
      table({ a: ['one', 5], b: ['two', 2] }),
      table({ a: ['1', 5], b: ['two', 2] }),
    ],
    [
      'new records of both',
      table({ a: ['one', 1], b: ['two', 2], c: ['c', 3] }),
      table({ a: ['one', 1], b: ['two', 2], d: ['d', 4] }),
      table({ a: ['one', 1], b: ['two', 2], c: ['c', 3], d: ['d', 4] }),
    ],
    ['a record that went', table({ b: ['two', 2] }), table({ a: ['one', 1], b: ['2', 2] }), table({ b: ['2', 2] })],
    [
      'blocks of one cell',
      table({ a: [['one', 'more'], 1], b: ['two', 2] }),
      table({ a: ['1', 1], b: ['two', 2] }),
      table({ a: [['1', 'more'], 1], b: ['two', 2] }),
    ],
    [
      'its options',
      table({ a: ['1', 1], b: ['two', 2] }),
      table({ a: ['one', 1], b: ['two', 2] }, { fullWidth: true }),
      table({ a: ['1', 1], b: ['two', 2] }, { fullWidth: true }),
    ],
  ])('takes %s', (_name, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toEqual({ block: expected, conflict: false });
    expect(merged(base, theirs, ours)).toEqual({ block: expected, conflict: false });
  });

  it('has the cells of both sides if both added the table', () => {
    expect(merged(undefined, table({ a: ['one', 1] }), table({ b: ['two', 2] }))).toEqual({
      block: base,
      conflict: false,
    });
    expect(merged(undefined, table({ a: [['one'], 1] }), table({ a: [['one', 'two'], 1] }))).toEqual({
      block: table({ a: [['one', 'two'], 1] }),
      conflict: false,
    });
  });

  it('goes by properties if the table has no records, or invalid ones', () => {
    const odd = (data: Data): Block => voidBlock('table', { records: { a: 1, b: { values: null } }, ...data });
    expect(merged(odd({}), odd({ search: false }), odd({ fullWidth: true })).block.data).toEqual(
      odd({ search: false, fullWidth: true }).data,
    );
    expect(
      merged(voidBlock('table', {}), voidBlock('table', { search: false }), voidBlock('table', { fullWidth: true }))
        .block.data,
    ).toEqual({ search: false, fullWidth: true });
  });
});
