import { searchSections, type RichDocument, type Section } from '@scriptorium/rich-text';
import { wordsOf } from '../../analysis/index.js';

/** A section in which words were found. */
export interface SectionHit {
  heading: Section['heading'];
  /** The text around the first word. */
  body: string;
}

/** Sections that are shown of a page. */
const mostShown = 10;
const longestBody = 250;
/** Characters before the first word. */
const before = 80;

/** The first sections of documents in which words were found. */
export function sectionsWith(documents: readonly RichDocument[], isFound: (word: string) => boolean): SectionHit[] {
  const hits: SectionHit[] = [];
  for (const document of documents)
    for (const { heading, text } of searchSections(document)) {
      if (hits.length === mostShown) return hits;
      const place = firstPlace(text, isFound);
      const inHeading = firstPlace(heading?.title ?? '', isFound) !== undefined;
      if (place !== undefined || inHeading) hits.push({ heading, body: snippetOf(text, place ?? 0) });
    }
  return hits;
}

function firstPlace(text: string, isFound: (word: string) => boolean): number | undefined {
  for (const { text: word, start } of wordsOf(text)) if (isFound(word)) return start;
  return undefined;
}

/** The text around a place on one line, cut between words where there are blanks. */
export function snippetOf(text: string, place: number): string {
  const start = place <= before ? 0 : startAt(text, place - before, place);
  const cut = text
    .slice(start, start + longestBody * 2)
    .replace(/\s+/gu, ' ')
    .trim();
  const opened = start === 0 ? cut : `…${cut}`;
  const isWhole = opened.length <= longestBody && start + longestBody * 2 >= text.length;
  return isWhole ? opened : `${endOf(opened)}…`;
}

/** The begin of a word behind `from`, but not behind `place`; never within a surrogate pair. */
function startAt(text: string, from: number, place: number): number {
  const blank = text.slice(from, place).search(/\s/u);
  if (blank >= 0) return from + blank + 1;
  return /^[\udc00-\udfff]/.test(text.slice(from)) ? from + 1 : from;
}

function endOf(text: string): string {
  const cut = text
    .slice(0, longestBody - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const blank = cut.lastIndexOf(' ');
  return blank > (longestBody * 2) / 3 && text.length > longestBody - 1 ? cut.slice(0, blank) : cut;
}
