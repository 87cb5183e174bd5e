/**
 * A map from ids to values for aggregate states with many entries. It is immutable plain JSON. A change copies one of
 * 256 buckets and not the whole map.
 */
export interface Keyed<V> {
  readonly size: number;
  readonly buckets: Readonly<Record<string, Readonly<Record<string, V>>>>;
}

export const emptyKeyed: Keyed<never> = { size: 0, buckets: {} };

/** The value of `key`, or undefined. */
export function keyedGet<V>(keyed: Keyed<V>, key: string): V | undefined {
  const bucket = keyed.buckets[bucketOf(key)];
  return bucket !== undefined && Object.hasOwn(bucket, key) ? bucket[key] : undefined;
}

/** The map with `value` for `key`. */
export function keyedPut<V>(keyed: Keyed<V>, key: string, value: V): Keyed<V> {
  const name = bucketOf(key);
  const bucket = keyed.buckets[name] ?? {};
  const size = keyed.size + (Object.hasOwn(bucket, key) ? 0 : 1);
  return { size, buckets: { ...keyed.buckets, [name]: { ...bucket, [key]: value } } };
}

/** The map without `key`. */
export function keyedDrop<V>(keyed: Keyed<V>, key: string): Keyed<V> {
  const name = bucketOf(key);
  const bucket = keyed.buckets[name];
  if (bucket === undefined || !Object.hasOwn(bucket, key)) return keyed;
  const { [key]: _, ...rest } = bucket;
  return { size: keyed.size - 1, buckets: { ...keyed.buckets, [name]: rest } };
}

/** Every entry, in no particular order. */
export function keyedEntries<V>(keyed: Keyed<V>): [key: string, value: V][] {
  return Object.values(keyed.buckets).flatMap((bucket) => Object.entries(bucket));
}

/** FNV-1a of the key, modulo 256, as two hexadecimal digits. */
function bucketOf(key: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash & 0xff).toString(16);
}
