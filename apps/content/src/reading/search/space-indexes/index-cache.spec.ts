import { describe, expect, it } from '@jest/globals';
import { IndexCache } from './index-cache.js';
import { emptyIndex, putPage, type SpaceIndex } from './space-index.js';

const of = { organization: 'o', language: 'en' };
const times = { createdAt: '', updatedAt: '' };

function indexOf(cache: IndexCache, titles: readonly string[], whose = of): SpaceIndex {
  const index = emptyIndex('pool', whose.language, '', cache.dictionaryFor(whose));
  for (const title of titles) putPage(index, { id: title, type: 'document', title, order: 'a', ...times }, undefined);
  return index;
}

function put(cache: IndexCache, space: string, titles: readonly string[], whose = of): SpaceIndex {
  const index = indexOf(cache, titles, whose);
  cache.put(space, index, { ...whose, words: index.dictionary.size() });
  return index;
}

const words = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `word${from + n}`);

describe('cached indexes', () => {
  it('share a dictionary in an organization and language, which counts once', () => {
    const cache = new IndexCache(1e9);
    const [a, b] = [put(cache, 'a', ['One', 'Two']), put(cache, 'b', ['Two', 'Three'])];
    expect([a.dictionary === b.dictionary, a.dictionary.size()]).toEqual([true, 3]);
    for (const whose of [
      { ...of, organization: 'p' },
      { ...of, language: 'de' },
    ])
      expect(put(cache, whose.language, ['One'], whose).dictionary).not.toBe(a.dictionary);
    const bytes = cache.bytes();
    put(cache, 'c', ['Two', 'Three']);
    const more = cache.bytes() - bytes;
    cache.drop('c');
    expect([cache.bytes(), more > 0]).toEqual([bytes, true]);
    for (const space of ['a', 'b', 'en', 'de']) cache.drop(space);
    expect(cache.bytes()).toBe(0);
    expect(cache.dictionaryFor(of).size()).toBe(0);
  });

  it('are dropped when there is no room, those that were used longest ago first, and one that has no room alone', () => {
    const one = new IndexCache(1e9);
    put(one, 'a', words(0, 10));
    const cache = new IndexCache(one.bytes() * 2.5);
    for (const space of ['a', 'b']) put(cache, space, words(0, 10), { ...of, organization: space });
    expect(cache.get('a', { ...of, organization: 'a' })).toBeDefined();
    put(cache, 'c', words(0, 10), { ...of, organization: 'c' });
    const there = ['a', 'b', 'c'].filter((space) => cache.get(space, { ...of, organization: space }) !== undefined);
    expect(there).toEqual(['a', 'c']);
    put(cache, 'd', words(0, 100));
    expect([cache.get('d', of), cache.bytes()]).toEqual([undefined, 0]);
  });

  it('are not those of another organization or language', () => {
    const cache = new IndexCache(1e9);
    put(cache, 'a', ['One']);
    expect(cache.get('a', of)).toBeDefined();
    expect(cache.get('a', { ...of, organization: 'p' })).toBeUndefined();
    expect(cache.get('a', { ...of, language: null })).toBeUndefined();
  });

  it('get another dictionary when theirs has many words, and are outgrown when most of these are not theirs', () => {
    const cache = new IndexCache(1e9);
    const small = put(cache, 'small', words(0, 10));
    const large = put(cache, 'large', words(0, 100_001));
    expect(large.dictionary).toBe(small.dictionary);
    expect(cache.dictionaryFor(of)).not.toBe(small.dictionary);
    const outgrown = ['small', 'large'].map((space) => {
      const found = cache.get(space, of);
      return found !== undefined && cache.isOutgrown(found);
    });
    expect(outgrown).toEqual([true, false]);
  });
});
