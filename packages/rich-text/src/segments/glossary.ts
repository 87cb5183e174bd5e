/** What a term is called in the other language; `null`: it is never translated. */
export type GlossaryTerm = { source: string; target: string | null };

/** Endings of up to so many letters may differ: plurals and cases. */
const ENDING = 3;

/**
 * The terms that a text contains, as whole words, whatever their case; an ending may differ. `language` is that of the
 * text. Words are those that `Intl.Segmenter` finds.
 */
export function termsIn<T extends { source: string }>(text: string, terms: readonly T[], language: string): T[] {
  if (terms.length === 0) return [];
  const words = wordsIn(text, language);
  const stems = new Set(words.map((word) => word.slice(0, 3)));
  return terms.filter((term) => {
    const wanted = wordsIn(term.source, language);
    const [first = ''] = wanted;
    if (first === '' || !stems.has(first.slice(0, 3))) return false;
    return words.some((_, at) => wanted.every((word, i) => isFormOf(words[at + i] ?? '', word)));
  });
}

/** True when a text contains a term. Languages join and bend words, so that the beginning of each word is enough. */
export function containsTerm(text: string, term: string, language: string): boolean {
  const lower = text.toLocaleLowerCase(language);
  return wordsIn(term, language).every((word) => lower.includes(stemOf(word)));
}

function wordsIn(text: string, language: string): string[] {
  return [...segmenterOf(language).segment(text.toLocaleLowerCase(language))]
    .filter((part) => part.isWordLike)
    .map((part) => part.segment);
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known) return known;
  const made = new Intl.Segmenter(language, { granularity: 'word' });
  // Callers pass languages of the product; the bound keeps others from filling the memory.
  if (segmenters.size < 200) segmenters.set(language, made);
  return made;
}

function isFormOf(word: string, term: string): boolean {
  if (word === term) return true;
  const stem = stemOf(term);
  return stem.length > 3 && word.startsWith(stem) && Math.abs(word.length - term.length) <= ENDING;
}

/** A word without the letters in which its forms differ; short words have one form. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, -2) : word.length > 4 ? word.slice(0, -1) : word;
