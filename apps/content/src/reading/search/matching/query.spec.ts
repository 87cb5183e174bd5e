import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDictionary } from '../space-indexes/dictionary.js';
import { isOneEditAway, matchesOf, wantedWords } from './query.js';
import { stemOf } from '../space-indexes/stemmers.js';

describe('the words of a query', () => {
  it('are different ones, of which the last may be a beginning', () => {
    expect(wantedWords('Red apples red')).toEqual([
      { text: 'red', isBeginning: true },
      { text: 'apples', isBeginning: false },
    ]);
    expect(wantedWords('日本 x')).toEqual([
      { text: '日本', isBeginning: false },
      { text: 'x', isBeginning: true },
    ]);
    expect(wantedWords('語 x')[0]).toEqual({ text: '語', isBeginning: true });
    expect(wantedWords('! ?')).toEqual([]);
  });

  it('are at most 32', () => {
    expect(wantedWords(Array.from({ length: 100 }, (_, n) => `w${n}`).join(' '))).toHaveLength(32);
  });
});

describe('a word of a query', () => {
  const dictionary = createDictionary(stemOf('en'));
  const numbers = Object.fromEntries(
    ['install', 'installed', 'installplan', 'instill', 'über'].map((word) => [word, dictionary.add(word)]),
  );
  const found = (text: string, isBeginning = false, isTolerant = false) => {
    const matches = matchesOf(dictionary, { text, isBeginning }, isTolerant);
    return Object.fromEntries(
      Object.entries(numbers).flatMap(([word, number]) => (matches.has(number) ? [[word, matches.get(number)]] : [])),
    );
  };

  it('stands for words with the same stem, for those that it begins, and for those that are nearly the same', () => {
    expect(found('installing')).toEqual({ install: 10, installed: 10 });
    expect(found('installp', true)).toEqual({ installplan: 6 });
    expect(found('install', false, true)).toEqual({ install: 10, installed: 10, instill: 5 });
    expect(found('uber')).toEqual({ über: 10 });
    expect(found('ubar', false, true)).toEqual({});
  });
});

describe('one edit', () => {
  it('is one letter more, less or other', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 }),
        (a, b) => {
          expect(isOneEditAway(a, b)).toBe(distance(a, b) === 1);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(1), b.slice(1)];
  return a[0] === b[0] ? distance(x, y) : 1 + Math.min(distance(x, b), distance(a, y), distance(x, y));
}
