import { stemOf } from './stemmers.js';
import { stopWordsOf } from './stop-words.js';
import { wordsOf, type Word } from './words-of.js';

/** A word that says something about the subject of a text. */
export interface ContentWord extends Word {
  /** What it is compared by. */
  stem: string;
}

/** What a text is compared by: its content words and pairs of them, with how often each occurs. */
export interface Terms {
  language: string;
  /** Terms in the order in which they first occur. A pair has a blank between its words. */
  counts: readonly (readonly [string, number])[];
}

/** A text has at most as many terms. */
export const mostTerms = 512;

/** The words of a text without stop words, in order. */
export function contentWords(text: string, language: string): ContentWord[] {
  const stops = stopWordsOf(language);
  const found: ContentWord[] = [];
  for (const word of wordsOf(text, language)) {
    if (stops.has(word.text)) continue;
    const stem = stemOf(language === 'en' ? word.text.replace(/'s?$/, '') : word.text, language);
    if (stem !== '') found.push({ ...word, stem });
  }
  return found;
}

/** The terms of a text. Two content words are a pair where nothing but stop words stand between them. */
export function termsOf(text: string, language: string): Terms {
  const counts = new Map<string, number>();
  let before: string | undefined;
  for (const { stem } of contentWords(text, language)) {
    const pair = before === undefined ? [] : [`${before} ${stem}`];
    for (const term of [stem, ...pair])
      if (counts.has(term) || counts.size < mostTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
    before = stem;
  }
  return { language, counts: [...counts] };
}
