import { folded } from '../../analysis/index.js';

/** The words of a space by number. Words that no page has any more keep theirs, and then stand for nothing. */
export interface Dictionary {
  /** The number of a word, which it gets if it has none. */
  add(word: string): number;
  /** The number of a word; `undefined` for one that is unknown. */
  numberOf(word: string): number | undefined;
  /** The words with the same stem as this one, which may be unknown itself. */
  withStemOf(word: string): readonly number[];
  /** Calls `visit` with every word in its form without marks. */
  forEach(visit: (plain: string, number: number) => void): void;
  size(): number;
  /** About how much memory it takes. */
  bytes(): number;
}

const bytesOfWord = 150;

/** An empty dictionary. `stem`: what words of the language are compared by. */
export function createDictionary(stem: (word: string) => string): Dictionary {
  const numbers = new Map<string, number>();
  const plain: string[] = [];
  const stems = new Map<string, number[]>();
  let length = 0;
  return {
    add(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = plain.length;
      numbers.set(word, number);
      plain.push(folded(word));
      length += word.length;
      const key = stem(word);
      const same = stems.get(key);
      if (same === undefined) stems.set(key, [number]);
      else same.push(number);
      return number;
    },
    numberOf: (word) => numbers.get(word),
    withStemOf: (word) => stems.get(stem(word)) ?? [],
    forEach: (visit) => plain.forEach(visit),
    size: () => plain.length,
    bytes: () => plain.length * bytesOfWord + length * 4,
  };
}
