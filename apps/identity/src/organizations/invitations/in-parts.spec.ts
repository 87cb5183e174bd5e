import { describe, expect, it } from '@jest/globals';
import { inParts } from './in-parts.js';

const five = [1, 2, 3, 4, 5];

describe('work in parts', () => {
  it.each([
    ['all', 9, [[1, 2], [3, 4], [5]], []],
    [
      'what there is time for, and tells what is left',
      2,
      [
        [1, 2],
        [3, 4],
      ],
      [5],
    ],
    ['one part at least', 0, [[1, 2]], [3, 4, 5]],
  ])('does %s', async (_, most, parts, left) => {
    const done: number[][] = [];
    const work = (part: readonly number[]) => Promise.resolve(void done.push([...part]));
    const end = await inParts(five, { size: 2, isOver: () => done.length >= most, work });
    expect([done, end]).toEqual([parts, { done: parts.flat().length, left }]);
  });

  it('does nothing for nobody', async () => {
    const work = () => Promise.reject(new Error('unexpected'));
    expect(await inParts([], { size: 2, isOver: () => false, work })).toEqual({ done: 0, left: [] });
  });
});
