import { describe, expect, it } from '@jest/globals';
import { resultsToDrop, type ListedResult } from './results-to-drop.js';

const space = 'main';
const many = (count: number, of: Partial<ListedResult>): ListedResult[] =>
  Array.from({ length: count }, (_, at) => {
    const source = of.source ?? 's';
    return { source, branch: space, isComputed: true, ...of, _id: `${source} ${of.branch ?? space} ${at}` };
  });
const [main] = many(1, { source: 'kept' });

describe('the results of a space that are dropped', () => {
  it('are those beyond four of a source on a branch, and no newer ones of other branches count', () => {
    const requests = ['r1', 'r2', 'r3'].flatMap((branch) => many(5, { source: 'kept', branch }));
    const dropped = resultsToDrop(space, [...requests, ...(main ? [main] : [])]);
    expect(dropped).toEqual(['kept r1 4', 'kept r2 4', 'kept r3 4']);
  });

  it('are not results because of what was not computed', () => {
    const failed = many(10, { source: 'kept', branch: 'r', isComputed: false });
    expect(resultsToDrop(space, [...failed, ...(main ? [main] : [])])).toEqual(['kept r 8', 'kept r 9']);
  });

  it('are what the main content shows only after all others, and never more than 500 stay', () => {
    const requests = Array.from({ length: 600 }, (_, at) => many(1, { branch: `r${at}` })).flat();
    const dropped = resultsToDrop(space, [...requests, ...(main ? [main] : [])]);
    expect(dropped).toHaveLength(101);
    expect(dropped).not.toContain(main?._id);
    const shown = Array.from({ length: 502 }, (_, at) => many(1, { source: `s${at}` })).flat();
    expect(resultsToDrop(space, shown)).toEqual(['s500 main 0', 's501 main 0']);
  });
});
