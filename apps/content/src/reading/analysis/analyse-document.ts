import type { SpecificationPart } from '@scriptorium/openapi';
import { anchors, links, searchSections, type FoundLink, type RichDocument } from '@scriptorium/rich-text/reading';
import { apiBlocksIn } from './api-parts.js';
import { expressionsIn } from './see-document.js';
import { wordsOf } from './words.js';

/** How often words stand in a text. Words are joined by blanks, which takes far less memory than a list of them. */
export interface WordCounts {
  words: string;
  counts: Uint16Array;
}

/** A reference with its node; `part`: what its block shows of a specification. */
export interface DocumentLink extends Pick<FoundLink, 'node' | 'ref' | 'relation'> {
  part?: SpecificationPart;
}

/** What is derived from one document. It depends on nothing else, so it holds as long as the document is there. */
export interface DocumentAnalysis {
  /** References with their nodes, in reading order. */
  links: readonly DocumentLink[];
  /** The reusable contents of the same space that it shows. */
  includes: readonly string[];
  /** What links can name: the ids of its headings, and of the anchors in its texts. */
  anchors: readonly string[];
  headings: WordCounts;
  body: WordCounts;
  /** Its conditions and expressions. Without any, it looks the same to everybody. */
  expressions: readonly string[];
  /** About how much memory this takes. */
  bytes: number;
}

/** Derives what is known of a document. */
export function analyseDocument(document: RichDocument): DocumentAnalysis {
  const uses = new Map(apiBlocksIn(document).map(({ block, use }) => [block.key, use]));
  const found = links(document).map(({ node, ref, relation }) => {
    const use = uses.get(node);
    return { node, ref, relation, ...(use?.ref === ref && { part: use.part }) };
  });
  const includes = new Set<string>();
  for (const { ref } of found) {
    const { kind, space, reusableContent } = ref as Record<string, unknown>;
    if (kind === 'reusable-content' && space === undefined && typeof reusableContent === 'string')
      includes.add(reusableContent);
  }
  const sections = searchSections(document);
  const headings = countWords(sections.map(({ heading }) => heading?.title ?? ''));
  const body = countWords(sections.map(({ text }) => text));
  const analysis = {
    links: found,
    includes: [...includes],
    anchors: anchors(document),
    headings,
    body,
    expressions: expressionsIn(document),
  };
  return { ...analysis, bytes: bytesOf(analysis) };
}

const mostCounted = 65_535;

/** How often each word stands in texts. */
export function countWords(texts: readonly string[]): WordCounts {
  const counts = new Map<string, number>();
  for (const text of texts) for (const { text: word } of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return {
    words: [...counts.keys()].join(' '),
    counts: Uint16Array.from(counts.values(), (count) => Math.min(count, mostCounted)),
  };
}

/** Each word with its count. */
export function* countsOf({ words, counts }: WordCounts): Generator<[word: string, count: number], void> {
  if (counts.length === 0) return;
  let index = 0;
  for (const word of words.split(' ')) {
    yield [word, counts[index] ?? 0];
    index += 1;
  }
}

const bytesOfFacts = 500;
const bytesOfLink = 200;

function bytesOf({ links, anchors, headings, body, expressions }: Omit<DocumentAnalysis, 'bytes'>): number {
  const words = 2 * (headings.words.length + body.words.length + headings.counts.length + body.counts.length);
  const texts = links.reduce((sum, { ref, part }) => sum + 2 * JSON.stringify([ref, part]).length, 0);
  const names =
    2 * (anchors.join('').length + expressions.join('').length) + 16 * (anchors.length + expressions.length);
  return bytesOfFacts + words + texts + links.length * bytesOfLink + names;
}
