import { describe, expect, it } from '@jest/globals';
import { offeredLanguages, samePage } from './languages-of-pages.js';

const named = (...variants: Parameters<typeof offeredLanguages>[0][number][]) =>
  offeredLanguages(variants).map(({ hreflang, variant }) => `${hreflang} ${variant.space}`);

describe('the languages in which pages are offered', () => {
  it('are those of the spaces, and the default one for all other readers', () => {
    expect(
      named({ space: 'a', language: 'de', isDefault: false }, { space: 'b', language: 'en', isDefault: true }),
    ).toEqual(['en b', 'de a', 'x-default b']);
    expect(named({ space: 'a', isDefault: true }, { space: 'b', language: 'pt-br', isDefault: false })).toEqual([
      'pt-br b',
      'x-default a',
    ]);
  });

  it('have one space each: versions in one language are not other languages', () => {
    const versions = [
      { space: 'old', language: 'en', isDefault: false },
      { space: 'new', language: 'en', isDefault: true },
    ];
    expect(named(...versions)).toEqual([]);
    expect(named(...versions, { space: 'fr', language: 'fr', isDefault: false })).toEqual([
      'en new',
      'fr fr',
      'x-default new',
    ]);
  });

  it('are none for one space, or for spaces that name none', () => {
    expect(named({ space: 'a', language: 'en', isDefault: true })).toEqual([]);
    expect(named({ space: 'a', isDefault: true }, { space: 'b', isDefault: false })).toEqual([]);
  });
});

describe('the same page of another space', () => {
  const others = (...pages: { id: string; path: string }[]) => ({
    byId: new Map(pages.map((page) => [page.id, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
  });

  it('has the same id, or else the same path', () => {
    const [moved, other] = [
      { id: 'a', path: 'new' },
      { id: 'b', path: 'old' },
    ];
    expect(samePage({ id: 'a', path: 'old' }, others(moved, other))).toBe(moved);
    expect(samePage({ id: 'c', path: 'old' }, others(moved, other))).toBe(other);
    expect(samePage({ id: 'c', path: 'none' }, others(moved, other))).toBeUndefined();
  });
});
