import type { Vector } from '../weights/vector.js';
import type { Centroids } from './centroid.js';

export interface SmallClusterIssue {
  issue: string;
  cluster: number;
  vector: Vector;
}

export interface Gathered {
  issue: string;
  from: number;
  cluster: number;
  similarity: number;
}

/**
 * Where issues of small clusters go: to the nearest larger cluster that is at least as similar as `least`. Leave out
 * what a person has moved. Every issue is compared with the centroids as they are, so their order says nothing.
 */
export function gatherOf(
  centroids: Centroids,
  issues: readonly SmallClusterIssue[],
  { isLarge, least }: { isLarge: (cluster: number) => boolean; least: number },
): Gathered[] {
  return issues.flatMap(({ issue, cluster: from, vector }) => {
    const found = centroids.nearest(vector, (cluster) => cluster !== from && isLarge(cluster));
    return found === undefined || found.similarity < least ? [] : [{ issue, from, ...found }];
  });
}
