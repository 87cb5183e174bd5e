import fc from 'fast-check';
import { type Edit } from '../write.js';
import { type Json } from '../json.js';
import { growingKeys, longPrefixKeys, monotonousKeys, ODD_KEYS, plainKeys, unevenKeys } from './keys.js';

/** Keys to draw from; each pool is long enough for trees of several levels or stretches without an anchor. */
export const POOLS: readonly (readonly string[])[] = [
  plainKeys(3000),
  longPrefixKeys(500),
  growingKeys(300),
  monotonousKeys(1500, 'rising'),
  monotonousKeys(1500, 'falling'),
  unevenKeys(1000),
  ODD_KEYS,
];

/** Some value of any form; only few different ones, so that equal ones meet. */
export const values: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, '', 'é\ud800', [], {}, { b: 1, a: [{ 10: 1, 2: 2 }] }) },
  {
    weight: 1,
    arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
  },
);

/** Draws of one pool: a map to begin with, and edits in groups. */
export interface History {
  readonly initial: readonly (readonly [string, Json])[];
  readonly groups: readonly (readonly Edit[])[];
}

const keysOf = (pool: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pool) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...pool), fc.nat({ max: 2 })).map(([key, end]) => `${key}~${end}`),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) },
  );

const editsOf = (pool: readonly string[]): fc.Arbitrary<Edit> =>
  fc.tuple(keysOf(pool), fc.option(values, { nil: undefined, freq: 2 }));

/** A stretch of neighbouring keys that go, or come. */
const sweeps = (pool: readonly string[]): fc.Arbitrary<Edit[]> =>
  fc
    .tuple(fc.nat({ max: pool.length - 1 }), fc.integer({ min: 1, max: 400 }), fc.boolean())
    .map(([start, size, come]) => pool.slice(start, start + size).map((key): Edit => [key, come ? 7 : undefined]));

/** Histories of every pool; the map to begin with may be empty, or all of the pool. */
export const histories: fc.Arbitrary<History> = fc.constantFrom(...POOLS).chain((pool) =>
  fc.record({
    initial: fc
      .tuple(fc.constantFrom(0, 0.01, 0.1, 1, 1), fc.array(fc.tuple(keysOf(pool), values), { maxLength: 20 }))
      .map(([share, more]) => [...thinned(pool, share), ...more]),
    groups: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.array(editsOf(pool), { minLength: 1, maxLength: 4 }) },
        { weight: 1, arbitrary: fc.array(editsOf(pool), { maxLength: 200, size: 'max' }) },
        { weight: 1, arbitrary: sweeps(pool) },
      ),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);

const thinned = (pool: readonly string[], share: number): [string, Json][] =>
  pool.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share)).map((key) => [key, 1]);

/** What edits do to a plain map. */
export function applyToMap(map: ReadonlyMap<string, Json>, edits: readonly Edit[]): Map<string, Json> {
  const after = new Map(map);
  for (const [key, value] of edits) {
    if (value === undefined) after.delete(key);
    else after.set(key, value);
  }
  return after;
}

/** The entries of a map in the order of a tree. */
export const sorted = (map: ReadonlyMap<string, Json>): [string, Json][] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1));
