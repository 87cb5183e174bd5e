import { withoutMarks } from '../masking/mask-personal.js';
import { contentWords, termsOf } from '../words/terms-of.js';
import type { Weights } from '../weights/weights.js';
import { shortened } from './sentences.js';

export const longestTitle = 120;
export const longestSummary = 500;

/** A title is one of the first sentences. */
const looked = 3;
/** More words say no more about what it is. */
const mostWords = 12;
const questionWorth = 3;
const summarySentences = 3;

/** The best of the first sentences: a question, or the one with most content words. Sentences are masked. */
export function titleOf(sentences: readonly string[], language: string): string {
  let [best, most] = [sentences[0] ?? '', -1];
  for (const sentence of sentences.slice(0, looked)) {
    const words = Math.min(contentWords(withoutMarks(sentence), language).length, mostWords);
    const score = words === 0 ? 0 : words + (/[?？؟]/u.test(sentence) ? questionWorth : 0);
    if (score > most) [best, most] = [sentence, score];
  }
  return shortened(best, longestTitle);
}

/** The sentences that say most, in their order, as far as there is room. Sentences are masked. */
export function summaryOf(sentences: readonly string[], language: string, weights: Weights): string {
  const scored = sentences.map((sentence, index) => {
    const { counts } = termsOf(withoutMarks(sentence), language);
    const sum = counts.reduce(
      (total, [term, count]) => total + (1 + Math.log(count)) * weights.weightOf(term, language),
      0,
    );
    return { sentence, index, score: sum };
  });
  const chosen: typeof scored = [];
  let room = longestSummary;
  for (const candidate of scored.toSorted((a, b) => b.score - a.score || a.index - b.index)) {
    const isRepeated = chosen.some(({ sentence }) => sentence === candidate.sentence);
    if (chosen.length === summarySentences || candidate.score === 0) break;
    if (isRepeated || (candidate.sentence.length + 1 > room && chosen.length > 0)) continue;
    chosen.push(candidate);
    room -= candidate.sentence.length + 1;
  }
  const inOrder = chosen.toSorted((a, b) => a.index - b.index).map(({ sentence }) => sentence);
  return shortened(inOrder.join(' '), longestSummary);
}
