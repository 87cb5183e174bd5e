import { describe, expect, it } from '@jest/globals';
import { type Json } from '../model/types.js';
import { mergeJson } from './json-merge.js';

type Values = [base: Json | undefined, ours: Json | undefined, theirs: Json | undefined];

describe('values that one side changed', () => {
  it.each<[...Values, Json | undefined]>([
    [1, 2, 1, 2],
    [1, 1, 2, 2],
    [1, 2, 2, 2],
    [1, undefined, 1, undefined],
    [1, 1, undefined, undefined],
    [undefined, undefined, undefined, undefined],
    [undefined, 1, undefined, 1],
    [{ a: 1 }, { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, {}, { a: 1 }, {}],
    [['a', 'a'], ['a'], ['a', 'a'], ['a']],
  ])('%j, %j, %j', (base, ours, theirs, expected) =>
    expect(mergeJson(base, ours, theirs)).toEqual({ value: expected, conflict: false }),
  );
});

describe('values that both changed', () => {
  it.each<[...Values, Json]>([
    [
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 3, c: 4 },
      { a: 2, b: 3, c: 4 },
    ],
    [{ a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, { a: { b: 1, c: 2 } }, { a: { b: 2, c: 2 } }],
    [{ a: 1, b: 1 }, { b: 1 }, { a: 1 }, {}],
    [undefined, { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [['x'], { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [['a', 'b'], ['a', 'b', 'c'], ['b'], ['b', 'c']],
    [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['a', 'b', 'c', 'd'],
      ['c', 'a', 'b', 'd'],
    ],
    [undefined, ['a'], ['b'], ['a', 'b']],
    [{ a: 1 }, ['a'], ['b'], ['a', 'b']],
  ])('both count: %j, %j, %j', (base, ours, theirs, expected) =>
    expect(mergeJson(base, ours, theirs)).toEqual({ value: expected, conflict: false }),
  );

  it.each<[...Values, Json]>([
    [1, 2, 3, 2],
    [1, undefined, 2, 2],
    [1, 2, undefined, 2],
    [{ a: 1 }, {}, { a: 2 }, { a: 2 }],
    [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 3, b: 1 },
      { a: 2, b: 2 },
    ],
    [{}, { a: 1 }, ['a'], { a: 1 }],
    [{}, ['a'], { a: 1 }, ['a']],
    [null, { a: 1 }, 'text', { a: 1 }],
    [{}, null, { a: 1 }, null],
    [[1], [1, 2], [1, 3], [1, 2]],
    [[], ['a', 'a'], ['b'], ['a', 'a']],
    [[], ['a'], ['b', 'b'], ['a']],
    [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
    ],
  ])('exclude each other: %j, %j, %j', (base, ours, theirs, expected) =>
    expect(mergeJson(base, ours, theirs)).toEqual({ value: expected, conflict: true }),
  );

  it('can have names that every object has a property of', () => {
    const [base, ours, theirs] = [
      { constructor: 'x', a: 1, b: 1 },
      { constructor: 'x', a: 2, b: 1 },
      { a: 1, b: 2 },
    ];
    expect(mergeJson(base, ours, theirs)).toEqual({ value: { a: 2, b: 2 }, conflict: false });
    expect(mergeJson({ a: 1 }, { toString: 'x', a: 2 }, { toString: 'y', a: 1 })).toEqual({
      value: { toString: 'x', a: 2 },
      conflict: true,
    });
  });

  it('are given to the caller first, who can merge them', () => {
    const sum = (_base: Json | undefined, ours: Json, theirs: Json): Json | null | undefined =>
      typeof ours !== 'number' || typeof theirs !== 'number' ? undefined : ours < 0 ? null : ours + theirs;
    expect(mergeJson(1, 2, 3, sum)).toEqual({ value: 5, conflict: false });
    expect(mergeJson({ a: 1 }, { a: -2 }, { a: 3 }, sum)).toEqual({ value: { a: -2 }, conflict: true });
    expect(mergeJson({ a: 1 }, { a: 2 }, { a: 3, b: 4 }, sum)).toEqual({ value: { a: 5, b: 4 }, conflict: false });
    expect(mergeJson('a', 'b', 'c', sum)).toEqual({ value: 'b', conflict: true });
  });
});
