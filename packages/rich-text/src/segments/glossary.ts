import { proseParts } from './literals.js';
import { taggedParts, taggedText, type TaggedPart } from './tagged-text.js';

/** What a term is called in the other language; `null`: it is never translated. */
export type GlossaryTerm = { source: string; target: string | null };

/** Endings may be longer or shorter by so many letters: plurals and cases. Short words have short endings. */
const endingOf = (term: string): number => (term.length > 5 ? 3 : 2);

/** A term as it is looked for. */
type WantedTerm<T> = {
  term: T;
  words: readonly Word[];
  /** What stands before its first word and behind its last one, such as `++` in `C++`. */
  before: string;
  behind: string;
};

/**
 * The terms that a segment contains, as whole words, whatever their case; an ending may differ. Words are those that
 * `Intl.Segmenter` finds. A term inside a longer one, in an address or a placeholder, or with a tag in it is none.
 * `language` is that of the segment.
 */
export function termsIn<T extends { source: string }>(segment: string, terms: readonly T[], language: string): T[] {
  const parts = taggedParts(segment);
  return parts === undefined ? [] : termsOfParts(parts, terms, language);
}

/** `termsIn` for the parts of a segment. */
export function termsOfParts<T extends { source: string }>(
  parts: readonly TaggedPart[],
  terms: readonly T[],
  language: string,
): T[] {
  const found = new Set<T>();
  replaceTerms(parts, { terms, language }, (part, term) => {
    found.add(term);
    return part;
  });
  return terms.filter((term) => found.has(term));
}

/** A segment in which terms are void tags. `held`: by the ids of these, the terms and what is written there. */
export type HeldTerms<T> = { text: string; held: Map<number, { term: T; written: string }> };

/**
 * Puts a void tag in the place of each term that `termsIn` finds, with ids from `firstId` on. Text that is no segment
 * stays as it is.
 */
export function holdTerms<T extends { source: string }>(
  segment: string,
  terms: readonly T[],
  { language, firstId }: { language: string; firstId: number },
): HeldTerms<T> {
  const held: HeldTerms<T>['held'] = new Map();
  const parts = taggedParts(segment);
  if (parts === undefined) return { text: segment, held };
  const others = replaceTerms(parts, { terms, language }, ({ text: written }, term) => {
    const id = firstId + held.size;
    held.set(id, { term, written });
    return { kind: 'void', id };
  });
  return { text: taggedText(others), held };
}

type TextPart = Extract<TaggedPart, { kind: 'text' }>;

function replaceTerms<T extends { source: string }>(
  parts: readonly TaggedPart[],
  { terms, language }: { terms: readonly T[]; language: string },
  change: (part: TextPart, term: T) => TaggedPart,
): TaggedPart[] {
  const wanted = wantedTerms(terms, language);
  const visit = (part: TaggedPart): TaggedPart[] => {
    if (part.kind === 'pair') return [{ ...part, parts: part.parts.flatMap(visit) }];
    if (part.kind === 'void' || wanted.size === 0) return [part];
    return proseParts(part.text).flatMap(({ text, literal }) =>
      literal ? [{ kind: 'text' as const, text }] : withTerms(text, placesOf(text, wanted, language), change),
    );
  };
  return parts.flatMap(visit);
}

function withTerms<T>(
  text: string,
  places: readonly Place<T>[],
  change: (part: TextPart, term: T) => TaggedPart,
): TaggedPart[] {
  const parts: TaggedPart[] = [];
  let at = 0;
  for (const { start, end, term } of places) {
    if (start > at) parts.push({ kind: 'text', text: text.slice(at, start) });
    parts.push(change({ kind: 'text', text: text.slice(start, end) }, term));
    at = end;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** Terms by the first letters of their first word. */
function wantedTerms<T extends { source: string }>(
  terms: readonly T[],
  language: string,
): Map<string, WantedTerm<T>[]> {
  const wanted = new Map<string, WantedTerm<T>[]>();
  for (const term of terms) {
    const source = term.source.trim();
    const words = placedWords(source, language);
    const [first, last] = [words[0], words[words.length - 1]];
    if (first === undefined || last === undefined) continue;
    const one = { term, words, before: source.slice(0, first.start), behind: source.slice(last.end) };
    const known = wanted.get(beginningOf(first.word));
    if (known) known.push(one);
    else wanted.set(beginningOf(first.word), [one]);
  }
  return wanted;
}

const beginningOf = (word: string): string => word.slice(0, 3);

type Place<T> = { start: number; end: number; term: T };

/** Where terms stand in a text. Of terms at one place the longest counts, then the one that is written like this. */
function placesOf<T>(text: string, wanted: ReadonlyMap<string, WantedTerm<T>[]>, language: string): Place<T>[] {
  const words = placedWords(text, language);
  const places: Place<T>[] = [];
  let free = 0;
  words.forEach(({ word }, at) => {
    let best: (Place<T> & { exact: number }) | undefined;
    for (const one of wanted.get(beginningOf(word)) ?? []) {
      const place = placeAt(text, words.slice(at, at + one.words.length), one);
      if (place === undefined || place.start < free) continue;
      if (best === undefined || place.end > best.end || (place.end === best.end && place.exact > best.exact))
        best = place;
    }
    if (best === undefined) return;
    free = best.end;
    places.push(best);
  });
  return places;
}

/** The place of a term that begins with these words; `exact`: how many of them are written like in the term. */
function placeAt<T>(
  text: string,
  words: readonly Word[],
  { term, words: wanted, before, behind }: WantedTerm<T>,
): (Place<T> & { exact: number }) | undefined {
  const [first, last] = [words[0], words[words.length - 1]];
  if (first === undefined || last === undefined || words.length < wanted.length) return undefined;
  const isThere = wanted.every((one, i) => {
    const found = words[i];
    return found !== undefined && isFormOf(found.word, one.word) && (i === 0 || found.gap === one.gap);
  });
  const [start, end] = [first.start - before.length, last.end + behind.length];
  if (!isThere || !text.startsWith(before, start) || !text.startsWith(behind, last.end) || start < 0) return undefined;
  return { start, end, term, exact: wanted.filter(({ word }, i) => words[i]?.word === word).length };
}

/** True when a text contains a term. Languages join and bend words, so that the beginning of each word is enough. */
export function containsTerm(text: string, term: string, language: string): boolean {
  const lower = text.toLocaleLowerCase(language);
  return wordsIn(term, language).every((word) => lower.includes(stemOf(word)));
}

/** A word in lower case, where it stands, and what stands between it and the word before, spaces as one. */
type Word = { word: string; start: number; end: number; gap: string };

function placedWords(text: string, language: string): Word[] {
  const words: Word[] = [];
  let before = 0;
  for (const { segment, index: start, isWordLike } of segmenterOf(language).segment(text)) {
    if (isWordLike !== true) continue;
    const [word, end] = [segment.toLocaleLowerCase(language), start + segment.length];
    words.push({ word, start, end, gap: text.slice(before, start).replace(/\s+/g, ' ') });
    before = end;
  }
  return words;
}

const wordsIn = (text: string, language: string): string[] => placedWords(text, language).map(({ word }) => word);

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
  return stem.length > 3 && word.startsWith(stem) && Math.abs(word.length - term.length) <= endingOf(term);
}

/** A word without the letters in which its forms differ; short words have one form. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, -2) : word.length > 4 ? word.slice(0, -1) : word;
