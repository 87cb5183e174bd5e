import { describe, expect, it } from '@jest/globals';
import { align, type Comparison } from './align.js';
import { between, inOrder, onlyOnce } from './in-order.js';
import { bagOf, similarity } from './alike.js';
import { newWork, type Work } from './work.js';

/** An item with its place, written `kind:some words` or only words. */
type Item = { at: number; text: string };
const itemsOf = (...texts: string[]): Item[] => texts.map((text, at) => ({ at, text }));
const kindOf = ({ text }: Item): string => (text.includes(':') ? (text.split(':')[0] ?? '') : '');

const comparison = (elsewhere: string[] = []): Comparison<Item> => ({
  signature: (item) => item.text,
  words: (item) => bagOf(item.text.replace(/^\w+:/, '').split(' ')),
  names: [({ text }) => /^\w+=/.exec(text)?.[0]],
  sameKind: (a, b) => kindOf(a) === kindOf(b),
  isElsewhere: (old) => elsewhere.includes(old.text),
});

/** For each new item the place of its old one, `-` without one. */
function aligned(
  olds: string[],
  news: string[],
  { elsewhere, work = newWork() }: { elsewhere?: string[]; work?: Work } = {},
): string {
  const [now, old] = [itemsOf(...news), itemsOf(...olds)];
  const partners = align(now, old, comparison(elsewhere), work);
  return now.map((item) => partners.get(item)?.at ?? '-').join(' ');
}

describe('the alignment of two lists', () => {
  it.each<[string, string[], string[], string]>([
    ['nothing', [], [], ''],
    ['all new', [], ['a', 'b'], '- -'],
    ['the same', ['a', 'b', 'c'], ['a', 'b', 'c'], '0 1 2'],
    ['one added', ['a', 'b'], ['a', 'x', 'b'], '0 - 1'],
    ['one removed', ['a', 'b', 'c'], ['a', 'c'], '0 2'],
    ['one moved', ['a', 'b', 'c'], ['c', 'a', 'b'], '2 0 1'],
    ['all turned round', ['a', 'b', 'c'], ['c', 'b', 'a'], '2 1 0'],
    ['equal ones, one more', ['a', 'a'], ['a', 'a', 'a'], '0 1 -'],
    ['equal ones, one less', ['a', 'a', 'a'], ['a', 'a'], '0 1'],
    ['equal ones by what stands before them', ['p', 'x', 'q', 'x'], ['q', 'x', 'p', 'x'], '2 3 0 1'],
    ['equal ones that stay', ['x', 'p', 'x', 'q', 'x', 'r'], ['x', 'r', 'x', 'q', 'x', 'p'], '0 5 2 3 4 1'],
    ['equal ones by what stands behind them', ['p', 'x', 'x', 'q'], ['x', 'q', 'x', 'p'], '2 3 1 0'],
    [
      'equal ones of which one was edited',
      ['p', 'e !', 'r', 'q', 'e !', 's'],
      ['p', 'e of p !', 'r', 'z', 'e !', 'y', 'q', 'e !', 's'],
      '0 1 2 - - - 3 4 5',
    ],
    ['one edited in its place', ['a', 'one two three', 'c'], ['a', 'one two four', 'c'], '0 1 2'],
    ['two edited, each like its own', ['one two three', 'four five six'], ['four five x', 'one two y'], '1 0'],
    ['the most alike first', ['one two three four'], ['one two x y', 'one two three y'], '- 0'],
    ['the nearest of those as alike', ['one x', 'one y'], ['one z', 'one w'], '0 1'],
    ['one moved and edited', ['a', 'b', 'one two three'], ['one two four', 'a', 'b'], '2 0 1'],
    ['one half alike', ['a', 'one two', 'b', 'c'], ['one three', 'a', 'b', 'c'], '1 0 2 3'],
    ['less than half alike, elsewhere', ['a', 'one two three', 'b', 'c'], ['one four five', 'a', 'b', 'c'], '- 0 2 3'],
    ['rewritten in its place', ['a', 'old', 'b'], ['a', 'new', 'b'], '0 1 2'],
    ['rewritten at the ends', ['old', 'a', 'past'], ['new', 'a', 'next'], '0 1 2'],
    ['rewritten, one of two', ['a', 'old', 'b'], ['a', 'new', 'newer', 'b'], '0 1 - 2'],
    ['rewritten as another kind', ['a', 'p:old', 'b'], ['a', 'q:old', 'b'], '0 - 2'],
    ['rewritten beside one that stays alike', ['b', 'one two three'], ['one two four', 'new'], '1 -'],
    ['gone and new, at two sides of what was found', ['a', 'b', 'c', 'd e f'], ['c', 'a', 'd e g', 'n'], '2 0 3 -'],
    ['rewritten, kind by kind', ['p:a', 'q:b'], ['q:c', 'p:d'], '1 0'],
  ])('%s', (_name, olds, news, expected) => expect(aligned(olds, news)).toBe(expected));

  it('matches items by a name that each list has once', () => {
    expect(aligned(['a=no yes', 'b=no yes', 'c=x'], ['z=no yes', 'b=no no', 'a=soon', 'c=x'])).toBe('- 1 0 2');
    expect(aligned(['a=no yes', 'a=one two'], ['a=one three', 'a=no no'])).toBe('1 0');
  });

  it('does not match an old item that now stands elsewhere', () => {
    expect(aligned(['a', 'old', 'b'], ['a', 'new', 'b'], { elsewhere: ['old'] })).toBe('0 - 2');
    expect(aligned(['a', 'one two', 'b'], ['a', 'one three', 'b'], { elsewhere: ['one two'] })).toBe('0 1 2');
  });

  it('compares only neighbours in very long lists, and nothing when the work is used up', () => {
    const olds = Array.from({ length: 120 }, (_, i) => `w${i} v${i} old`);
    const news = olds.map((text) => text.replace('old', 'new'));
    expect(aligned(olds, news)).toBe(news.map((_, i) => i).join(' '));
    expect(aligned(olds, [...news.slice(3), 'z', 'z', 'z'])).toBe(
      [...news.slice(3).map((_, i) => i + 3), '- - -'].join(' '),
    );
    const work = { pairs: 0 };
    expect(aligned(['one two', 'three four'], ['three x', 'one y'], { work })).toBe('0 1');
    expect(work.pairs).toBe(0);
  });

  it('looks for a neighbour among at most a hundred equal items', () => {
    const olds = [...Array.from({ length: 101 }, () => ['x', 'x']).flat(), 'p', 'x'];
    expect(aligned(['q', ...olds], ['p', 'x', 'q'])).toBe('203 1 0');
  });
});

describe('the pairs of equal items in order', () => {
  const pairs = (olds: string, news: string, work = newWork()): string =>
    inOrder([...news], [...olds], work)
      .map(([now, old]) => `${now}${old}`)
      .join(' ');

  it.each([
    ['', '', ''],
    ['abc', 'abc', '00 11 22'],
    ['abc', 'xabyc', '10 21 42'],
    ['aa', 'aaa', '00 11'],
    ['xax', 'xbx', '00 22'],
    ['xyxy', 'yxyx', '10 21 32'],
    ['AeaBeb', 'ZezAeaBeb', '30 41 52 63 74 85'],
    ['AeaBeb', 'BebAea', '30 41 52'],
    ['xxyxx', 'xxzzxx', '00 11 43 54'],
  ])('of %j in %j', (olds, news, expected) => expect(pairs(olds, news)).toBe(expected));

  it('end where the work is used up', () => {
    expect(pairs('axb', 'ayb', { pairs: 5 })).toBe('00 22');
    expect(pairs('axcyb', 'azcwb', { pairs: 10 })).toBe('00 22 44');
    expect(pairs('qaxaxq', 'qxaxaq', { pairs: 12 })).toBe('00 55');
  });

  it('have ranges between them', () => {
    expect(between([[1, 2]], { now: 0, nowEnd: 3, old: 0, oldEnd: 5 })).toEqual([
      { now: 0, nowEnd: 1, old: 0, oldEnd: 2 },
      { now: 2, nowEnd: 3, old: 3, oldEnd: 5 },
    ]);
    expect(between([], { now: 1, nowEnd: 3, old: 2, oldEnd: 5 })).toEqual([{ now: 1, nowEnd: 3, old: 2, oldEnd: 5 }]);
  });

  it('are made of items that each list has once before repeated ones', () =>
    expect([...onlyOnce(['a', 'b', 'a', 'c', 'a'])]).toEqual([
      ['b', 1],
      ['c', 3],
    ]));
});

describe('the similarity of words', () => {
  it.each<[string[], string[], number]>([
    [[], [], 1],
    [[], ['a'], 0],
    [['a'], [], 0],
    [['a', 'b'], ['b', 'c'], 0.5],
    [['a', 'a', 'b'], ['a'], 0.5],
    [['a', 'a'], ['a', 'a', 'c', 'd'], 2 / 3],
  ])('%j and %j', (a, b, expected) => expect(similarity(bagOf(a), bagOf(b))).toBe(expected));
});
