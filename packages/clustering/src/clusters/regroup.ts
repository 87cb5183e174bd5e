import type { Centroids } from './centroid.js';
import { clusteredChanges, type ClusterChange } from './changes.js';
import { gatherOf, type SmallClusterIssue } from './gather.js';
import { mergesOf } from './merges.js';
import { smallCluster, thresholdsOf } from './thresholds.js';

/** What is known of clusters besides their centroids. Sizes count issues. */
export interface ClusterFacts {
  sizeOf(cluster: number): number;
  /** Whether a person has pinned or renamed it. */
  isPinned(cluster: number): boolean;
}

/** Merges clusters that are alike, and their centroids. */
export function mergeClusters(centroids: Centroids, kind: 'terms' | 'dense', facts: ClusterFacts): ClusterChange[] {
  const { merge } = thresholdsOf(kind);
  return mergesOf(centroids.similarPairs(merge), (cluster) => facts.isPinned(cluster)).map(({ into, from }) => {
    centroids.unite(into, from);
    return { type: 'merged', into, from: [from] };
  });
}

/**
 * Gathers issues of small clusters into larger ones, in the centroids too, and removes clusters that have no issue
 * then. Give the issues of clusters for which that is due (`isGatherDue`), without those that a person has moved.
 */
export function gatherIssues(
  centroids: Centroids,
  issues: readonly SmallClusterIssue[],
  facts: ClusterFacts,
): ClusterChange[] {
  const [first] = issues;
  if (first === undefined) return [];
  const { gather } = thresholdsOf(first.vector.kind);
  const vectors = new Map(issues.map(({ issue, vector }) => [issue, vector]));
  const isLarge = (cluster: number): boolean => facts.isPinned(cluster) || facts.sizeOf(cluster) > smallCluster;
  const left = new Map<number, number>();
  const gathered = gatherOf(centroids, issues, { isLarge, least: gather });
  for (const { issue, from, cluster } of gathered) {
    const vector = vectors.get(issue);
    if (vector === undefined) continue;
    centroids.subtract(from, vector);
    centroids.add(cluster, vector);
    left.set(from, (left.get(from) ?? facts.sizeOf(from)) - 1);
  }
  const empty = [...left].filter(([, size]) => size <= 0).map(([cluster]) => cluster);
  for (const cluster of empty) centroids.remove(cluster);
  return [
    ...clusteredChanges(
      'gather',
      gathered.map(({ issue, cluster, similarity }) => ({ issue, cluster, similarity })),
    ),
    ...empty.sort((a, b) => a - b).map((cluster): ClusterChange => ({ type: 'removed', cluster })),
  ];
}
