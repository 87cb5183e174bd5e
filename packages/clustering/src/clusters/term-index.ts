import { strongest } from '../weights/vector.js';
import { bySimilarity, isNearer, type Nearest, type SimilarPair } from './centroid.js';

export interface TermCentroid {
  language: string;
  size: number;
  /** The strongest first. */
  sum: ReadonlyMap<string, number>;
  length: number;
}

type Weighted = Iterable<readonly [term: string, weight: number]>;

/** Centroids, and for each term of a language the clusters whose centroid has it, with its weight there. */
export interface TermIndex {
  clusters: Map<number, TermCentroid>;
  postings: Map<string, Map<number, number>>;
}

const keyOf = (language: string, term: string): string => `${language} ${term}`;

/** Puts a sum in the place of a cluster's centroid; only its strongest terms are kept. */
export function putCentroid(
  index: TermIndex,
  cluster: number,
  { language, size, sum }: { language: string; size: number; sum: Weighted },
): void {
  dropCentroid(index, cluster);
  const terms = new Map(strongest(sum));
  if (size <= 0 || terms.size === 0) return;
  for (const [term, weight] of terms) {
    const key = keyOf(language, term);
    const posting = index.postings.get(key) ?? new Map<number, number>();
    posting.set(cluster, weight);
    index.postings.set(key, posting);
  }
  index.clusters.set(cluster, { language, size, sum: terms, length: Math.hypot(...terms.values()) });
}

export function dropCentroid({ clusters, postings }: TermIndex, cluster: number): void {
  const known = clusters.get(cluster);
  if (known === undefined) return;
  clusters.delete(cluster);
  for (const term of known.sum.keys()) {
    const key = keyOf(known.language, term);
    const posting = postings.get(key);
    posting?.delete(cluster);
    if (posting?.size === 0) postings.delete(key);
  }
}

/** The terms of two sums added. */
export function added(a: Weighted, b: Weighted, sign: 1 | -1 = 1): Map<string, number> {
  const sum = new Map(a);
  for (const [term, weight] of b) sum.set(term, (sum.get(term) ?? 0) + sign * weight);
  return sum;
}

/** The cluster that is most similar to a vector of length 1; of equally similar ones the smallest number. */
export function nearestIn(
  index: TermIndex,
  vector: { language: string; terms: Weighted },
  mayBe?: (cluster: number) => boolean,
): Nearest | undefined {
  let best: Nearest | undefined;
  for (const [cluster, product] of productsWith(index, vector.language, vector.terms)) {
    if (mayBe?.(cluster) === false) continue;
    const one = { cluster, similarity: product / lengthOf(index, cluster) };
    if (isNearer(one, best)) best = one;
  }
  return best;
}

/** Pairs of clusters that are at least as similar. */
export function pairsIn(index: TermIndex, least: number, of: Iterable<number>): SimilarPair[] {
  const pairs: SimilarPair[] = [];
  for (const first of of) {
    const known = index.clusters.get(first);
    if (known === undefined) continue;
    for (const [second, product] of productsWith(index, known.language, known.sum)) {
      const similarity = product / known.length / lengthOf(index, second);
      if (second > first && similarity >= least) pairs.push({ first, second, similarity });
    }
  }
  return pairs.sort(bySimilarity);
}

const lengthOf = ({ clusters }: TermIndex, cluster: number): number =>
  clusters.get(cluster)?.length ?? Number.POSITIVE_INFINITY;

/** The products of a sum with those of all clusters that share a term with it. */
function productsWith({ postings }: TermIndex, language: string, terms: Weighted): Map<number, number> {
  const products = new Map<number, number>();
  for (const [term, weight] of terms)
    for (const [cluster, other] of postings.get(keyOf(language, term)) ?? [])
      products.set(cluster, (products.get(cluster) ?? 0) + weight * other);
  return products;
}
