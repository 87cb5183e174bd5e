import type { IndexedPage } from '../space-indexes/space-index.js';
import type { Matching } from './matching.js';
import type { Matches } from './query.js';

/** A page that was found. */
export interface Scored {
  id: string;
  score: number;
}

/** The usual constants of BM25: how soon repetition counts no more, and how much long pages are held back. */
const saturation = 1.2;
const lengthWeight = 0.75;

interface Found {
  id: string;
  length: number;
  /** By wanted word, the weight of what stands for it in the page, in tenths. */
  weights: Float64Array;
}

/**
 * The pages with all wanted words, or with any of them, the best first, by BM25. `wanted`: what stands for each word;
 * `marks`: see `Matching`.
 */
export function scorePages(
  pages: Iterable<IndexedPage>,
  { wanted, marks, needsAll }: Pick<Matching, 'wanted' | 'marks'> & { needsAll: boolean },
): Scored[] {
  const found: Found[] = [];
  const having = new Float64Array(wanted.length);
  let count = 0;
  let total = 0;
  for (const page of pages) {
    const { weights, length } = weigh(page, wanted, marks);
    count += 1;
    total += length;
    weights.forEach((weight, index) => {
      if (weight > 0) having[index] = (having[index] ?? 0) + 1;
    });
    if (needsAll ? weights.every((weight) => weight > 0) : weights.some((weight) => weight > 0))
      found.push({ id: page.page.id, length, weights });
  }
  const average = total / Math.max(1, count);
  const rarity = Array.from(having, (number) => Math.log(1 + (count - number + 0.5) / (number + 0.5)));
  const scored = found.map(({ id, length, weights }) => {
    const held = saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, average));
    let score = 0;
    for (const [index, tenths] of weights.entries()) {
      const weight = tenths / 10;
      score += ((rarity[index] ?? 0) * (weight * (saturation + 1))) / (weight + held);
    }
    return { id, score };
  });
  return scored.sort(byScore);
}

/** The best first, by id where they are equal. */
export function byScore(a: Scored, b: Scored): number {
  return a.score === b.score ? (a.id < b.id ? -1 : Number(a.id > b.id)) : b.score - a.score;
}

function weigh(
  { all }: IndexedPage,
  wanted: readonly Matches[],
  marks: Uint32Array,
): { weights: Float64Array; length: number } {
  const weights = new Float64Array(wanted.length);
  let length = 0;
  for (const terms of all) {
    length += terms.length;
    const { numbers } = terms;
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? 0;
      const mark = marks[number] ?? 0;
      if (mark === 0) continue;
      for (let index = 0; index < wanted.length; index += 1)
        if ((mark & (1 << index)) !== 0)
          weights[index] = (weights[index] ?? 0) + (terms.weights[at] ?? 0) * (wanted[index]?.get(number) ?? 0);
    }
  }
  return { weights, length };
}
