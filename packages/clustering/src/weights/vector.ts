/** A text as its strongest terms, of length 1. Vectors of different languages have nothing in common. */
export interface TermVector {
  kind: 'terms';
  language: string;
  /** The strongest first. */
  terms: readonly (readonly [term: string, weight: number])[];
}

/** A text as a model sees it, of length 1. */
export interface DenseVector {
  kind: 'dense';
  values: Float32Array;
}

export type Vector = TermVector | DenseVector;

/** A vector has at most as many terms. */
export const mostVectorTerms = 64;

/** The strongest terms of a sum, the strongest first; equal ones in the order of their characters. */
export function strongest(weights: Iterable<readonly [string, number]>, most = mostVectorTerms): [string, number][] {
  return [...weights]
    .filter(([, weight]) => weight > 0)
    .map(([term, weight]): [string, number] => [term, weight])
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .slice(0, most);
}

/** A vector of length 1 of the strongest terms. Without terms it has none. */
export function termVector(language: string, weights: Iterable<readonly [string, number]>): TermVector {
  const terms = strongest(weights);
  const length = Math.hypot(...terms.map(([, weight]) => weight));
  return { kind: 'terms', language, terms: terms.map(([term, weight]) => [term, weight / length]) };
}

/** A vector of length 1. Zeros alone stay zeros. */
export function denseVector(numbers: ArrayLike<number>): DenseVector {
  const values = Float32Array.from(numbers);
  let sum = 0;
  for (const value of values) sum += value * value;
  const length = Math.sqrt(sum);
  return { kind: 'dense', values: length > 0 ? values.map((value) => value / length) : values };
}

export function isEmpty(vector: Vector): boolean {
  return vector.kind === 'terms' ? vector.terms.length === 0 : vector.values.every((value) => value === 0);
}

/** How alike two vectors are: 1 for the same direction, 0 for nothing in common. */
export function cosine(a: Vector, b: Vector): number {
  if (a.kind === 'terms' && b.kind === 'terms') {
    if (a.language !== b.language) return 0;
    const weights = new Map(a.terms);
    return b.terms.reduce((sum, [term, weight]) => sum + weight * (weights.get(term) ?? 0), 0);
  }
  if (a.kind === 'dense' && b.kind === 'dense' && a.values.length === b.values.length) {
    let sum = 0;
    for (const [index, value] of a.values.entries()) sum += value * (b.values[index] ?? 0);
    return sum;
  }
  return 0;
}

/** The terms for which two vectors are alike, the strongest first: why an issue is in its cluster. */
export function sharedTerms(a: Vector, b: Vector, most = 5): string[] {
  if (a.kind !== 'terms' || b.kind !== 'terms' || a.language !== b.language) return [];
  const weights = new Map(a.terms);
  const shared = b.terms.map(([term, weight]): [string, number] => [term, weight * (weights.get(term) ?? 0)]);
  return strongest(shared, most).map(([term]) => term);
}
