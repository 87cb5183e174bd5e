import { describe, expect, it } from '@jest/globals';
import { parameters, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { crowdedKeys, growingKeys, longPrefixKeys, monotonousKeys, ODD_KEYS, plainKeys } from '../test/keys.js';
import { type Cut, cutsOf, LARGEST_PART, REACH, WINDOW } from './cuts.js';
import { groupStarts, pieceStarts } from './pieces.js';

const SMALLEST_PIECE = 8;
/** How many items around a cut of a piece decide about it. */
const PIECE_REACH = REACH - WINDOW - LARGEST_PART;

const sizesOf = (starts: readonly number[], length: number): number[] =>
  [0, ...starts].map((at, index) => (starts[index] ?? length) - at);

const sortedKeys = (minLength: number, maxLength: number) =>
  fc
    .uniqueArray(
      fc.oneof(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 14 }),
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.integer({ min: 0, max: 9999 }).map((number) => `page/${number}`),
        fc.constantFrom(...ODD_KEYS),
      ),
      { minLength, maxLength, size: 'max' },
    )
    .map((keys) => keys.sort());

const pools: [string, string[]][] = [
  ['plain', plainKeys(2000)],
  ['with long prefixes', longPrefixKeys(600)],
  ['growing', growingKeys(600)],
  ['rising', monotonousKeys(1500, 'rising')],
  ['falling', monotonousKeys(1500, 'falling')],
  ['crowded', crowdedKeys(1500)],
];
const anyPool = fc.constantFrom(...pools.map(([, keys]) => keys));

describe(`where parts begin (seed ${SEED})`, () => {
  it.each(pools)('is bounded for keys that are %s', (_, keys) => {
    const cuts = cutsOf(keys);
    const sizes = sizesOf(
      cuts.slice(1).map(({ at }) => at),
      keys.length,
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_PART);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(SMALLEST_PIECE);
    if (cuts.every(({ anchor }) => anchor)) expect(Math.min(...sizes)).toBeGreaterThan(WINDOW);
  });

  it('is about every 33 items', () => {
    const keys = plainKeys(50_000);
    const mean = keys.length / cutsOf(keys).length;
    expect(mean).toBeGreaterThan(31);
    expect(mean).toBeLessThan(35);
  });

  it('has anchors where keys are not made for it, and pieces where they are', () => {
    expect(cutsOf(pools[0]?.[1] ?? []).every(({ anchor }) => anchor)).toBe(true);
    expect(cutsOf(pools[3]?.[1] ?? []).filter(({ anchor }) => anchor)).toEqual([{ at: 0, anchor: true }]);
  });

  it('is bounded for any keys', () => {
    fc.assert(
      fc.property(sortedKeys(0, 400), (keys) => {
        const cuts = cutsOf(keys);
        const sizes = sizesOf(
          cuts.slice(1).map(({ at }) => at),
          keys.length,
        );
        expect(cuts.length).toBe(keys.length === 0 ? 0 : sizes.length);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_PART);
        if (cuts.length > 1) expect(Math.min(...sizes)).toBeGreaterThanOrEqual(SMALLEST_PIECE);
      }),
      parameters(100),
    );
  });

  it('follows from the keys around it alone', () => {
    fc.assert(
      fc.property(anyPool, fc.nat(), fc.nat({ max: 40 }), fc.nat({ max: 40 }), (pool, place, drop, add) => {
        const at = place % pool.length;
        const added = Array.from({ length: add }, (_, index) => `${pool[at] ?? ''}+${index}`).sort();
        const edited = [...pool.slice(0, at), ...added, ...pool.slice(at + drop)];
        const shift = edited.length - pool.length;
        const [before, after] = [cutsOf(pool), cutsOf(edited)];
        const left = (cut: Cut): boolean => cut.at <= at - REACH;
        const right = (cut: Cut): boolean => cut.at >= at + drop + REACH;
        expect(after.filter(left)).toEqual(before.filter(left));
        expect(after.filter((cut) => right({ ...cut, at: cut.at - shift }))).toEqual(
          before.filter(right).map((cut) => ({ ...cut, at: cut.at + shift })),
        );
      }),
      parameters(200),
    );
  });
});

describe(`pieces (seed ${SEED})`, () => {
  it('a round makes groups of two to four, at most six at the ends', () => {
    fc.assert(
      fc.property(sortedKeys(2, 300), (keys) => {
        const sizes = sizesOf(groupStarts(keys), keys.length);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(6);
        expect(Math.max(0, ...sizes.slice(1, -1))).toBeLessThanOrEqual(4);
      }),
      parameters(200),
    );
  });

  it('follow from the keys around them alone', () => {
    fc.assert(
      fc.property(anyPool, fc.nat(), fc.nat({ max: 30 }), (pool, place, drop) => {
        const at = place % pool.length;
        const edited = [...pool.slice(0, at), ...pool.slice(at + drop)];
        const shift = edited.length - pool.length;
        const [before, after] = [pieceStarts(pool), pieceStarts(edited)];
        expect(after.filter((start) => start <= at - PIECE_REACH)).toEqual(
          before.filter((start) => start <= at - PIECE_REACH),
        );
        expect(after.filter((start) => start - shift >= at + drop + PIECE_REACH)).toEqual(
          before.filter((start) => start >= at + drop + PIECE_REACH).map((start) => start + shift),
        );
      }),
      parameters(200),
    );
  });
});
