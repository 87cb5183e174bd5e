import { termVector, type Vector } from '../weights/vector.js';
import type { Centroids, StoredCentroid } from './centroid.js';
import { added, dropCentroid, nearestIn, pairsIn, putCentroid, type TermIndex } from './term-index.js';

/** What a centroid of terms takes, with its place in the index. */
const bytesEach = 6 * 1024;

/** Centroids of vectors of terms: only clusters that share a term with a vector are looked at. */
export function termCentroids(stored: Iterable<StoredCentroid>): Centroids {
  const index: TermIndex = { clusters: new Map(), postings: new Map() };
  const { clusters } = index;
  for (const { cluster, size, sum } of stored)
    if (sum.kind === 'terms') putCentroid(index, cluster, { language: sum.language, size, sum: sum.terms });
  return {
    get size() {
      return clusters.size;
    },
    get bytes() {
      return clusters.size * bytesEach;
    },
    numbers: () => [...clusters.keys()].sort((a, b) => a - b),
    has: (cluster) => clusters.has(cluster),
    centroidOf(cluster) {
      const known = clusters.get(cluster);
      return known === undefined ? undefined : termVector(known.language, known.sum);
    },
    add: (cluster, vector) => change(index, cluster, vector, 1),
    subtract: (cluster, vector) => change(index, cluster, vector, -1),
    unite: (into, from) => unite(index, into, from),
    remove: (cluster) => dropCentroid(index, cluster),
    nearest: (vector, mayBe) => (vector.kind === 'terms' ? nearestIn(index, vector, mayBe) : undefined),
    similarPairs: (least, of = clusters.keys()) => pairsIn(index, least, of),
    reweigh(factorOf) {
      for (const [cluster, { language, size, sum }] of [...clusters])
        putCentroid(index, cluster, {
          language,
          size,
          sum: [...sum].map(([term, weight]) => [term, weight * factorOf(term, language)] as const),
        });
    },
    stored: () =>
      [...clusters].map(([cluster, { language, size, sum }]) => ({
        cluster,
        size,
        sum: { kind: 'terms', language, terms: [...sum] },
      })),
  };
}

/** An issue of another language than its cluster, moved there by a person, does not change the centroid. */
function change(index: TermIndex, cluster: number, vector: Vector, sign: 1 | -1): void {
  if (vector.kind !== 'terms') throw new TypeError('Centroids of terms take vectors of terms');
  const known = index.clusters.get(cluster);
  const { language } = vector;
  if (known === undefined ? sign < 0 : known.language !== language) return;
  putCentroid(index, cluster, {
    language,
    size: (known?.size ?? 0) + sign,
    sum: added(known?.sum ?? [], vector.terms, sign),
  });
}

function unite(index: TermIndex, into: number, from: number): void {
  const [a, b] = [index.clusters.get(into), index.clusters.get(from)];
  if (a === undefined || b === undefined || a.language !== b.language) return;
  dropCentroid(index, from);
  putCentroid(index, into, { language: a.language, size: a.size + b.size, sum: added(a.sum, b.sum) });
}
