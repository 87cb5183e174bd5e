import { folded, wordsOf } from '../../analysis/index.js';
import type { Dictionary } from '../space-indexes/dictionary.js';

/** A word that is searched for. */
export interface Wanted {
  text: string;
  /** Whether it may be the beginning of a word. */
  isBeginning: boolean;
}

/** Further words of a query are passed over. */
const mostWords = 32;

/** The different words of a query. The last one, and single characters of scripts without blanks, may be beginnings. */
export function wantedWords(query: string): Wanted[] {
  const words = [...wordsOf(query)];
  const wanted = new Map<string, Wanted>();
  for (const [index, { text, isCharacter, start }] of words.entries()) {
    const before = words[index - 1];
    // The last character of what is written without blanks is in the pair before it.
    if (isCharacter && before !== undefined && before.end > start) continue;
    const isBeginning = isCharacter || index === words.length - 1 || (wanted.get(text)?.isBeginning ?? false);
    wanted.set(text, { text, isBeginning });
  }
  return [...wanted.values()].slice(0, mostWords);
}

/** The words of a space that stand for one that is searched for, each with what it counts, in tenths. */
export type Matches = ReadonlyMap<number, number>;

/** Whole numbers, so that sums do not depend on their order. */
const counted = { exact: 10, beginning: 6, mistyped: 5 } as const;
/** Shorter words are other words when one letter differs. */
const shortestTolerant = 5;

/**
 * The words of a space that a search finds for a word: those with the same stem, those that it begins if it may be a
 * beginning, and those that differ by one edit if the search is tolerant.
 */
export function matchesOf(dictionary: Dictionary, { text, isBeginning }: Wanted, isTolerant: boolean): Matches {
  const plain = folded(text);
  const mayDiffer = isTolerant && [...plain].length >= shortestTolerant;
  const found = new Map<number, number>();
  dictionary.forEach((word, number) => {
    if (word === plain) found.set(number, counted.exact);
    else if (isBeginning && word.startsWith(plain)) found.set(number, counted.beginning);
    else if (mayDiffer && isOneEditAway(word, plain)) found.set(number, counted.mistyped);
  });
  for (const number of dictionary.withStemOf(text)) found.set(number, counted.exact);
  return found;
}

/** Whether one letter more, less or other makes one word of the other. */
export function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1 || short === long) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = short.length === long.length ? same + 1 : same;
  return short.slice(rest) === long.slice(same + 1);
}
