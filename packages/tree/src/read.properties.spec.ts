import { describe, expect, it } from '@jest/globals';
import { parameters, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { type Bounds } from './spans.js';
import { build } from './write.js';
import { get, getMany, count, range } from './read.js';
import { type Json } from './json.js';
import { layered, noParts, isLeaf } from './part.js';
import { applyToMap, histories, POOLS, sorted } from './test/model.js';
import { ODD_KEYS } from './test/keys.js';
import { createStore } from './test/store.js';

const keys = fc.oneof(fc.constantFrom(...POOLS.flat()), fc.constantFrom(...ODD_KEYS), fc.string({ maxLength: 3 }));

const bounds: fc.Arbitrary<Bounds> = fc.record(
  {
    from: keys,
    to: keys,
    prefix: fc.tuple(keys, fc.nat({ max: 12 })).map(([key, length]) => key.slice(0, length)),
  },
  { requiredKeys: [] },
);

const isWithin = (key: string, { from = '', to, prefix = '' }: Bounds): boolean =>
  key >= from && (to === undefined || key < to) && key.startsWith(prefix);

const trees = histories.map(({ initial }) => {
  const map = applyToMap(new Map<string, Json>(), initial);
  return { entries: sorted(map), map, ...build(map) };
});

describe(`reading (seed ${SEED})`, () => {
  it('a range and a count give what a map has', async () => {
    await fc.assert(
      fc.asyncProperty(trees, bounds, async ({ entries, root, parts }, within) => {
        const store = layered(noParts, parts);
        const expected = entries.filter(([key]) => isWithin(key, within));
        expect(await range(store, root, within)).toEqual(expected);
        expect(await range(store, root, { ...within, reverse: true })).toEqual(expected.toReversed());
        expect(await count(store, root, within)).toBe(expected.length);
      }),
      parameters(150),
    );
  });

  it('a limit gives the first or the last entries, and reads few leaves more than it takes', async () => {
    await fc.assert(
      fc.asyncProperty(
        trees,
        bounds,
        fc.nat({ max: 80 }),
        fc.boolean(),
        async ({ entries, root, parts }, within, limit, reverse) => {
          const store = createStore(parts);
          const expected = entries.filter(([key]) => isWithin(key, within));
          const wanted = (reverse ? expected.toReversed() : expected).slice(0, limit);
          expect(await range(store, root, { ...within, limit, reverse })).toEqual(wanted);
          const leaves = store.read.flatMap((name) => store.parts.get(name) ?? []).filter(isLeaf);
          const held = leaves.reduce((sum, { entries: own }) => sum + own.length, 0);
          expect(held).toBeLessThanOrEqual(limit + 3 * 128);
        },
      ),
      parameters(150),
    );
  });

  it('a count reads two parts a level at most', async () => {
    await fc.assert(
      fc.asyncProperty(trees, bounds, async ({ root, parts }, within) => {
        const store = createStore(parts);
        await count(store, root, within);
        const levels = store.batches;
        expect(store.read.length).toBeLessThanOrEqual(2 * levels);
        expect(levels).toBeLessThanOrEqual(5);
      }),
      parameters(80),
    );
  });

  it('keys give their values, each level in one batch', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.array(keys, { maxLength: 40 }), async ({ entries, map, root, parts }, others) => {
        const store = createStore(parts);
        const wanted = [...others, ...entries.filter((_, at) => at % 50 === 0).map(([key]) => key)];
        const found = await getMany(store, root, wanted);
        expect(store.batches).toBeLessThanOrEqual(5);
        expect(new Set(store.read).size).toBe(store.read.length);
        expect(sorted(found)).toEqual(sorted(new Map(entries.filter(([key]) => wanted.includes(key)))));
        for (const key of wanted.slice(0, 5)) expect(await get(store, root, key)).toEqual(map.get(key));
      }),
      parameters(80),
    );
  });
});
