import { describe, expect, it } from '@jest/globals';
import { apply, type Edit, build } from './write.js';
import { diff } from './diff.js';
import { get, range } from './read.js';
import { crowdedKeys, longPrefixKeys, monotonousKeys, plainKeys } from './test/keys.js';
import { createStore } from './test/store.js';

const values = (keys: readonly string[]): [string, number][] => keys.map((key) => [key, 0]);

/** Edits at places all over a map: a value that changes, a key that comes, a key that goes. */
const editsOf = (keys: readonly string[]): [kind: 'changed' | 'added' | 'removed', edit: Edit][] =>
  keys
    .filter((_, at) => at % 37 === 0)
    .flatMap((key) => [
      ['changed', [key, 1]],
      ['added', [`${key}+`, 1]],
      ['removed', [key, undefined]],
    ]);

/** The most parts that one edit writes and reads. */
async function most(keys: readonly string[], kinds: readonly string[]): Promise<{ written: number; read: number }> {
  const { root, parts } = build(values(keys));
  const store = createStore(parts);
  const figures = { written: 0, read: 0 };
  for (const [kind, edit] of editsOf(keys)) {
    if (!kinds.includes(kind)) continue;
    store.reset();
    const { parts: made } = await apply(store, root, [edit]);
    const { read } = store.reset();
    expect(new Set(read).size).toBe(read.length);
    figures.written = Math.max(figures.written, made.length);
    figures.read = Math.max(figures.read, read.length);
  }
  return figures;
}

const KEYS = ['added', 'removed'];

describe('what an edit costs', () => {
  it('a changed value: one part a level', async () => {
    expect(await most(plainKeys(3000), ['changed'])).toEqual({ written: 3, read: 3 });
    expect(await most(monotonousKeys(1500, 'rising'), ['changed'])).toEqual({ written: 2, read: 2 });
  });

  it('a key that comes or goes: a few parts around it', async () => {
    const { written, read } = await most(plainKeys(3000), KEYS);
    expect(written).toBeLessThanOrEqual(3 + 3);
    expect(read).toBeLessThanOrEqual(3 + 5);
  });

  it.each([
    ['long prefixes', longPrefixKeys(1000)],
    ['as many anchors as there can be', crowdedKeys(1500)],
  ])('no more where keys have %s', async (_, keys) => {
    const { written, read } = await most(keys, KEYS);
    expect(written).toBeLessThanOrEqual(3 + 4);
    expect(read).toBeLessThanOrEqual(3 + 8);
  });

  it.each(['rising', 'falling'] as const)('bounded where keys leave no anchor (%s)', async (direction) => {
    const [some, more] = [monotonousKeys(1500, direction), monotonousKeys(3000, direction)];
    for (const keys of [some, more]) {
      const { written, read } = await most(keys, KEYS);
      expect(written).toBeLessThanOrEqual(20);
      expect(read).toBeLessThanOrEqual(150);
    }
  });

  it('reads of a level come in one batch', async () => {
    const keys = plainKeys(3000);
    const { root, parts } = build(values(keys));
    const store = createStore(parts);
    await range(store, root);
    expect(store.reset().batches).toBe(3);
    const edits = keys.filter((_, at) => at % 10 === 0).map((key): Edit => [key, 1]);
    await apply(store, root, edits);
    expect(store.reset().batches).toBe(3);
    await get(store, root, keys[0] ?? '');
    expect(store.reset()).toMatchObject({ batches: 3 });
  });

  it('a difference reads what differs, on both sides', async () => {
    const keys = plainKeys(3000);
    const { root, parts } = build(values(keys));
    const store = createStore(parts);
    for (const at of [0, 1000, 2999]) {
      const changed = await apply(store, root, [[keys[at] ?? '', 1]]);
      store.add(changed.parts);
      store.reset();
      const found: unknown[] = [];
      for await (const difference of diff(store, root, changed.root)) found.push(difference);
      expect(found).toEqual([{ key: keys[at], before: 0, after: 1 }]);
      expect(store.reset().read.length).toBe(2 * 3);
    }
  });
});
