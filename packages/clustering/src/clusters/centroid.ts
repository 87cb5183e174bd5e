import type { Vector } from '../weights/vector.js';

export interface Nearest {
  cluster: number;
  similarity: number;
}

export interface SimilarPair {
  /** The smaller number. */
  first: number;
  second: number;
  similarity: number;
}

/** A centroid as it is kept: what the vectors of a cluster's issues add up to. */
export interface StoredCentroid {
  cluster: number;
  /** How many vectors were added. */
  size: number;
  sum:
    | { kind: 'terms'; language: string; terms: readonly (readonly [string, number])[] }
    | { kind: 'dense'; values: Float32Array };
}

/**
 * The centroids of an organization's clusters in one vector version. They are a cache: what is recorded are the
 * clusters of issues, and centroids can be made again from vectors of issues.
 */
export interface Centroids {
  readonly size: number;
  /** About how many bytes of memory they take. */
  readonly bytes: number;
  has(cluster: number): boolean;
  /** The centroid as a vector of length 1. */
  centroidOf(cluster: number): Vector | undefined;
  /** Adds the vector of an issue; a cluster begins with its first one. */
  add(cluster: number, vector: Vector): void;
  /** Takes the vector of an issue away; a cluster without issues has no centroid. */
  subtract(cluster: number, vector: Vector): void;
  /** Adds one cluster to another. */
  unite(into: number, from: number): void;
  remove(cluster: number): void;
  /** The most similar cluster of those that may be chosen, and of equally similar ones the smallest number. */
  nearest(vector: Vector, mayBe?: (cluster: number) => boolean): Nearest | undefined;
  /**
   * Pairs of clusters that are at least as similar, the most similar first, then by their numbers. Only those whose
   * smaller number is one of `of`, so that a long search can be done in steps.
   */
  similarPairs(least: number, of?: Iterable<number>): SimilarPair[];
  numbers(): number[];
  /** Weighs terms anew; vectors of a model stay as they are. */
  reweigh(factorOf: (term: string, language: string) => number): void;
  stored(): StoredCentroid[];
}

/** Whether a cluster is more similar than the best so far: of equally similar ones the smallest number is best. */
export function isNearer(one: Nearest, best: Nearest | undefined): boolean {
  if (best === undefined || one.similarity > best.similarity) return true;
  return one.similarity === best.similarity && one.cluster < best.cluster;
}

/** The most similar first; equally similar ones in the order of their numbers. */
export function bySimilarity(a: SimilarPair, b: SimilarPair): number {
  return b.similarity - a.similarity || a.first - b.first || a.second - b.second;
}
