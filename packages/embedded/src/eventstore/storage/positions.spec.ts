import { describe, expect, it } from '@jest/globals';
import { decodePositions, encodePositions } from './positions.js';
import { applyMetadata, decodeHead, encodeHead, newHead, DELETED_TB } from './stream-head.js';

describe('what the index keeps', () => {
  it.each([
    [[]],
    [[0]],
    [[40]],
    [[0, 0, 127, 128, 0, 16_383, 16_384]],
    [[2 ** 47, 2 ** 48 - 1]],
    [Array.from({ length: 512 }, (_, i) => 1_000_000_000 + i * 331)],
  ])('gives positions back: %#', (positions) => {
    expect(decodePositions(encodePositions(positions))).toEqual(positions);
  });

  it('takes no position that does not follow', () => {
    expect(() => encodePositions([5, 5])).toThrow('5 does not follow 5');
    expect(() => encodePositions([5, 0, 4])).toThrow('4 does not follow 5');
  });

  it('needs two bytes for an event of the usual size', () => {
    expect(encodePositions(Array.from({ length: 100 }, (_, i) => 5_000_000 + i * 300))).toHaveLength(2 * 99 + 4);
  });

  it('gives heads back', () => {
    const head = { ...newHead('s', 7), last: -1, planned: -1 };
    const full = {
      ...newHead('t', 4_000_000_000),
      last: 2 ** 40,
      planned: 2 ** 40,
      tombstoned: true,
      truncateBefore: DELETED_TB,
      maxCount: 1,
      maxAge: 86_400_000,
    };
    const boundless = newHead('u', 8);
    applyMetadata(boundless, Buffer.from('{"$maxCount":1e400,"$maxAge":1e300,"$tb":1e400}'));
    for (const one of [head, full, boundless]) expect(decodeHead(one.name, encodeHead(one))).toEqual(one);
  });
});
