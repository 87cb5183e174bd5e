import { describe, expect, it } from '@jest/globals';
import { formatTypes, parseTypes } from './wire.js';

describe('positions by type in a header', () => {
  it('are parsed to what was formatted', () => {
    const positions = new Map([
      ['TeamRenamed', 50n],
      ['MemberJoined', 9_007_199_254_740_993n],
    ]);
    expect(formatTypes(positions)).toBe('TeamRenamed=50,MemberJoined=9007199254740993');
    expect(parseTypes(formatTypes(positions))).toEqual(positions);
  });

  it.each([[undefined], [''], ['TeamRenamed'], ['=5'], ['TeamRenamed=-1'], ['TeamRenamed=x'], ['a b=1']])(
    'are empty for %j',
    (header) => expect(parseTypes(header)).toEqual(new Map()),
  );
});
