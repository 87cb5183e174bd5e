import type { Page } from '@scriptorium/contracts';
import { describe, expect, it } from '@jest/globals';
import { pageIndex } from '../visit/pages.js';
import { mostInTree, partFrom, treeParts, type TreeParts } from './tree-parts.js';

const list = (count: number, make: (index: number) => Page): Page[] => Array.from({ length: count }, (_, n) => make(n));
const made = (id: string, type: 'document' | 'group', pages: Page[] = []): Page =>
  ({ id, type, title: id, path: id, hidden: id.startsWith('hidden'), pages }) as Page;
const page = (id: string, pages?: Page[]): Page => made(id, 'document', pages);
const index = (pages: Page[]) => pageIndex(pages);
const sizeOf = (parts: TreeParts): number => [...parts.values()].reduce((sum, { pages }) => sum + pages.length, 0);
const idsIn = (parts: TreeParts, id: string) => parts.get(id)?.pages.map((one) => one.id);

describe('the part of a navigation that is sent', () => {
  it('is all of a small space, without what is hidden', () => {
    const space = index([
      page('a', [page('b', [page('c')])]),
      page('hidden', [page('d')]),
      made('g', 'group', [page('e')]),
    ]);
    const parts = treeParts(space, space.byId.get('e'));
    expect([...parts.keys()]).toEqual(['', 'g', 'e', 'a', 'b']);
    expect(idsIn(parts, '')).toEqual(['a', 'g']);
    expect(parts.get('')).toMatchObject({ before: 0, behind: 0 });
  });

  it('has a bound in a large space: the way to the page, and groups before what is closed', () => {
    const space = index(
      list(40, (g) =>
        made(
          `g${g}`,
          'group',
          list(10, (t) =>
            page(
              `t${g}.${t}`,
              list(10, (p) => page(`p${g}.${t}.${p}`)),
            ),
          ),
        ),
      ),
    );
    const parts = treeParts(space, space.byId.get('p30.4.2'));
    expect(sizeOf(parts)).toBeLessThanOrEqual(mostInTree);
    expect(idsIn(parts, 't30.4')).toContain('p30.4.2');
    expect(idsIn(parts, 'g30')).toHaveLength(10);
    expect([parts.has('g0'), parts.has('t0.0')]).toEqual([true, false]);
  });

  it('is the pages around the present one in a long list', () => {
    const space = index(list(4_000, (n) => page(`p${n}`)));
    const { pages, before, behind } = treeParts(space, space.byId.get('p2000')).get('') ?? { pages: [] };
    expect([pages.length, before, behind]).toEqual([125, 1938, 1937]);
    expect(pages[62]?.id).toBe('p2000');
    for (const [id, first, last] of [
      ['p0', 'p0', 'p124'],
      ['p3999', 'p3875', 'p3999'],
    ] as const) {
      const ids = idsIn(treeParts(space, space.byId.get(id)), '') ?? [];
      expect([ids[0], ids.at(-1)]).toEqual([first, last]);
    }
  });

  it('keeps its bound for a page below many others', () => {
    let deepest = page('p60');
    for (let n = 59; n >= 0; n -= 1) deepest = page(`p${n}`, [...list(50, (m) => page(`s${n}.${m}`)), deepest]);
    const space = index([deepest]);
    const parts = treeParts(space, space.byId.get('p10'));
    expect(idsIn(parts, 'p9')).toContain('p10');
    expect(sizeOf(parts)).toBeLessThanOrEqual(mostInTree + 20);
  });

  it('begins at a page of a list where somebody asks for more', () => {
    const pages = index(list(300, (n) => page(`p${n}`, [page(`q${n}`)]))).pages;
    const parts = partFrom('', pages, 200);
    expect(parts.get('')).toMatchObject({ before: 200, behind: 0 });
    expect([idsIn(parts, '')?.length, parts.has('p200'), sizeOf(parts)]).toEqual([100, true, 200]);
    expect(partFrom('', pages, 9_999).get('')).toEqual({ pages: [], before: 300, behind: 0 });
  });
});
