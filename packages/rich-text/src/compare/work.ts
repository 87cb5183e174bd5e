/**
 * What all comparisons of one document may still cost, in pairs of equal words: finding what is common looks at each of
 * them.
 */
export type Work = { pairs: number };
export const newWork = (): Work => ({ pairs: 4_000_000 });
/** Pairs in one text, above which it is compared as a whole: the time grows faster than they do. */
const MAX_PAIRS = 250_000;

/** How often each word occurs. */
export function counted(words: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Takes what comparing two lists costs; false when that is too much. */
export function afford(work: Work, a: readonly string[], b: readonly string[]): boolean {
  const counts = counted(a);
  const pairs = b.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
  if (pairs > Math.min(work.pairs, MAX_PAIRS)) return false;
  work.pairs -= pairs;
  return true;
}

/** How many items all lists begin with alike, and how many more they end with alike. */
export function sharedEnds(
  first: readonly string[],
  ...others: Array<readonly string[]>
): { start: number; end: number } {
  const shortest = Math.min(first.length, ...others.map((list) => list.length));
  let start = 0;
  while (start < shortest && others.every((list) => list[start] === first[start])) start++;
  let end = 0;
  while (
    end < shortest - start &&
    others.every((list) => list[list.length - 1 - end] === first[first.length - 1 - end])
  )
    end++;
  return { start, end };
}
