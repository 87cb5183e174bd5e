import { createRandom } from '../crash/random.js';

type Sparse = readonly (readonly [term: string, weight: number])[];

const mostRounds = 60;

/** Lloyd's k-means, seeded by k-means++, on vectors of length 1: the number of the cluster of each. */
export function kMeans(vectors: readonly Sparse[], k: number, seed: number): number[] {
  const numbers = new Map<string, number>();
  const points = vectors.map((vector) =>
    vector.map(([term, weight]) => {
      const number = numbers.get(term) ?? numbers.size;
      numbers.set(term, number);
      return [number, weight] as const;
    }),
  );
  const centres = firstCentres(points, { k, dimensions: numbers.size, seed });
  let clusters: number[] = points.map(() => -1);
  for (let round = 0; round < mostRounds; round += 1) {
    const next = nearest(points, centres);
    if (next.every((cluster, index) => cluster === clusters[index])) break;
    clusters = next;
    moveCentres(points, clusters, centres);
  }
  return clusters;
}

type Point = readonly (readonly [dimension: number, weight: number])[];

function product(point: Point, centre: Float64Array): number {
  let sum = 0;
  for (const [dimension, weight] of point) sum += weight * (centre[dimension] ?? 0);
  return sum;
}

/** Each centre is a point that is chosen the more likely the farther it is from those before. */
function firstCentres(
  points: readonly Point[],
  { k, dimensions, seed }: { k: number; dimensions: number; seed: number },
): Float64Array[] {
  const random = createRandom(seed);
  const centres: Float64Array[] = [];
  const distances = new Float64Array(points.length).fill(2);
  while (centres.length < k) {
    const total = distances.reduce((sum, distance) => sum + distance, 0);
    let left = random.next() * total;
    const found = distances.findIndex((distance) => (left -= distance) < 0);
    const centre = new Float64Array(dimensions);
    for (const [dimension, weight] of points[Math.max(found, 0)] ?? []) centre[dimension] = weight;
    centres.push(centre);
    for (const [index, point] of points.entries())
      distances[index] = Math.min(distances[index] ?? 0, Math.max(2 - 2 * product(point, centre), 0));
  }
  return centres;
}

function nearest(points: readonly Point[], centres: readonly Float64Array[]): number[] {
  const squares = centres.map((centre) => centre.reduce((sum, value) => sum + value * value, 0));
  return points.map((point) => {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, centre] of centres.entries()) {
      const distance = (squares[index] ?? 0) - 2 * product(point, centre);
      if (distance < least) [best, least] = [index, distance];
    }
    return best;
  });
}

/** A centre without points stays where it is. */
function moveCentres(points: readonly Point[], clusters: readonly number[], centres: readonly Float64Array[]): void {
  const sizes = new Map<number, number>();
  for (const cluster of clusters) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  for (const cluster of sizes.keys()) centres[cluster]?.fill(0);
  for (const [index, point] of points.entries()) {
    const cluster = clusters[index] ?? 0;
    const centre = centres[cluster];
    const size = sizes.get(cluster) ?? 1;
    if (centre !== undefined)
      for (const [dimension, weight] of point) centre[dimension] = (centre[dimension] ?? 0) + weight / size;
  }
}
