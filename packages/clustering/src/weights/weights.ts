import type { Terms } from '../words/terms-of.js';
import { termVector, type TermVector } from './vector.js';

/** In how many texts of a language each term occurs. */
export interface LanguageWeights {
  texts: number;
  counts: readonly (readonly [term: string, texts: number])[];
}

/** How much terms say, as it is stored: one version of it. Vectors that are made by one version compare. */
export interface WeightTable {
  version: number;
  /** Conversations that were counted for it. */
  conversations: number;
  languages: readonly (readonly [language: string, weights: LanguageWeights])[];
}

/** What a term says, by language: more where fewer texts have it. */
export interface Weights {
  version: number;
  weightOf(term: string, language: string): number;
}

export function weightsOf(table: WeightTable): Weights {
  const languages = new Map(
    table.languages.map(([language, { texts, counts }]) => [language, { texts, counts: new Map(counts) }]),
  );
  return {
    version: table.version,
    weightOf(term, language) {
      const known = languages.get(language);
      return known === undefined ? 1 : Math.log((1 + known.texts) / (1 + (known.counts.get(term) ?? 0))) + 1;
    },
  };
}

/** The vector of a text: how often each term occurs, damped, times what it says; the 64 strongest. */
export function vectorOf({ language, counts }: Terms, weights: Weights): TermVector {
  const weighted = counts.map(([term, count]): [string, number] => [
    term,
    (1 + Math.log(count)) * weights.weightOf(term, language),
  ]);
  return termVector(language, weighted);
}
