import { bySimilarity, type SimilarPair } from './centroid.js';

export interface Merge {
  into: number;
  from: number;
  similarity: number;
}

/**
 * The merges of one night, the most similar clusters first. The smaller number stays, but a pinned cluster is never
 * merged away. A cluster takes part in one merge a night: chains of merges would make one cluster of everything.
 */
export function mergesOf(pairs: readonly SimilarPair[], isPinned: (cluster: number) => boolean): Merge[] {
  const taken = new Set<number>();
  const merges: Merge[] = [];
  for (const { first, second, similarity } of [...pairs].sort(bySimilarity)) {
    if (taken.has(first) || taken.has(second) || (isPinned(first) && isPinned(second))) continue;
    taken.add(first).add(second);
    const [into, from] = isPinned(second) ? [second, first] : [first, second];
    merges.push({ into, from, similarity });
  }
  return merges;
}
