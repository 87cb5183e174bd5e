import type { Dictionary } from '../space-indexes/dictionary.js';
import { matchesOf, type Matches, type Wanted } from './query.js';

/** What stands for the words of a query in a dictionary. */
export interface Matching {
  /** For each word of the query, what stands for it. */
  wanted: readonly Matches[];
  /** For each word of the dictionary, a bit for each word of the query that it stands for. */
  marks: Uint32Array;
  /** Whether a word of a text is one of those that were found. */
  isFound: (word: string) => boolean;
}

/** Finds the words of a dictionary that stand for the words of one query. */
export type Matcher = (dictionary: Dictionary, isTolerant: boolean) => Matching;

/**
 * A matcher that caches its result for each dictionary, as spaces share dictionaries. It matches again when a
 * dictionary has grown.
 */
export function matcherOf(words: readonly Wanted[]): Matcher {
  const cache = new Map<Dictionary, Map<boolean, Matching>>();
  return (dictionary, isTolerant) => {
    const before = cache.get(dictionary)?.get(isTolerant);
    if (before?.marks.length === dictionary.size()) return before;
    const matching = match(words, dictionary, isTolerant);
    const both = cache.get(dictionary) ?? new Map<boolean, Matching>();
    cache.set(dictionary, both.set(isTolerant, matching));
    return matching;
  };
}

function match(words: readonly Wanted[], dictionary: Dictionary, isTolerant: boolean): Matching {
  const wanted = words.map((word) => matchesOf(dictionary, word, isTolerant));
  const marks = new Uint32Array(dictionary.size());
  for (const [index, matches] of wanted.entries())
    for (const number of matches.keys()) marks[number] = (marks[number] ?? 0) | (1 << index);
  const isFound = (word: string): boolean => {
    const number = dictionary.numberOf(word);
    return number !== undefined && wanted.some((matches) => matches.has(number));
  };
  return { wanted, marks, isFound };
}
