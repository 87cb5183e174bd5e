import { describe, expect, it } from '@jest/globals';
import { boundedTest } from './bounded-regex.js';

const test = (regex: RegExp): ((text: string) => boolean) => boundedTest(regex, () => new Error('too long'));

describe('a regular expression of somebody else', () => {
  it.each([
    [/^a/, 'abc', true],
    [/b+$/, 'abb', true],
    [/a.*b.*c/, 'a--b--c', true],
    [/a.*b.*c/, 'a--c--b', false],
    [/(x|y)+z{2,}/, 'xyxyzz', true],
    [/\*\+\{/, '*+{', true],
  ])('finds what it shall: %s in %s', (regex, text, found) => {
    expect(test(regex)(text)).toBe(found);
  });

  it('is stopped when it would not end', () => {
    expect(() => test(/^(a+)+$/)(`${'a'.repeat(40)}!`)).toThrow('too long');
    expect(() => test(/.*x/)('y'.repeat(1_000_000))).toThrow('too long');
    expect(test(/^(a+)+$/)('aaaa')).toBe(true);
  });
});
