import { describe, expect, it } from '@jest/globals';
import { parameters, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { apply, build } from './write.js';
import { diff, type Difference } from './diff.js';
import { isSame, type Json } from './json.js';
import { layered, noParts } from './part.js';
import { type Conflict, merge, type Resolution, type Sides } from './merge.js';
import { applyToMap, type History, histories } from './test/model.js';
import { createStore } from './test/store.js';
import { walk } from './read.js';

type JsonMap = ReadonlyMap<string, Json>;

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const keysOf = (...maps: JsonMap[]): string[] => [...new Set(maps.flatMap((map) => [...map.keys()]))].sort();

/** Members that are there: `undefined` stands for none. */
const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

const differencesOf = (before: JsonMap, after: JsonMap): Difference[] =>
  keysOf(before, after)
    .filter((key) => !isSame(before.get(key), after.get(key)))
    .map((key) => given({ key, before: before.get(key), after: after.get(key) }) as Difference);

/** A history split in two: both sides begin with the same map. */
const sidesOf = ({ initial, groups }: History) => {
  const base = applyToMap(new Map<string, Json>(), initial);
  const half = Math.ceil(groups.length / 2);
  return {
    base,
    ours: applyToMap(base, groups.slice(0, half).flat()),
    theirs: applyToMap(base, groups.slice(half).flat()),
  };
};

/** Decides by what is in dispute alone, so that both merges decide alike. */
const decide = ({ base, ours, theirs }: Sides): Resolution => {
  if (ours === undefined || theirs === undefined) return base === 1 ? { kind: 'removed' } : { kind: 'conflict' };
  return isSame(ours, 7) ? { kind: 'conflict' } : { kind: 'value', value: [ours, theirs] };
};

function mergeMaps(
  base: JsonMap,
  ours: JsonMap,
  theirs: JsonMap,
): { merged: Map<string, Json>; conflicts: Conflict[] } {
  const merged = new Map(ours);
  const conflicts: Conflict[] = [];
  const put = (key: string, value: Json | undefined) =>
    value === undefined ? merged.delete(key) : merged.set(key, value);
  for (const key of keysOf(base, ours, theirs)) {
    const [old, our, their] = [base.get(key), ours.get(key), theirs.get(key)];
    if (isSame(old, their) || isSame(our, their)) continue;
    if (isSame(old, our)) {
      put(key, their);
      continue;
    }
    const sides: Sides = given({ base: old, ours: our, theirs: their }) as Sides;
    const resolution = decide(sides);
    if (resolution.kind === 'conflict') conflicts.push({ key, ...sides });
    else put(key, resolution.kind === 'value' ? resolution.value : undefined);
  }
  return { merged, conflicts };
}

describe(`comparing (seed ${SEED})`, () => {
  it('a difference is that of two maps, in order', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat({ max: 8 }), async (history, length) => {
        const { ours, theirs } = sidesOf(history);
        const [left, right] = [build(ours), build(theirs)];
        const store = layered(noParts, [...left.parts, ...right.parts]);
        const expected = differencesOf(ours, theirs);
        expect(await all(diff(store, left.root, right.root))).toEqual(expected);
        const prefix = (expected[0]?.key ?? '').slice(0, length);
        expect(await all(diff(store, left.root, right.root, { prefix }))).toEqual(
          expected.filter(({ key }) => key.startsWith(prefix)),
        );
      }),
      parameters(80),
    );
  });

  it('no part below the roots that both trees have is read, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { base, ours } = sidesOf(history);
        const [left, right] = [build(base), build(ours)];
        const store = createStore([...left.parts, ...right.parts]);
        const names = [new Set(await all(walk(store, left.root))), new Set(await all(walk(store, right.root)))];
        store.reset();
        await all(diff(store, left.root, right.root));
        const { read } = store.reset();
        const below = read.filter((name) => name !== left.root && name !== right.root);
        expect(below.filter((name) => names.every((tree) => tree.has(name)))).toEqual([]);
        expect(new Set(read).size).toBe(read.length);
      }),
      parameters(80),
    );
  });

  it('a merge is that of three maps, and both sides lead to the same where nothing is in dispute', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { base, ours, theirs } = sidesOf(history);
        const [old, our, their] = [build(base), build(ours), build(theirs)];
        const store = createStore([...old.parts, ...our.parts, ...their.parts]);
        const roots = { base: old.root, ours: our.root, theirs: their.root };
        const result = await merge(store, roots, (_, sides) => decide(sides));
        const { merged, conflicts } = mergeMaps(base, ours, theirs);
        expect(result.root).toBe(build(merged).root);
        expect(result.conflicts).toEqual(conflicts);
        if (conflicts.length > 0) return;
        const swapped = await merge(
          store,
          { ...roots, ours: their.root, theirs: our.root },
          (_, { base: from, ...sides }) =>
            decide(given({ base: from, ours: sides.theirs, theirs: sides.ours }) as Sides),
        );
        expect(swapped.root).toBe(result.root);
      }),
      parameters(80),
    );
  });

  it('differences lead from one tree to the other', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { ours, theirs } = sidesOf(history);
        const [left, right] = [build(ours), build(theirs)];
        const store = layered(noParts, [...left.parts, ...right.parts]);
        const differences = await all(diff(store, left.root, right.root));
        const edits = differences.map(({ key, after }) => [key, after] as const);
        expect((await apply(store, left.root, edits)).root).toBe(right.root);
      }),
      parameters(50),
    );
  });
});
