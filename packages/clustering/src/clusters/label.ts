import { withoutMarks } from '../masking/mask-personal.js';
import { cosine, type TermVector, type Vector } from '../weights/vector.js';
import { contentWords, type ContentWord } from '../words/terms-of.js';
import type { ExtractedIssue } from '../issues/issues-of.js';
import { shortened } from '../issues/sentences.js';

export interface LabelledIssue extends ExtractedIssue {
  vector: TermVector;
}

export interface ClusterLabel {
  label: string;
  summary: string;
  icon: string;
}

/** The icon of a cluster to which nobody has given another one. */
export const clusterIcon = 'circle-question';
/** As many issues of a cluster are looked at; give the newest. */
export const mostLabelledIssues = 200;
export const longestLabel = 60;
const labelTerms = 3;
/** As many of the strongest terms may make the label. */
const lookedTerms = 8;
/** Two words of a pair may have as many stop words between them and stay one phrase. */
const longestGap = 8;

/** Whether a cluster is to be labelled again: it was never, or its size has doubled since. */
export function isRelabelDue(size: number, labelledSize: number | undefined): boolean {
  return size > 0 && (labelledSize === undefined || size >= 2 * labelledSize);
}

/**
 * The label of a cluster: the two or three strongest terms of its centroid, written as in the issue that is most
 * similar to it, and that issue's summary. A centroid of a model has no terms: then it is the issue's title. All of it
 * is masked, as titles and summaries are.
 */
export function labelOf(centroid: Vector, issues: readonly LabelledIssue[]): ClusterLabel {
  const central = issues
    .slice(0, mostLabelledIssues)
    .map((issue, index) => ({ issue, index, similarity: cosine(issue.vector, centroid) }))
    .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
    .map(({ issue }) => issue);
  const [first] = central;
  if (first === undefined) return { label: '', summary: '', icon: clusterIcon };
  const strongest = words(centroid.kind === 'terms' ? centroid.terms : []);
  const phrases = central
    .slice(0, lookedTerms)
    .map((issue) => phraseOf(issue, strongest))
    .sort((a, b) => b.terms - a.terms);
  const label = phrases[0]?.text ?? '';
  return {
    label: shortened(label === '' ? first.title : label, longestLabel),
    summary: first.summary === '' ? first.title : first.summary,
    icon: clusterIcon,
  };
}

/** Single words alone: pairs only say that two words stand together, which the text shows. */
function words(terms: readonly (readonly [string, number])[]): string[] {
  return terms
    .map(([term]) => term)
    .filter((term) => !term.includes(' '))
    .slice(0, labelTerms);
}

/** The strongest terms as an issue has them, in the order of its text; those that follow each other as one phrase. */
function phraseOf(
  { title, summary, language }: LabelledIssue,
  stems: readonly string[],
): { text: string; terms: number } {
  const text = withoutMarks(`${title}\n${summary}`);
  const found = new Map<string, ContentWord>();
  for (const word of contentWords(text, language))
    if (stems.includes(word.stem) && !found.has(word.stem)) found.set(word.stem, word);
  const inOrder = [...found.values()].sort((a, b) => a.start - b.start);
  const label = inOrder.reduce((made, word, index) => {
    const before = inOrder[index - 1];
    const gap = before === undefined ? '' : text.slice(before.end, word.start);
    const isPhrase = gap.length <= longestGap && /^[^\n.,;:!?()]*$/u.test(gap);
    return made + (before === undefined ? '' : isPhrase ? gap : ' ') + written(word, text, language);
  }, '');
  return { text: label.replace(/\s+/gu, ' ').trim(), terms: inOrder.length };
}

/** A word as it is written; one with a capital because it begins a sentence loses it, except in German. */
function written({ written: word, text: plain, start }: ContentWord, text: string, language: string): string {
  const isBeginning = /(?:^|[\n.!?]\s*)$/u.test(text.slice(Math.max(start - 3, 0), start));
  const isName = word.slice(1) !== word.slice(1).toLowerCase();
  return isBeginning && !isName && language !== 'de' ? plain : word;
}
