import { describe, expect, it } from '@jest/globals';
import { pagesInLanguages, type ListedSpace } from './pages-in-languages.js';

const listed = (space: string, pages: Record<string, string>, more: Partial<ListedSpace> = {}): ListedSpace => ({
  space,
  section: null,
  isDefault: false,
  ...more,
  pages: Object.entries(pages).map(([id, path]) => ({
    id,
    path,
    title: path,
    url: `${space}/${path}`,
    updatedAt: '2026-01-02T03:04:05.006Z',
  })),
});
const told = (...spaces: ListedSpace[]) =>
  pagesInLanguages(spaces).map(({ url, languages = [] }) => [
    url,
    ...languages.map(({ hreflang, url: at }) => `${hreflang} ${at}`),
  ]);

describe('the pages of spaces in languages', () => {
  it('name the same page of the others, and themselves', () => {
    const english = listed('en', { a: 'start', b: 'alone' }, { language: 'en', isDefault: true });
    const german = listed('de', { a: 'anfang' }, { language: 'de' });
    const all = ['en en/start', 'de de/anfang', 'x-default en/start'];
    expect(told(english, german)).toEqual([['en/start', ...all], ['en/alone'], ['de/anfang', ...all]]);
  });

  it('name none in other sections, and none for older versions', () => {
    const [one, other] = [
      listed('en', { a: 'start' }, { language: 'en', isDefault: true }),
      listed('de', { a: 'start' }, { language: 'de', isDefault: true, section: 'other' }),
    ];
    expect(told(one, other)).toEqual([['en/start'], ['de/start']]);
    const [old, french] = [
      listed('old', { a: 'start' }, { language: 'en' }),
      listed('fr', { c: 'start' }, { language: 'fr' }),
    ];
    const all = ['en en/start', 'fr fr/start', 'x-default en/start'];
    expect(told(one, old, french)).toEqual([['en/start', ...all], ['old/start'], ['fr/start', ...all]]);
  });
});
