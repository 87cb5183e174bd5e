import { denseVector, type Vector } from '../weights/vector.js';
import {
  bySimilarity,
  isNearer,
  type Centroids,
  type Nearest,
  type SimilarPair,
  type StoredCentroid,
} from './centroid.js';

interface Centroid {
  size: number;
  sum: Float32Array;
  /** The sum as a vector of length 1. */
  unit: Float32Array;
}

type Clusters = Map<number, Centroid>;

/** Centroids of vectors of a model: each cluster is compared, since all numbers of such vectors count. */
export function denseCentroids(stored: Iterable<StoredCentroid>): Centroids {
  const clusters: Clusters = new Map();
  for (const { cluster, size, sum } of stored)
    if (sum.kind === 'dense') put(clusters, cluster, size, sum.values.slice());
  return {
    get size() {
      return clusters.size;
    },
    get bytes() {
      const [first] = clusters.values();
      return clusters.size * 2 * (first?.sum.byteLength ?? 0);
    },
    numbers: () => [...clusters.keys()].sort((a, b) => a - b),
    has: (cluster) => clusters.has(cluster),
    centroidOf(cluster) {
      const known = clusters.get(cluster);
      return known === undefined ? undefined : { kind: 'dense', values: known.unit.slice() };
    },
    add: (cluster, vector) => change(clusters, cluster, vector, 1),
    subtract: (cluster, vector) => change(clusters, cluster, vector, -1),
    unite: (into, from) => unite(clusters, into, from),
    remove: (cluster) => void clusters.delete(cluster),
    nearest: (vector, mayBe) => (vector.kind === 'dense' ? nearest(vector.values, clusters, mayBe) : undefined),
    similarPairs: (least, of = clusters.keys()) => similarPairs(clusters, least, of),
    reweigh: () => undefined,
    stored: () =>
      [...clusters].map(([cluster, { size, sum }]) => ({ cluster, size, sum: { kind: 'dense', values: sum.slice() } })),
  };
}

function put(clusters: Clusters, cluster: number, size: number, sum: Float32Array): void {
  if (size <= 0) clusters.delete(cluster);
  else clusters.set(cluster, { size, sum, unit: denseVector(sum).values });
}

function change(clusters: Clusters, cluster: number, vector: Vector, sign: 1 | -1): void {
  if (vector.kind !== 'dense') throw new TypeError('Centroids of a model take vectors of a model');
  const { values } = vector;
  const known = clusters.get(cluster);
  if (known === undefined) {
    if (sign > 0) put(clusters, cluster, 1, values.slice());
    return;
  }
  if (known.sum.length !== values.length) throw new RangeError('Vectors of one version have one length');
  const sum = known.sum.map((value, index) => value + sign * (values[index] ?? 0));
  put(clusters, cluster, known.size + sign, sum);
}

function unite(clusters: Clusters, into: number, from: number): void {
  const [a, b] = [clusters.get(into), clusters.get(from)];
  if (a === undefined || b === undefined) return;
  clusters.delete(from);
  const sum = a.sum.map((value, index) => value + (b.sum[index] ?? 0));
  put(clusters, into, a.size + b.size, sum);
}

function nearest(
  values: Float32Array,
  clusters: ReadonlyMap<number, Centroid>,
  mayBe?: (cluster: number) => boolean,
): Nearest | undefined {
  let best: Nearest | undefined;
  for (const [cluster, { unit }] of clusters) {
    if (unit.length !== values.length || mayBe?.(cluster) === false) continue;
    const one = { cluster, similarity: product(values, unit) };
    if (isNearer(one, best)) best = one;
  }
  return best;
}

function similarPairs(clusters: ReadonlyMap<number, Centroid>, least: number, of: Iterable<number>): SimilarPair[] {
  const pairs: SimilarPair[] = [];
  for (const first of of) {
    const known = clusters.get(first);
    if (known === undefined) continue;
    for (const [second, { unit }] of clusters) {
      if (second <= first || unit.length !== known.unit.length) continue;
      const similarity = product(known.unit, unit);
      if (similarity >= least) pairs.push({ first, second, similarity });
    }
  }
  return pairs.sort(bySimilarity);
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
