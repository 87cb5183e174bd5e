import { describe, expect, it } from '@jest/globals';
import { KeptIndexes } from './kept-indexes.js';
import { emptyIndex, putPage, type SpaceIndex } from './space-index.js';

const of = { organization: 'o', language: 'en' };
const times = { createdAt: '', updatedAt: '' };

function indexOf(kept: KeptIndexes, titles: readonly string[], whose = of): SpaceIndex {
  const index = emptyIndex('pool', whose.language, '', kept.dictionaryFor(whose));
  for (const title of titles) putPage(index, { id: title, type: 'document', title, order: 'a', ...times }, undefined);
  return index;
}

function keep(kept: KeptIndexes, space: string, titles: readonly string[], whose = of): SpaceIndex {
  const index = indexOf(kept, titles, whose);
  kept.put(space, index, { ...whose, words: index.dictionary.size() });
  return index;
}

const words = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `word${from + n}`);

describe('indexes that are kept', () => {
  it('share a dictionary in an organization and language, which counts once', () => {
    const kept = new KeptIndexes(1e9);
    const [a, b] = [keep(kept, 'a', ['One', 'Two']), keep(kept, 'b', ['Two', 'Three'])];
    expect([a.dictionary === b.dictionary, a.dictionary.size()]).toEqual([true, 3]);
    for (const whose of [
      { ...of, organization: 'p' },
      { ...of, language: 'de' },
    ])
      expect(keep(kept, whose.language, ['One'], whose).dictionary).not.toBe(a.dictionary);
    const bytes = kept.bytes();
    keep(kept, 'c', ['Two', 'Three']);
    const more = kept.bytes() - bytes;
    kept.drop('c');
    expect([kept.bytes(), more > 0]).toEqual([bytes, true]);
    for (const space of ['a', 'b', 'en', 'de']) kept.drop(space);
    expect(kept.bytes()).toBe(0);
    expect(kept.dictionaryFor(of).size()).toBe(0);
  });

  it('are dropped when there is no room, those that were used longest ago first, and one that has no room alone', () => {
    const one = new KeptIndexes(1e9);
    keep(one, 'a', words(0, 10));
    const kept = new KeptIndexes(one.bytes() * 2.5);
    for (const space of ['a', 'b']) keep(kept, space, words(0, 10), { ...of, organization: space });
    expect(kept.get('a', { ...of, organization: 'a' })).toBeDefined();
    keep(kept, 'c', words(0, 10), { ...of, organization: 'c' });
    const there = ['a', 'b', 'c'].filter((space) => kept.get(space, { ...of, organization: space }) !== undefined);
    expect(there).toEqual(['a', 'c']);
    keep(kept, 'd', words(0, 100));
    expect([kept.get('d', of), kept.bytes()]).toEqual([undefined, 0]);
  });

  it('are not those of another organization or language', () => {
    const kept = new KeptIndexes(1e9);
    keep(kept, 'a', ['One']);
    expect(kept.get('a', of)).toBeDefined();
    expect(kept.get('a', { ...of, organization: 'p' })).toBeUndefined();
    expect(kept.get('a', { ...of, language: null })).toBeUndefined();
  });

  it('get another dictionary when theirs has many words, and are outgrown when most of these are not theirs', () => {
    const kept = new KeptIndexes(1e9);
    const small = keep(kept, 'small', words(0, 10));
    const large = keep(kept, 'large', words(0, 100_001));
    expect(large.dictionary).toBe(small.dictionary);
    expect(kept.dictionaryFor(of)).not.toBe(small.dictionary);
    const outgrown = ['small', 'large'].map((space) => {
      const found = kept.get(space, of);
      return found !== undefined && kept.isOutgrown(found);
    });
    expect(outgrown).toEqual([true, false]);
  });
});
