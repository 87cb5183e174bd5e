import { describe, expect, it } from '@jest/globals';
import { countsOf, countWords } from './analyse-document.js';
import { folded, wordsOf } from './words.js';

const words = (text: string) => [...wordsOf(text)].map((word) => word.text);

describe('the words of a text', () => {
  it.each([
    ['Hello, World! user_id v2.1', ['hello', 'world', 'user', 'id', 'v2', '1']],
    ['Straße ÜBER naïve', ['straße', 'über', 'naïve']],
    ['日本語', ['日本', '本語', '語']],
    ['設定 A4用', ['設定', '定', 'a4', '用']],
    ['ｶﾀｶﾅ ＡＢＣ', ['カタ', 'タカ', 'カナ', 'ナ', 'abc']],
    ['', []],
    ['!? --', []],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('tell where they stand', () => {
    const text = 'A “quoted” 語句.';
    expect([...wordsOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual(['A', 'quoted', '語句', '句']);
  });

  it('have at most 64 characters and no blanks', () => {
    expect(words('x'.repeat(100))).toEqual(['x'.repeat(64)]);
    // One character that stands for a phrase.
    expect(words('ﷺ').every((word) => !/\s/.test(word))).toBe(true);
  });

  it('are compared without the marks of Latin and Greek letters', () => {
    expect(['über', 'straße', 'άλφα', 'हिन्दी', 'plain'].map(folded)).toEqual([
      'uber',
      'strasse',
      'αλφα',
      'हिन्दी',
      'plain',
    ]);
  });

  it('are counted', () => {
    expect([...countsOf(countWords(['a b', 'b c b']))]).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 1],
    ]);
    expect([...countsOf(countWords([]))]).toEqual([]);
  });
});
