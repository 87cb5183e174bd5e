import { createDictionary, type Dictionary } from './dictionary.js';
import { bytesOf, type SpaceIndex } from './space-index.js';
import { stemOf } from './stemmers.js';

/** Words up to which a dictionary is given to further spaces: each search looks at all of them. */
const mostWords = 100_000;
/** One with more than those, and so many times the words that it had for an index, stands for much that no page has any more. */
const outgrownBy = 3;
/** Dictionaries that no index uses, of indexes that are being made, up to which none of them is forgotten. */
const mostUnused = 1_000;

/** Whose spaces share a dictionary. */
interface DictionaryOf {
  organization: string;
  language: string | null;
}

/** An index that is kept. */
interface Kept extends DictionaryOf {
  index: SpaceIndex;
  /** Words of its dictionary when it was made. */
  words: number;
  /** What it is searched with, but for its dictionary. */
  bytes: number;
}

/**
 * Indexes of spaces, of which those that were used longest ago are dropped when the memory is used up. The spaces of an organization in
 * one language share a dictionary, as they mostly have the same words. It counts once, as long as one of them is kept.
 */
export class KeptIndexes {
  /** Those that were used longest ago come first. */
  readonly #kept = new Map<string, Kept>();
  readonly #users = new Map<Dictionary, number>();
  /** The dictionaries that are given to further spaces. */
  readonly #open = new Map<string, Dictionary>();
  #bytes = 0;

  /** `most`: bytes that they may take. */
  constructor(private readonly most: number) {}

  /** The index of a space, if it has the dictionary of these. */
  get(space: string, of: DictionaryOf): Omit<Kept, 'bytes'> | undefined {
    const kept = this.#kept.get(space);
    if (kept === undefined || keyOf(kept) !== keyOf(of)) return undefined;
    this.#kept.delete(space);
    this.#kept.set(space, kept);
    return kept;
  }

  /** Keeps an index. `words`: how many its dictionary had when it was made. */
  put(space: string, index: SpaceIndex, { words, ...of }: DictionaryOf & { words: number }): void {
    this.drop(space);
    const { dictionary } = index;
    const bytes = bytesOf(index);
    this.#kept.set(space, { ...of, index, words, bytes });
    this.#bytes += bytes;
    this.#users.set(dictionary, (this.#users.get(dictionary) ?? 0) + 1);
    if (dictionary.size() <= mostWords && !this.#open.has(keyOf(of))) this.#open.set(keyOf(of), dictionary);
    for (const oldest of this.#kept.keys()) {
      if (this.bytes() <= this.most) break;
      this.drop(oldest);
    }
  }

  drop(space: string): void {
    const kept = this.#kept.get(space);
    if (kept === undefined) return;
    this.#kept.delete(space);
    this.#bytes -= kept.bytes;
    const { dictionary } = kept.index;
    const users = (this.#users.get(dictionary) ?? 0) - 1;
    if (users > 0) this.#users.set(dictionary, users);
    else this.#forget(dictionary);
  }

  /** Whether an index should be made anew, with another dictionary. */
  isOutgrown({ index: { dictionary }, words }: Pick<Kept, 'index' | 'words'>): boolean {
    return dictionary.size() > Math.max(mostWords, words * outgrownBy);
  }

  /** The dictionary for an index that is made. */
  dictionaryFor(of: DictionaryOf): Dictionary {
    const open = this.#open.get(keyOf(of));
    if (open !== undefined && open.size() <= mostWords) return open;
    if (this.#open.size > this.#users.size + mostUnused)
      for (const [key, dictionary] of this.#open) if (!this.#users.has(dictionary)) this.#open.delete(key);
    const dictionary = createDictionary(stemOf(of.language));
    this.#open.set(keyOf(of), dictionary);
    return dictionary;
  }

  /** About how much memory all of them take. */
  bytes(): number {
    let bytes = this.#bytes;
    for (const dictionary of this.#users.keys()) bytes += dictionary.bytes();
    return bytes;
  }

  #forget(dictionary: Dictionary): void {
    this.#users.delete(dictionary);
    for (const [key, open] of this.#open) if (open === dictionary) this.#open.delete(key);
  }
}

function keyOf({ organization, language }: DictionaryOf): string {
  return `${organization} ${language ?? ''}`;
}
