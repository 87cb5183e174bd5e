import { countsOf, countWords, specNamed, type DocumentAnalysis, type WordCounts } from '../../analysis/index.js';
import type { Page } from '../../../versions/index.js';
import { createDictionary, type Dictionary } from './dictionary.js';
import { stemOf } from './stemmers.js';

/** The words of a text by number, with their weights: how often they stand there, times what that counts. */
export interface Terms {
  numbers: Uint32Array;
  weights: Uint16Array;
  /** The sum of the weights. */
  length: number;
}

/** A page of an index. It is never changed, but replaced. */
export interface IndexedPage {
  page: Page;
  /** Of its title and description. */
  own: Terms;
  /** Of its document. */
  document: IndexedDocument | undefined;
  /** All of it, with the reusable contents that it shows. */
  all: readonly Terms[];
  /** The names of the reusable contents' documents that it shows. */
  contents: readonly string[];
  /** Whether its document, or one of these, looks different to different visitors. */
  isConditional: boolean;
}

/** A document of a page or of a reusable content. */
export interface IndexedDocument {
  name: string;
  terms: Terms;
  includes: readonly string[];
  /** The specifications of which its blocks show parts. */
  specs: readonly string[];
  /** Whether its terms have the words of these. */
  isDescribed: boolean;
  /** Whether it looks different to different visitors. */
  isConditional: boolean;
}

/** The words of the pages of one revision. */
export interface SpaceIndex {
  readonly pool: string;
  readonly language: string | null;
  /** The root of the tree that it is made of. */
  root: string;
  /** Other indexes may use it, too. */
  readonly dictionary: Dictionary;
  readonly pages: Map<string, IndexedPage>;
  readonly contents: Map<string, IndexedDocument>;
  /** By the name of a specification, the outline of which it has the words; empty when it has none of it yet. */
  readonly specs: Map<string, string>;
  /** Set when a document came into it without the words of the specifications of which its blocks show parts. */
  hasUndescribed: boolean;
}

/** What a heading and a title count, compared with a word of the text. */
const weights = { title: 3, heading: 2, body: 1 } as const;
const heaviest = 65_535;

/** An index without pages. */
export function emptyIndex(
  pool: string,
  language: string | null,
  root: string,
  dictionary = createDictionary(stemOf(language)),
): SpaceIndex {
  return {
    pool,
    language,
    root,
    dictionary,
    pages: new Map(),
    contents: new Map(),
    specs: new Map(),
    hasUndescribed: false,
  };
}

/** The specifications of which blocks of a document show parts. */
export function specsOf({ links }: Pick<DocumentAnalysis, 'links'>): string[] {
  return [...new Set(links.flatMap(({ ref, part }) => (part === undefined ? [] : (specNamed(ref) ?? []))))];
}

/** A document as an index has it. `isDescribed`: the analysis has the words of its specifications. */
export function indexedDocument(
  index: SpaceIndex,
  { name, isDescribed }: Pick<IndexedDocument, 'name' | 'isDescribed'>,
  analysis: DocumentAnalysis,
): IndexedDocument {
  const { includes, expressions } = analysis;
  const specs = specsOf(analysis);
  for (const spec of specs) if (!index.specs.has(spec)) index.specs.set(spec, '');
  if (specs.length > 0 && !isDescribed) index.hasUndescribed = true;
  return {
    name,
    terms: termsOf((word) => index.dictionary.add(word), textsOf(analysis)),
    includes,
    specs,
    isDescribed: isDescribed || specs.length === 0,
    isConditional: expressions.length > 0,
  };
}

/**
 * A page as a visitor sees it, with what is known of the documents that they see. Words that nobody else has stay
 * unknown.
 */
export function pageAsSeen(
  { dictionary }: SpaceIndex,
  indexed: IndexedPage,
  parts: readonly { name: string; analysis: DocumentAnalysis }[],
): IndexedPage {
  const seen = parts.map(({ analysis }) => termsOf((word) => dictionary.numberOf(word), textsOf(analysis)));
  const [, ...contents] = parts.map(({ name }) => name);
  return { ...indexed, all: [indexed.own, ...seen], contents };
}

function textsOf({ headings, body }: DocumentAnalysis): (readonly [WordCounts, number])[] {
  return [
    [headings, weights.heading],
    [body, weights.body],
  ];
}

/** Puts a page, or replaces it. `document`: what is known of its document. Call `resolveContents` when all are put. */
export function putPage(index: SpaceIndex, page: Page, document: IndexedDocument | undefined): void {
  const own = termsOf(
    (word) => index.dictionary.add(word),
    [
      [countWords([page.title]), weights.title],
      [countWords([page.description ?? '']), weights.body],
    ],
  );
  index.pages.set(page.id, { page, own, document, ...shown(index, own, document) });
}

/** Takes the present reusable contents into the pages that show them. */
export function resolveContents(index: SpaceIndex): void {
  for (const [id, indexed] of index.pages)
    if ((indexed.document?.includes.length ?? 0) > 0)
      index.pages.set(id, { ...indexed, ...shown(index, indexed.own, indexed.document) });
}

/** Reusable contents contain each other up to this depth. */
const deepest = 5;

function shown(
  { contents }: SpaceIndex,
  own: Terms,
  document: IndexedDocument | undefined,
): Pick<IndexedPage, 'all' | 'contents' | 'isConditional'> {
  if (document === undefined) return { all: [own], contents: [], isConditional: false };
  const included = new Map<string, IndexedDocument>();
  let level = document.includes;
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const id of level) {
      const content = contents.get(id);
      if (content === undefined || included.has(id)) continue;
      included.set(id, content);
      next.push(...content.includes);
    }
    level = next;
  }
  const documents = [document, ...included.values()];
  return {
    all: [own, ...documents.map(({ terms }) => terms)],
    contents: [...included.values()].map(({ name }) => name),
    isConditional: documents.some(({ isConditional }) => isConditional),
  };
}

function termsOf(
  numberOf: (word: string) => number | undefined,
  texts: readonly (readonly [WordCounts, number])[],
): Terms {
  const found = new Map<number, number>();
  for (const [counts, weight] of texts)
    for (const [word, count] of countsOf(counts)) {
      const number = numberOf(word);
      if (number !== undefined) found.set(number, (found.get(number) ?? 0) + count * weight);
    }
  const weighed = Uint16Array.from(found.values(), (weight) => Math.min(weight, heaviest));
  return {
    numbers: Uint32Array.from(found.keys()),
    weights: weighed,
    length: weighed.reduce((sum, weight) => sum + weight, 0),
  };
}

const bytesOfIndex = 1_000;
const bytesOfPage = 1_000;
const bytesOfTerms = 250;
const bytesOfTerm = 6;

/** About how much memory an index takes without its dictionary. */
export function bytesOf({ pages, contents }: Pick<SpaceIndex, 'pages' | 'contents'>): number {
  let bytes = bytesOfIndex;
  for (const { own, document } of pages.values()) bytes += bytesOfPage + ofTerms(own) + ofTerms(document?.terms);
  for (const { terms } of contents.values()) bytes += bytesOfPage + ofTerms(terms);
  return bytes;
}

function ofTerms(terms: Terms | undefined): number {
  return bytesOfTerms + (terms?.numbers.length ?? 0) * bytesOfTerm;
}
