/**
 * The adjusted Rand index of two partitions of the same items: 1 for equal ones, about 0 for unrelated ones.
 * Hubert and Arabie, "Comparing partitions", Journal of Classification 2 (1985).
 */
export function adjustedRandIndex(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  if (a.length !== b.length) throw new RangeError('Both partitions have to be of the same items');
  const pairsOf = (keys: readonly string[]): number => {
    const sizes = new Map<string, number>();
    for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
    return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  };
  const together = pairsOf(a.map((group, index) => `${group} ${b[index]}`));
  const [inA, inB] = [pairsOf(a.map(String)), pairsOf(b.map(String))];
  const all = (a.length * (a.length - 1)) / 2;
  const expected = all === 0 ? 0 : (inA * inB) / all;
  const most = (inA + inB) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}
