import { termsIn, type GlossaryTerm, type RichDocument } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { pageSegments, translatedPage, type PageTexts } from '../translated-page.js';

/** What of a page or reusable content goes into a worker; documents as the JSON that is stored. */
export interface PageToRead {
  key: string;
  /** Empty for reusable contents: readers do not see what they are called. */
  title: string;
  description?: string;
  document?: string;
}

/** A segment of a page, with the ids of the terms that it contains. */
export interface FoundSegment {
  id: string;
  block: string;
  text: string;
  headings: readonly string[];
  terms: readonly string[];
  words: number;
}

type Term = GlossaryTerm & { id: string };

/** The segments of pages, in their order. Pure, so that it can run in a worker. */
export function takeApart({
  pages,
  terms,
  from,
}: {
  pages: readonly PageToRead[];
  terms: readonly Term[];
  from: string;
}): FoundSegment[][] {
  return pages.map((page) =>
    pageSegments(textsOf(page)).map(({ id, block, text, headings }) => {
      const said = wordsOf(text);
      const found = termsIn(text, likely(said, terms), from).map((term) => term.id);
      const words = said.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
      return { id, block, text, headings: headings.filter((heading) => heading !== ''), terms: found, words };
    }),
  );
}

/** What a segment says, without its tags. */
const wordsOf = (text: string): string =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Terms that may stand in a text. To look for all of them word by word takes too long. */
function likely(text: string, terms: readonly Term[]): Term[] {
  const lower = text.toLowerCase();
  return terms.filter(({ source }) => lower.includes(source.trim().slice(0, 3).toLowerCase()));
}

function textsOf({ title, description, document }: PageToRead): PageTexts {
  return {
    title,
    ...(description !== undefined && { description }),
    ...(document !== undefined && { document: JSON.parse(document) as RichDocument }),
  };
}

/** A page in another language. */
export interface BuiltPage {
  title: string;
  description?: string;
  document?: { name: string; text: string };
}

/** Pages with these texts, one map for each page. Pure, so that it can run in a worker. */
export function putTogether({
  pages,
  texts,
  spaces,
}: {
  pages: readonly PageToRead[];
  texts: ReadonlyArray<ReadonlyMap<string, string>>;
  spaces: ReadonlyMap<string, string>;
}): BuiltPage[] {
  return pages.map((page, i) => {
    const { title, description, document } = translatedPage(textsOf(page), texts[i] ?? new Map(), spaces);
    return {
      title,
      ...(description !== undefined && { description }),
      ...(document !== undefined && { document: named(document) }),
    };
  });
}

function named(value: RichDocument): { name: string; text: string } {
  const text = canonical(value);
  return { name: nameOfText(text), text };
}
