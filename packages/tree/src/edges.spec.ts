import { describe, expect, it } from '@jest/globals';
import { apply, type Edit, build } from './write.js';
import { priorityOf } from './cut/cuts.js';
import { layered, noParts, isLeaf } from './part.js';
import { longPrefixKeys, monotonousKeys, plainKeys, unevenKeys } from './test/keys.js';

/**
 * A key right behind another whose priority is the lowest around: it becomes an anchor and takes the place of others.
 */
function anchorBehind(key: string): string {
  for (let attempt = 0; ; attempt++) {
    const behind = `${key}+${attempt}`;
    if (priorityOf(behind) < 2 ** 32 / 2000) return behind;
  }
}

/** Single edits, each on the tree of all keys, beside what is built of the outcome. */
async function differing(keys: readonly string[], edits: readonly Edit[]): Promise<Edit[]> {
  const entries = new Map<string, number>(keys.map((key) => [key, 0]));
  const { root, parts } = build(entries);
  const store = layered(noParts, parts);
  const wrong: Edit[] = [];
  for (const [key, value] of edits) {
    const after = new Map(entries);
    if (value === undefined) after.delete(key);
    else after.set(key, 1);
    if ((await apply(store, root, [[key, value]])).root !== build(after).root) wrong.push([key, value]);
  }
  return wrong;
}

describe('an edit at any distance from where a part begins', () => {
  it.each([
    ['plain keys', plainKeys(300)],
    ['keys with long prefixes', longPrefixKeys(120)],
  ])('an anchor among %s', async (_, keys) => {
    expect(
      await differing(
        keys,
        keys.map((key): Edit => [anchorBehind(key), 1]),
      ),
    ).toEqual([]);
  });

  it('a key that goes', async () => {
    const keys = plainKeys(300);
    expect(
      await differing(
        keys,
        keys.map((key): Edit => [key, undefined]),
      ),
    ).toEqual([]);
  });

  it('a key that comes before all others, or behind them', async () => {
    const keys = plainKeys(300);
    expect(
      await differing(keys, [
        ['', 1],
        ['a', 1],
        ['z', 1],
        [anchorBehind('a'), 1],
        [anchorBehind('z'), 1],
      ]),
    ).toEqual([]);
  });

  it.each([
    ['rising', monotonousKeys(2500, 'rising')],
    ['falling', monotonousKeys(2500, 'falling')],
    ['uneven', unevenKeys(1500)],
  ])('amid pieces, around where parts of the level above begin (%s)', async (_, keys) => {
    const inner = build(keys.map((key) => [key, 0])).parts.flatMap(({ part }) => (isLeaf(part) ? [] : [part]));
    const starts = inner.filter(({ level }) => level === 1).map(({ children }) => keys.indexOf(children[0]?.[0] ?? ''));
    const places = starts.flatMap((start) =>
      [-200, -60, -30, -18, 18, 30, 60].map((distance) => keys[start + distance]),
    );
    const edits = places
      .filter((key) => key !== undefined)
      .map((key, at): Edit => (at % 2 === 0 ? [key, undefined] : [`${key}+`, 1]));
    expect(edits.length).toBeGreaterThan(8);
    expect(await differing(keys, edits)).toEqual([]);
  });

  it('has keys for these cases', () => {
    const cutOf = (keys: readonly string[]) => {
      const inner = build(keys.map((key) => [key, 0])).parts.flatMap(({ part }) => (isLeaf(part) ? [] : [part]));
      const childrenAt = (at: number) => inner.filter(({ level }) => level === at).flatMap(({ children }) => children);
      return [childrenAt(1), childrenAt(2)].map(
        (children) => children.filter(([, , , cut]) => cut === 1).length / children.length,
      );
    };
    const [pieces, above] = cutOf(unevenKeys(1500));
    expect(pieces).toBeGreaterThan(0.9);
    expect(above).toBe(0);
    expect(cutOf(plainKeys(2000))).toEqual([0, 0]);
  });
});
