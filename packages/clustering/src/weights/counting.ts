import type { Terms } from '../words/terms-of.js';
import type { LanguageWeights, WeightTable } from './weights.js';

/** Counts in which texts terms occur, to cut the next weight table from it. */
export interface TermCounting {
  /** Conversations of which texts were counted. */
  conversations: number;
  languages: Map<string, { texts: number; counts: Map<string, number> }>;
}

/** A language has at most as many terms; the rarest go first. */
export const mostCountedTerms = 50_000;
/** There are at most as many languages; what comes later is not counted. */
export const mostLanguages = 40;
/** The first conversations are weighed by the table that the product brings. */
const firstCut = 200;

/** A counting that goes on from a table; without one from nothing. */
export function startCounting(table?: WeightTable): TermCounting {
  const languages = (table?.languages ?? []).map(
    ([language, { texts, counts }]) => [language, { texts, counts: new Map(counts) }] as const,
  );
  return { conversations: table?.conversations ?? 0, languages: new Map(languages) };
}

/** Counts the texts of one more conversation: those of its issues. */
export function countConversation(counting: TermCounting, texts: readonly Terms[]): void {
  counting.conversations += 1;
  for (const { language, counts } of texts) {
    const known = counting.languages.get(language) ?? { texts: 0, counts: new Map<string, number>() };
    if (!counting.languages.has(language) && counting.languages.size >= mostLanguages) continue;
    counting.languages.set(language, known);
    known.texts += 1;
    for (const [term] of counts) known.counts.set(term, (known.counts.get(term) ?? 0) + 1);
    if (known.counts.size > mostCountedTerms * 1.5) known.counts = new Map(mostFrequent(known.counts));
  }
}

/**
 * Whether the next table is due: after 200 of what is counted, and whenever their number has doubled. `cutAt`: how many
 * there were when the present one was cut.
 */
export function isTableDue(counted: number, cutAt: number): boolean {
  return counted >= Math.max(firstCut, 2 * cutAt);
}

/** The next table of what was counted. */
export function cutTable(counting: TermCounting, version: number): WeightTable {
  const languages = [...counting.languages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([language, { texts, counts }]): [string, LanguageWeights] => [
      language,
      { texts, counts: mostFrequent(counts) },
    ]);
  return { version, conversations: counting.conversations, languages };
}

function mostFrequent(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).slice(0, mostCountedTerms);
}
