import { describe, expect, it } from '@jest/globals';
import { parameters, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { apply, type Edit, build } from './write.js';
import { getMany, count, range, walk } from './read.js';
import { layered, noParts, countOf, decodePart, EMPTY_ROOT, encodePart, isLeaf, nameOf } from './part.js';
import { applyToMap, histories, sorted } from './test/model.js';
import { createStore } from './test/store.js';

const namesOf = async (names: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  return all;
};

describe(`edits (seed ${SEED})`, () => {
  it('give the tree that is built of the same entries, and its new parts alone', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ initial, groups }) => {
        let map = applyToMap(new Map(), initial);
        const first = build(initial);
        const store = createStore(first.parts);
        let { root } = first;
        for (const edits of groups) {
          map = applyToMap(map, edits);
          const before = new Set(await namesOf(walk(store, root)));
          const written = await apply(store, root, edits);
          const expected = build(map);
          expect(written.root).toBe(expected.root);
          const wanted = expected.parts.map(({ name }) => name).filter((name) => !before.has(name));
          expect(written.parts.map(({ name }) => name).sort()).toEqual(wanted.sort());
          store.add(written.parts);
          root = written.root;
        }
        expect(await range(store, root)).toEqual(sorted(map));
        expect(await count(store, root)).toBe(map.size);
      }),
      parameters(60),
    );
  });

  it('give the same whatever their grouping and order', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat()), async ({ initial, groups }, random) => {
        // Keys once each, so that the order cannot matter.
        const edits = [...new Map<string, Edit>(groups.flat().map((edit) => [edit[0], edit]))].map(([, edit]) => edit);
        const { root, parts } = build(initial);
        const store = layered(noParts, parts);
        const batched = await apply(store, root, edits);
        const shuffled = edits
          .map((edit): [number, Edit] => [Number(random.next().value), edit])
          .sort(([left], [right]) => left - right)
          .map(([, edit]) => edit);
        let one = { root, parts };
        let read = store;
        const size = Math.max(1, Math.floor(shuffled.length / 8));
        for (let start = 0; start < shuffled.length; start += size) {
          one = { ...(await apply(read, one.root, shuffled.slice(start, start + size))) };
          read = layered(read, one.parts);
        }
        expect(one.root).toBe(batched.root);
      }),
      parameters(30),
    );
  });

  it('that are taken back lead back, and those that change nothing write nothing', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ initial, groups }) => {
        const { root, parts } = build(initial);
        const store = createStore(parts);
        const edits = groups.flat();
        const values = await getMany(
          store,
          root,
          edits.map(([key]) => key),
        );
        const same = [...edits.map(([key]): Edit => [key, values.get(key)])];
        expect(await apply(store, root, same)).toEqual({ root, parts: [] });
        const there = await apply(store, root, edits);
        const back = await apply(layered(store, there.parts), there.root, same);
        expect(back.root).toBe(root);
        expect(
          back.parts.filter(({ name }) => !store.parts.has(name) && !there.parts.some((part) => part.name === name)),
        ).toEqual([]);
      }),
      parameters(60),
    );
  });

  it('make parts that prove themselves, and are bounded', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ initial, groups }) => {
        const { root, parts } = build(initial);
        const written = await apply(layered(noParts, parts), root, groups.flat());
        for (const { name, text, part } of [...parts, ...written.parts]) {
          expect(nameOf(part)).toBe(name);
          expect(encodePart(decodePart(text))).toBe(text);
          expect(JSON.parse(text)).toEqual(JSON.parse(encodePart(part)));
          const items = isLeaf(part) ? part.entries.length : part.children.length;
          expect(items).toBeLessThanOrEqual(128);
          if (name !== root && name !== written.root) expect(items).toBeGreaterThanOrEqual(8);
          expect(countOf(part)).toBeGreaterThan(0);
        }
      }),
      parameters(30),
    );
  });

  it('of all keys lead to the empty tree', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ initial }) => {
        const { root, parts } = build(initial);
        const removals = initial.map(([key]): Edit => [key, undefined]);
        expect(await apply(layered(noParts, parts), root, removals)).toEqual({ root: EMPTY_ROOT, parts: [] });
      }),
      parameters(20),
    );
  });
});
