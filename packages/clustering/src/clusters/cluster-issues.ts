import type { Vector } from '../weights/vector.js';
import { assign } from './assign.js';
import type { Centroids } from './centroid.js';
import { clusteredChanges, type ClusterChange, type ClusteredIssue } from './changes.js';
import { thresholdsOf } from './thresholds.js';

export interface NewIssue {
  issue: string;
  vector: Vector;
}

export interface ClusterOptions {
  /** The number of the next cluster. */
  next: number;
  mostClusters?: number;
}

/**
 * Clusters new issues one after the other and adds them to the centroids. Give them in the order (createdAt, id of the
 * conversation, number of the issue): the same issues in the same order make the same clusters. Issues that no change
 * names stay without a cluster.
 */
export function clusterIssues(
  centroids: Centroids,
  issues: readonly NewIssue[],
  options: ClusterOptions,
): ClusterChange[] {
  const created: ClusterChange[] = [];
  const clustered: ClusteredIssue[] = [];
  let { next } = options;
  for (const { issue, vector } of issues) {
    const { mostClusters } = options;
    const assignment = assign(centroids, vector, {
      next,
      thresholds: thresholdsOf(vector.kind),
      ...(mostClusters === undefined ? {} : { most: mostClusters }),
    });
    if (assignment.kind === 'waits') continue;
    if (assignment.kind === 'begins') {
      created.push({ type: 'created', cluster: assignment.cluster });
      next += 1;
    }
    centroids.add(assignment.cluster, vector);
    clustered.push({
      issue,
      cluster: assignment.cluster,
      similarity: assignment.kind === 'joins' ? Math.min(assignment.similarity, 1) : 1,
    });
  }
  return [...created, ...clusteredChanges('analysis', clustered)];
}
