import { describe, expect, it } from '@jest/globals';
import { schemasThatFit } from './schemas-that-fit.js';

const schema = (key: string, length: number) => ({ key, length });
const keysOf = (blocks: { key: string }[][]) => blocks.map((schemas) => schemas.map(({ key }) => key));
const none: ReadonlySet<string> = new Set();

describe('the schemas that are read for blocks of a document', () => {
  it('are those of all blocks when there is room, each once', () => {
    const blocks = [[schema('a', 100), schema('b', 100)], [schema('b', 100)], [schema('c', 100)]];
    expect(keysOf(schemasThatFit(blocks, { given: none, left: 10_000 }))).toEqual([['a', 'b'], [], ['c']]);
  });

  it('are without those that the document has', () => {
    const blocks = [[schema('a', 100), schema('b', 100)]];
    expect(keysOf(schemasThatFit(blocks, { given: new Set(['a']), left: 10_000 }))).toEqual([['b']]);
  });

  it('are those of the blocks for which there is room, and of at least one', () => {
    const blocks = [[schema('a', 1_000)], [schema('b', 1_000)], [schema('c', 1_000)]];
    expect(keysOf(schemasThatFit(blocks, { given: none, left: 8_000 }))).toEqual([['a'], ['b']]);
    expect(keysOf(schemasThatFit(blocks, { given: none, left: 1_000 }))).toEqual([['a']]);
  });

  it('are none of a block for which there is surely no room', () => {
    const blocks = [[schema('a', 2_000)], [schema('b', 100)]];
    expect(keysOf(schemasThatFit(blocks, { given: none, left: 1_000 }))).toEqual([[]]);
    expect(keysOf(schemasThatFit(blocks, { given: none, left: -1 }))).toEqual([[]]);
    expect(keysOf(schemasThatFit(blocks.toReversed(), { given: none, left: 1_000 }))).toEqual([['b']]);
  });
});
