import type { Centroids } from './centroid.js';
import { movedChanges, type ClusterChange } from './changes.js';
import { splitOf, type SplitIssue } from './split.js';

export interface PlacedIssue extends SplitIssue {
  /** The cluster that it is in, if any. */
  cluster: number | undefined;
}

/** Moves issues to another cluster because a person says so. Later issues follow the changed centroids. */
export function moveIssues(centroids: Centroids, issues: readonly PlacedIssue[], to: number): ClusterChange[] {
  const moved = issues.filter(({ cluster }) => cluster !== to);
  for (const { cluster, vector } of moved) {
    if (cluster !== undefined) centroids.subtract(cluster, vector);
    centroids.add(to, vector);
  }
  return movedChanges(
    moved.map(({ issue }) => issue),
    to,
  );
}

/** Moves the smaller of the two subjects of a cluster to a new one. Without changes where it has one subject only. */
export function splitCluster(
  centroids: Centroids,
  cluster: number,
  { issues, next }: { issues: readonly SplitIssue[]; next: number },
): ClusterChange[] {
  const groups = splitOf(issues);
  if (groups === undefined) return [];
  const leaving = new Set(groups[1]);
  const placed = issues.filter(({ issue }) => leaving.has(issue)).map((issue) => ({ ...issue, cluster }));
  return [{ type: 'created', cluster: next }, ...moveIssues(centroids, placed, next)];
}

/** Merges one cluster into another because a person says so. */
export function mergeInto(centroids: Centroids, from: number, into: number): ClusterChange[] {
  if (from === into) return [];
  centroids.unite(into, from);
  // Clusters of different languages have no common centroid; the merged one keeps its own.
  centroids.remove(from);
  return [{ type: 'merged', into, from: [from] }];
}
