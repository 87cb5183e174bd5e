import { createDictionary, type Dictionary } from './dictionary.js';
import { bytesOf, type SpaceIndex } from './space-index.js';
import { stemOf } from './stemmers.js';

/** A dictionary with more words is given to no further space, since each search looks at all of its words. */
const mostWords = 100_000;
/**
 * If a dictionary has more words than that, and this many times as many as when an index was made, then most of its
 * words are in no page of the index any more.
 */
const outgrownBy = 3;
/**
 * Dictionaries that no index uses yet, since their indexes are being made. Only when there are more are unused ones
 * dropped.
 */
const mostUnused = 1_000;

/** Whose spaces share a dictionary. */
interface DictionaryOf {
  organization: string;
  language: string | null;
}

interface CachedIndex extends DictionaryOf {
  index: SpaceIndex;
  /** Words of its dictionary when it was made. */
  words: number;
  /** What it is searched with, but for its dictionary. */
  bytes: number;
}

/**
 * A cache of the indexes of spaces. When its memory is used up, it drops the indexes that were used longest ago. The
 * spaces of an organization in one language share a dictionary, since they mostly have the same words. The dictionary
 * is counted once, while at least one index uses it.
 */
export class IndexCache {
  /** By space; the index that was used longest ago comes first. */
  readonly #indexes = new Map<string, CachedIndex>();
  readonly #users = new Map<Dictionary, number>();
  /** The dictionaries that are given to further spaces. */
  readonly #open = new Map<string, Dictionary>();
  #bytes = 0;

  /** `most`: bytes that all indexes may take. */
  constructor(private readonly most: number) {}

  /** The cached index of a space, if its dictionary is that of this organization and language. */
  get(space: string, of: DictionaryOf): Omit<CachedIndex, 'bytes'> | undefined {
    const cached = this.#indexes.get(space);
    if (cached === undefined || keyOf(cached) !== keyOf(of)) return undefined;
    this.#indexes.delete(space);
    this.#indexes.set(space, cached);
    return cached;
  }

  /** Caches an index. `words`: how many words its dictionary had when the index was made. */
  put(space: string, index: SpaceIndex, { words, ...of }: DictionaryOf & { words: number }): void {
    this.drop(space);
    const { dictionary } = index;
    const bytes = bytesOf(index);
    this.#indexes.set(space, { ...of, index, words, bytes });
    this.#bytes += bytes;
    this.#users.set(dictionary, (this.#users.get(dictionary) ?? 0) + 1);
    if (dictionary.size() <= mostWords && !this.#open.has(keyOf(of))) this.#open.set(keyOf(of), dictionary);
    for (const oldest of this.#indexes.keys()) {
      if (this.bytes() <= this.most) break;
      this.drop(oldest);
    }
  }

  drop(space: string): void {
    const cached = this.#indexes.get(space);
    if (cached === undefined) return;
    this.#indexes.delete(space);
    this.#bytes -= cached.bytes;
    const { dictionary } = cached.index;
    const users = (this.#users.get(dictionary) ?? 0) - 1;
    if (users > 0) this.#users.set(dictionary, users);
    else this.#forget(dictionary);
  }

  /** Whether an index should be made anew, with another dictionary. */
  isOutgrown({ index: { dictionary }, words }: Pick<CachedIndex, 'index' | 'words'>): boolean {
    return dictionary.size() > Math.max(mostWords, words * outgrownBy);
  }

  /** The dictionary for a new index. */
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
