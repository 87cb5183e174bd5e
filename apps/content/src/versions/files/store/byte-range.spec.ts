import { describe, expect, it } from '@jest/globals';
import { wantedBytes } from './byte-range.js';

describe('the bytes that a header asks for', () => {
  it.each([
    ['bytes=0-0', 10, { start: 0, end: 1 }],
    ['bytes=2-5', 10, { start: 2, end: 6 }],
    ['bytes=2-', 10, { start: 2, end: 10 }],
    ['bytes=2-99', 10, { start: 2, end: 10 }],
    ['bytes=-3', 10, { start: 7, end: 10 }],
    ['bytes=-99', 10, { start: 0, end: 10 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=10-12', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=5-2', 10, undefined],
    ['bytes=-', 10, undefined],
    ['bytes=0-1,4-5', 10, undefined],
    ['lines=0-1', 10, undefined],
    ['bytes=a-b', 10, undefined],
    [undefined, 10, undefined],
  ] as const)('%s of %i', (header, size, wanted) => {
    expect(wantedBytes(header, size)).toEqual(wanted);
  });
});
