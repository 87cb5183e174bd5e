import { describe, expect, it } from '@jest/globals';
import { apply, build } from './write.js';
import { diff } from './diff.js';
import { TreeError, type TreeErrorCode } from './error.js';
import { get, getMany, count, range, walk } from './read.js';
import { type Json } from './json.js';
import {
  layered,
  noParts,
  decodePart,
  EMPTY_ROOT,
  encodePart,
  type Entry,
  type Inner,
  type Leaf,
  nameOf,
} from './part.js';
import { merge } from './merge.js';
import { ODD_KEYS, plainKeys } from './test/keys.js';
import { createStore } from './test/store.js';

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const refused = (code: TreeErrorCode, subject: object): unknown =>
  expect.objectContaining({ name: 'TreeError', code, subject });

const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** A tree of entries as they come from a caller whose types are not checked. */
const buildUntyped = (entries: readonly (readonly [unknown, unknown])[]) => build(entries as Entry[]);

const large = build(plainKeys(3000).map((key) => [key, key]));

describe('the tree without entries', () => {
  it('has a root that is known and never read', async () => {
    expect(build([])).toEqual({ root: EMPTY_ROOT, parts: [] });
    expect(EMPTY_ROOT).toBe('d801aa1fb7ddcc330a5e3173372ea6af4a3d08ec58074478e85aa5603e926658');
    expect(await get(noParts, EMPTY_ROOT, 'a')).toBeUndefined();
    expect(await range(noParts, EMPTY_ROOT)).toEqual([]);
    expect(await count(noParts, EMPTY_ROOT)).toBe(0);
    expect(await all(walk(noParts, EMPTY_ROOT))).toEqual([]);
    expect(await all(diff(noParts, EMPTY_ROOT, EMPTY_ROOT))).toEqual([]);
    expect(await apply(noParts, EMPTY_ROOT, [['a', undefined]])).toEqual({ root: EMPTY_ROOT, parts: [] });
    expect(await apply(noParts, EMPTY_ROOT, [['a', 1]])).toEqual(build([['a', 1]]));
  });

  it('differs from another in all of its entries', async () => {
    const { root, parts } = build([['a', 1]]);
    const store = layered(noParts, parts);
    expect(await all(diff(store, EMPTY_ROOT, root))).toEqual([{ key: 'a', after: 1 }]);
    expect(await all(diff(store, root, EMPTY_ROOT))).toEqual([{ key: 'a', before: 1 }]);
  });
});

describe('roots', () => {
  it('stay as they are from release to release', () => {
    expect(
      build([
        ['a', 1],
        ['b', { y: [true, null], x: 'é' }],
      ]).root,
    ).toMatchInlineSnapshot(`"abed60042fcf92e94ac4777aa75ce17a6f8d6f22ae54d9470dbcb28e1f1e91f7"`);
    expect(large.root).toMatchInlineSnapshot(`"47f83af85df72433590c0a4c5e5e0a9bd675d50fceb94e67014de9d278c2c605"`);
  });

  it('are equal for equal values, whatever the order of members, and for the last value of a key', () => {
    const value = { b: 1, a: { 10: 'x', 2: 'y' }, c: undefined };
    const same = build([['k', { a: { 2: 'y', 10: 'x' }, b: 1 }]]);
    expect(
      buildUntyped([
        ['k', 0],
        ['k', value],
      ]),
    ).toEqual(same);
    expect(same.parts[0]?.text).toBe('{"entries":[["k",{"a":{"10":"x","2":"y"},"b":1}]]}');
  });
});

describe('keys and values', () => {
  it('may be any text and any JSON', async () => {
    const entries = ODD_KEYS.toSorted().map((key): [string, Json] => [key, { [key]: key }]);
    const { root, parts } = build(entries);
    const store = layered(
      noParts,
      parts.map(({ name, text }) => ({ name, text, part: decodePart(text) })),
    );
    expect(JSON.stringify(await range(store, root))).toBe(JSON.stringify(entries));
    expect([...(await getMany(store, root, ODD_KEYS)).keys()]).toEqual(entries.map(([key]) => key));
    expect(Object.prototype).not.toHaveProperty('polluted');
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as Json;
    expect(build([['k', hostile]]).parts[0]?.text).toBe('{"entries":[["k",{"__proto__":{"polluted":true}}]]}');
  });

  it('are copied, so that a caller who changes them changes no part', async () => {
    const value = { list: [1] };
    const { root, parts } = build([['k', value]]);
    value.list.push(2);
    expect(await get(layered(noParts, parts), root, 'k')).toEqual({ list: [1] });
    expect(parts.map(({ part }) => nameOf(part))).toEqual([root]);
  });

  it.each<[string, unknown]>([
    ['a number that is none', Number.NaN],
    ['an infinite number', [Infinity]],
    ['a function', { f: () => 1 }],
    ['a bigint', 1n],
    ['a symbol', Symbol('s')],
    ['a date', new Date(0)],
    ['a map', { m: new Map() }],
    ['undefined in an array', [undefined]],
    ['a hole in an array', new Array(2)],
    ['undefined', undefined],
  ])('a value must be JSON: %s', (_, value) => {
    expect(thrownBy(() => buildUntyped([['k', value]]))).toEqual(refused('value_invalid', { key: 'k' }));
  });

  it('a value must have an end', async () => {
    const circle: Json[] = [];
    circle.push(circle);
    expect(thrownBy(() => build([['k', circle]]))).toEqual(refused('value_invalid', { key: 'k' }));
    const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
    const { root, parts } = build([['k', nested(64)]]);
    expect(await apply(layered(noParts, parts), root, [['k', nested(64)]])).toEqual({ root, parts: [] });
    expect((await apply(layered(noParts, parts), root, [['k', nested(63)]])).parts).toHaveLength(1);
    expect(thrownBy(() => build([['k', nested(65)]]))).toEqual(refused('value_invalid', { key: 'k' }));
  });

  it('an object with a toJSON of its own is taken by its members', () => {
    const value = { b: 1, toJSON: 'text' };
    expect(build([['k', value]]).parts[0]?.text).toBe('{"entries":[["k",{"b":1,"toJSON":"text"}]]}');
    expect(thrownBy(() => buildUntyped([['k', { toJSON: () => 1 }]]))).toBeInstanceOf(TreeError);
  });

  it('are bounded, by limits that may be given', async () => {
    expect(thrownBy(() => build([['x'.repeat(513), 1]]))).toEqual(refused('key_too_long', { key: 'x'.repeat(64) }));
    expect(thrownBy(() => buildUntyped([[7, 1]]))).toEqual(refused('key_invalid', {}));
    expect(thrownBy(() => build([['k', 'x'.repeat(4095)]]))).toEqual(refused('value_too_large', { key: 'k' }));
    expect(build([['x'.repeat(512), 'x'.repeat(4094)]]).parts).toHaveLength(1);
    // Bytes of UTF-8, with two quotes.
    const limits = { keyLength: 2, valueBytes: 6 };
    expect(build([['kk', 'éé']], { limits }).parts).toHaveLength(1);
    expect(thrownBy(() => build([['k', 'ééé']], { limits }))).toEqual(refused('value_too_large', { key: 'k' }));
    await expect(apply(noParts, EMPTY_ROOT, [['kkk', 1]], { limits })).rejects.toEqual(
      refused('key_too_long', { key: 'kkk' }),
    );
    await expect(apply(noParts, EMPTY_ROOT, [['k', 'long text']], { limits })).rejects.toEqual(
      refused('value_too_large', { key: 'k' }),
    );
  });

  it('that stand in a tree stay, whatever the limits of an edit beside them', async () => {
    const base = build([['a', 'x'.repeat(100)]]);
    const theirs = build([['a', 'y'.repeat(100)]]);
    const store = layered(noParts, [...base.parts, ...theirs.parts]);
    const limits = { valueBytes: 10 };
    const roots = { base: base.root, ours: base.root, theirs: theirs.root };
    expect((await merge(store, roots, () => ({ kind: 'conflict' }), { limits })).root).toBe(theirs.root);
    expect((await apply(store, base.root, [['b', 1]], { limits })).parts).toHaveLength(1);
  });
});

describe('parts', () => {
  it('that are missing are named', async () => {
    const missing = large.parts.find(({ part }) => 'entries' in part)?.name ?? '';
    const store = createStore(large.parts.filter(({ name }) => name !== missing));
    const error = refused('part_missing', { part: missing });
    await expect(range(store, large.root)).rejects.toEqual(error);
    await expect(
      apply(
        store,
        large.root,
        plainKeys(3000).map((key) => [key, 1]),
      ),
    ).rejects.toEqual(error);
    await expect(all(diff(store, large.root, EMPTY_ROOT))).rejects.toEqual(error);
    await expect(getMany(store, large.root, plainKeys(3000))).rejects.toEqual(error);
    await expect(get(noParts, large.root, 'a')).rejects.toEqual(refused('part_missing', { part: large.root }));
  });

  it('that stand where another should are refused', async () => {
    const store = createStore(large.parts);
    const root = store.parts.get(large.root) as Inner;
    const below = root.children[0]?.[1] ?? '';
    store.parts.set(below, root);
    await expect(range(store, large.root)).rejects.toEqual(refused('part_invalid', { part: below }));
    await expect(apply(store, large.root, [['', 1]])).rejects.toEqual(refused('part_invalid', { part: below }));
    store.parts.set(below, { entries: [] });
    await expect(get(store, large.root, '')).rejects.toEqual(refused('part_invalid', { part: below }));
  });

  it.each([
    'no json',
    'null',
    '[]',
    '{}',
    '{"entries":{}}',
    '{"entries":[["b",1],["a",1]]}',
    '{"entries":[["a",1],["a",1]]}',
    '{"entries":[["a"]]}',
    '{"entries":[[1,1]]}',
    '{"children":[["","n",1]]}',
    '{"children":[["","n",1]],"level":0}',
    '{"children":[["",1,1]],"level":1}',
    '{"children":[["","n",1.5]],"level":1}',
    '{"children":[["","n",1,2]],"level":1}',
  ])('%s is no part', (text) => {
    expect(thrownBy(() => decodePart(text))).toEqual(refused('part_invalid', {}));
  });

  it('have one text, whatever the order of their members', () => {
    const part: Leaf = { entries: [['k', { b: 1, a: 2 }]] };
    expect(encodePart(part)).toBe('{"entries":[["k",{"a":2,"b":1}]]}');
    expect(nameOf({ level: 1, children: [['', 'n', 1]] })).toBe(nameOf({ children: [['', 'n', 1]], level: 1 }));
  });

  it('that are deeper than any value have no name', () => {
    const text = `{"entries":[["k",${'['.repeat(65)}${']'.repeat(65)}]]}`;
    expect(thrownBy(() => nameOf(decodePart(text)))).toEqual(refused('part_invalid', {}));
    expect(thrownBy(() => nameOf({ entries: [['k', Number.NaN]] }))).toEqual(refused('part_invalid', {}));
  });

  it('that are new lie over those that are stored', async () => {
    const store = createStore(large.parts);
    const first = await apply(store, large.root, [['a', 1]]);
    const over = layered(store, first.parts);
    const second = await apply(over, first.root, [['b', 2]]);
    store.reset();
    expect(await get(layered(over, second.parts), second.root, 'b')).toBe(2);
    expect(store.reset().read).toEqual([]);
    expect(await count(layered(over, second.parts), second.root)).toBe(3002);
  });
});

describe('walking', () => {
  it('names all parts, parents first, and reads no leaf', async () => {
    const store = createStore(large.parts);
    const names = await all(walk(store, large.root));
    expect(names[0]).toBe(large.root);
    expect(names.toSorted()).toEqual(large.parts.map(({ name }) => name).sort());
    const inner = large.parts.filter(({ part }) => 'children' in part).map(({ name }) => name);
    expect(store.read.toSorted()).toEqual(inner.sort());
  });

  it('leaves out what is known, with all below it', async () => {
    const store = createStore(large.parts);
    const known = new Set(await all(walk(store, large.root)));
    const edited = await apply(store, large.root, [['page/+', 1]]);
    store.add(edited.parts);
    const fresh = await all(walk(store, edited.root, { known: (name) => known.has(name) }));
    expect(fresh.toSorted()).toEqual(edited.parts.map(({ name }) => name).sort());
    expect(await all(walk(store, large.root, { known: () => true }))).toEqual([]);
  });
});

describe('ranges', () => {
  it.each([-1, 1.5, Number.NaN])('a limit of %s is refused', async (limit) => {
    await expect(range(noParts, EMPTY_ROOT, { limit })).rejects.toEqual(refused('range_invalid', { option: 'limit' }));
  });

  it('may be empty, or end where no key can be greater', async () => {
    const { root, parts } = build([
      ['\uffff', 1],
      ['\uffff\uffff', 2],
      ['a', 3],
    ]);
    const store = layered(noParts, parts);
    expect(await range(store, root, { prefix: '\uffff' })).toEqual([
      ['\uffff', 1],
      ['\uffff\uffff', 2],
    ]);
    expect(await range(store, root, { from: 'b', to: 'a' })).toEqual([]);
    expect(await range(store, root, { prefix: 'a', from: 'b' })).toEqual([]);
    expect(await range(store, root, { limit: 0 })).toEqual([]);
    expect(await count(store, root, { from: 'b', to: 'a' })).toBe(0);
  });

  it('go on where a page ended', async () => {
    const store = layered(noParts, large.parts);
    const keys: string[] = [];
    for (let from = ''; ;) {
      const page = await range(store, large.root, { from, limit: 700 });
      keys.push(...page.map(([key]) => key));
      const last = page.at(-1);
      if (last === undefined) break;
      from = `${last[0]}\0`;
    }
    expect(keys).toEqual(plainKeys(3000));
  });
});

describe('merging', () => {
  const base = build([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  const ours = build([
    ['a', 2],
    ['b', 2],
    ['d', 1],
  ]);
  const theirs = build([
    ['a', 3],
    ['c', 3],
    ['d', 1],
  ]);
  const store = layered(noParts, [...base.parts, ...ours.parts, ...theirs.parts]);
  const roots = { base: base.root, ours: ours.root, theirs: theirs.root };

  it('asks in the order of keys, and waits for answers', async () => {
    const asked: string[] = [];
    const { root, conflicts, parts } = await merge(store, roots, async (key, sides) => {
      await Promise.resolve();
      asked.push(key);
      if (key === 'b') return { kind: 'removed' };
      return key === 'a'
        ? { kind: 'value', value: { of: [sides.ours ?? null, sides.theirs ?? null] } }
        : { kind: 'conflict' };
    });
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(conflicts).toEqual([{ key: 'c', base: 1, theirs: 3 }]);
    expect(await range(layered(store, parts), root)).toEqual([
      ['a', { of: [2, 3] }],
      ['d', 1],
    ]);
  });

  it('refuses an answer that is no value of a tree', async () => {
    const bad = () => ({ kind: 'value', value: Number.NaN }) as const;
    await expect(merge(store, roots, bad)).rejects.toEqual(refused('value_invalid', { key: 'a' }));
  });

  it('reads and writes nothing where one side stayed as it was, or both are alike', async () => {
    const none = () => ({ kind: 'conflict' }) as const;
    const kept = { root: ours.root, parts: [], conflicts: [] };
    expect(await merge(noParts, { ...roots, theirs: base.root }, none)).toEqual(kept);
    expect(await merge(noParts, { ...roots, theirs: ours.root }, none)).toEqual(kept);
    expect(await merge(noParts, { ...roots, ours: base.root }, none)).toEqual({ ...kept, root: theirs.root });
  });
});
