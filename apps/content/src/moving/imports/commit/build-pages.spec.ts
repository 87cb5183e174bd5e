import { describe, expect, it } from '@jest/globals';
import { placesOf, type Place } from './build-pages.js';
import type { PageItem } from '../item.js';

const top: Place = { parent: undefined, last: undefined, slugs: new Set() };
const item = (n: number, more: Partial<PageItem> = {}): PageItem => ({
  kind: 'page',
  n,
  id: `p${n}`,
  type: 'document',
  title: `Page ${n}`,
  ...more,
});
const present = (order: string, slug: string) => ({ present: { order, slug, createdAt: '' } });

describe('the places of imported pages', () => {
  it('come behind those that are there, with slugs that nothing there has', () => {
    const places = placesOf([item(0, { path: 'a.md' }), item(1, { path: 'b/README.md' }), item(2, { parent: 1 })], {
      parent: 'in',
      last: 'a5',
      slugs: new Set(['a', 'b-1']),
    });
    const [first, second, inner] = ['p0', 'p1', 'p2'].map((id) => places.get(id));
    expect([first?.slug, second?.slug, inner?.slug]).toEqual(['a-1', 'b', 'page-2']);
    expect([first?.parent, second?.parent, inner?.parent]).toEqual(['in', 'in', 'p1']);
    expect([first?.order, second?.order].map((order) => (order ?? '') > 'a5')).toEqual([true, true]);
  });

  it('stay as they were if all siblings have theirs in order, and are made anew otherwise', () => {
    const kept = placesOf([item(0, present('a1', 'x')), item(1, present('a3', 'y'))], top);
    expect([...kept.values()].map(({ order, slug }) => [order, slug])).toEqual([
      ['a1', 'x'],
      ['a3', 'y'],
    ]);
    const moved = placesOf([item(0, present('a3', 'x')), item(1, present('a1', 'y'))], top);
    expect((moved.get('p0')?.order ?? '') < (moved.get('p1')?.order ?? '')).toBe(true);
  });

  it('have a number for each further slug that is the same, and none for links', () => {
    const places = placesOf([item(0), item(1, { title: 'Page 0' }), item(2, { type: 'link' })], top);
    expect([...places.values()].map(({ slug }) => slug)).toEqual(['page-0', 'page-0-1', undefined]);
  });
});
