import type { Matcher } from './matching.js';
import { scorePages, type Scored } from './score.js';
import type { IndexedPage, SpaceIndex } from '../space-indexes/space-index.js';

/**
 * How pages are searched: those with all words; with all words, of which long ones may differ by one edit; or with any
 * of these.
 */
export const searchSteps = ['all', 'tolerant', 'any'] as const;
export type SearchStep = (typeof searchSteps)[number];

/** Fewer pages than these are too few: the next step is taken. */
const enough: Record<SearchStep, number> = { all: 5, tolerant: 1, any: 0 };

/** Whether a step has found so much that no further one is needed. */
export function isEnough(step: SearchStep, found: number): boolean {
  return found >= enough[step];
}

/** The pages that one step finds, the best first, and how to tell which words of a text were found. */
export function findPages(
  { dictionary }: Pick<SpaceIndex, 'dictionary'>,
  pages: Iterable<IndexedPage>,
  matcher: Matcher,
  step: SearchStep,
): { scored: Scored[]; isFound: (word: string) => boolean } {
  const { wanted, marks, isFound } = matcher(dictionary, step !== 'all');
  if (wanted.length === 0) return { scored: [], isFound };
  return { scored: scorePages(pages, { wanted, marks, needsAll: step !== 'any' }), isFound };
}
