import { isEmpty, type Vector } from '../weights/vector.js';
import type { Centroids } from './centroid.js';
import { mostClusters, type Thresholds } from './thresholds.js';

export type Assignment =
  | { kind: 'joins'; cluster: number; similarity: number }
  | { kind: 'begins'; cluster: number }
  /** The issue has no content, or there is no place for another cluster and none that is similar. It stays without. */
  | { kind: 'waits'; reason: 'empty' | 'full' };

export interface AssignOptions {
  /** The number of the next cluster. Numbers are never used twice. */
  next: number;
  thresholds: Thresholds;
  most?: number;
}

/** The cluster of a new issue: the nearest one if it is similar enough, otherwise one of its own. Changes nothing. */
export function assign(centroids: Centroids, vector: Vector, options: AssignOptions): Assignment {
  const { next, thresholds, most = mostClusters } = options;
  if (isEmpty(vector)) return { kind: 'waits', reason: 'empty' };
  const isFull = centroids.size >= most;
  const found = centroids.nearest(vector);
  if (found !== undefined && found.similarity >= (isFull ? thresholds.gather : thresholds.join))
    return { kind: 'joins', ...found };
  return isFull ? { kind: 'waits', reason: 'full' } : { kind: 'begins', cluster: next };
}
