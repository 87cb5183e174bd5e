import { describe, expect, it } from '@jest/globals';
import { longestIncreasing, mergeOrder } from './order.js';

describe('a longest increasing run', () => {
  it.each<[number[], number[]]>([
    [[], []],
    [[7], [0]],
    [
      [1, 2, 3],
      [0, 1, 2],
    ],
    [[3, 2, 1], [2]],
    [
      [3, 1, 2, 5, 4],
      [1, 2, 4],
    ],
    [
      [5, 6, 7, 1, 2, 8],
      [0, 1, 2, 5],
    ],
    [
      [2, 2, 3],
      [1, 2],
    ],
    [
      [1, 9, 2, 8, 3, 7, 4],
      [0, 2, 4, 6],
    ],
  ])('of %j stands at %j', (values, expected) => expect([...longestIncreasing(values)].sort()).toEqual(expected));
});

describe('two orders of one list', () => {
  const list = (text: string): string[] => [...text];
  /** Both ways round, which must not matter where there is no conflict; '!' at the end for one. */
  const merged = (base: string, ours: string, theirs: string, members: string): string => {
    const [one, two] = [
      mergeOrder(list(base), list(ours), list(theirs), new Set(members)),
      mergeOrder(list(base), list(theirs), list(ours), new Set(members)),
    ];
    if (one.conflict) expect(two).toEqual({ order: list(theirs), conflict: true });
    else expect(two).toEqual(one);
    return one.order.join('') + (one.conflict ? '!' : '');
  };

  it.each([
    ['one moved', 'abc', 'cab', 'abc', 'abc', 'cab'],
    ['both moved alike', 'abc', 'cab', 'cab', 'abc', 'cab'],
    ['both moved differently', 'abc', 'cab', 'bca', 'abc', 'cab!'],
    ['one added where the other moved', 'abc', 'axbc', 'caby', 'abcxy', 'caxby'],
    ['both added at one place', 'a', 'axy', 'auv', 'auvxy', 'auvxy'],
    ['both added at the start', 'a', 'xa', 'ua', 'aux', 'uxa'],
    ['both added the same', 'ab', 'axb', 'axb', 'abx', 'axb'],
    ['both added the same in another order', 'a', 'axy', 'ayx', 'axy', 'axy'],
    ['one removed what the other moved', 'abc', 'ab', 'cab', 'ab', 'ab'],
    ['one removed an item that stays', 'abc', 'ac', 'abc', 'abc', 'abc'],
    ['additions behind an item that went', 'abc', 'abxc', 'ac', 'acx', 'axc'],
    ['an item of neither', 'ab', 'ab', 'ba', 'abzy', 'bayz'],
    ['nothing', '', '', '', '', ''],
    ['additions to nothing', '', 'xy', 'ab', 'abxy', 'abxy'],
  ])('%s: %s, %s, %s', (_name, base, ours, theirs, members, expected) =>
    expect(merged(base, ours, theirs, members)).toBe(expected),
  );

  it('can have more additions behind one item than a call can have arguments', () => {
    const many = ['a', ...Array.from({ length: 200_000 }, (_, i) => `b${i}`)];
    expect(mergeOrder(['a'], many, ['a', 'c'], new Set([...many, 'c'])).order).toHaveLength(many.length + 1);
  });
});
