import type { Vector } from '../weights/vector.js';
import type { Centroids, StoredCentroid } from './centroid.js';
import { denseCentroids } from './dense-centroids.js';
import { termCentroids } from './term-centroids.js';

/** Centroids of vectors of one kind, without clusters or with those that were stored. */
export function createCentroids(kind: Vector['kind'], stored: Iterable<StoredCentroid> = []): Centroids {
  return kind === 'terms' ? termCentroids(stored) : denseCentroids(stored);
}
