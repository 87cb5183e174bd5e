import { describe, expect, it } from '@jest/globals';
import type { SectionState, SiteSpaceState, Structure } from '../../model/index.js';
import { canonicalParts, locationsInSite } from './locate-in-site.js';

const space = (id: string, section: string | null, hidden = false): SiteSpaceState => ({
  id,
  space: `space-${id}`,
  section,
  path: id,
  condition: null,
  hidden,
});
const section = (id: string, defaultSpace: string): SectionState => ({
  kind: 'section',
  id,
  title: id,
  path: id,
  description: null,
  icon: null,
  condition: null,
  parent: null,
  defaultSpace,
});
const flat: Structure = {
  items: [],
  siteSpaces: [space('en', null), space('de', null)],
  defaultSection: null,
  defaultSpace: 'en',
};
const divided: Structure = {
  items: [section('guides', 'g1'), section('api', 'v2')],
  siteSpaces: [space('g1', 'guides'), space('v1', 'api'), space('v2', 'api')],
  defaultSection: 'guides',
  defaultSpace: null,
};
const locate = (structure: Structure, path: string, listed = structure) => {
  const parts = path.split('/').filter((part) => part !== '');
  const found = locationsInSite({ listed, all: structure }, parts);
  return found.map(
    ({ section: inside, siteSpace, base, path: rest, preview }) =>
      [inside?.id, siteSpace.id, base.join('/'), rest, preview] as const,
  );
};

describe('a path within a site', () => {
  it.each([
    ['', undefined, 'en', '', ''],
    ['page/below', undefined, 'en', '', 'page/below'],
    ['de/page', undefined, 'de', 'de', 'page'],
    ['page/de', undefined, 'en', '', 'page/de'],
  ])('without sections names the space, then the page: %s', (path, ...found) => {
    expect(locate(flat, path)[0]).toEqual([...found, undefined]);
  });

  it.each([
    ['', 'guides', 'g1', '', ''],
    ['api', 'api', 'v2', 'api', ''],
    ['api/v1/page', 'api', 'v1', 'api/v1', 'page'],
    ['api/page', 'api', 'v2', 'api', 'page'],
    ['v1/page', 'guides', 'g1', '', 'v1/page'],
  ])('names the section, the space in it, then the page: %s', (path, ...found) => {
    expect(locate(divided, path)[0]).toEqual([...found, undefined]);
  });

  it('means a page of the default section before what names that section, and other sections before such a page', () => {
    const ways = (path: string) => locate(divided, path).map(([id, , base, rest]) => [id, base, rest].join(' | '));
    expect(ways('guides/g1/x')).toEqual([
      'guides |  | guides/g1/x',
      'guides | guides | g1/x',
      'guides | guides/g1 | x',
    ]);
    expect(ways('api/x')).toEqual(['api | api | x', 'guides |  | api/x']);
    expect(locate(flat, 'en/page').map(([, , base, rest]) => [base, rest].join(' | '))).toEqual([
      ' | en/page',
      'en | page',
    ]);
  });

  it('names a preview behind the space', () => {
    const preview = (structure: Structure, path: string) => locate(structure, path).find(([, , , , one]) => one);
    expect(preview(flat, 'de/~/changes/7/page')).toEqual([
      undefined,
      'de',
      'de/~/changes/7',
      'page',
      { changeRequest: '7' },
    ]);
    expect(preview(divided, '~/revisions/r1')).toEqual(['guides', 'g1', '~/revisions/r1', '', { revision: 'r1' }]);
    expect(locate(flat, '~/other/7')).toEqual([[undefined, 'en', '', '~/other/7', undefined]]);
  });

  it('leads to a hidden space by its path, unless a listed page has that path', () => {
    const listed = { ...flat, siteSpaces: [space('de', null)], defaultSpace: 'de' };
    expect(locate(flat, '', listed)[0]?.[1]).toBe('de');
    expect(locate(flat, 'en/page', listed).map(([, id, , rest]) => [id, rest])).toEqual([
      ['de', 'en/page'],
      ['en', 'page'],
      ['de', 'en/page'],
    ]);
  });

  it('leads nowhere on a site that shows no space', () => {
    expect(locate({ ...flat, siteSpaces: [] }, 'page')).toEqual([]);
  });

  it('is canonical without the paths of defaults', () => {
    const paths = ['guides/g1/x', 'api/v2/x', 'api/v1/x'];
    expect(paths.map((path) => canonicalOf(divided, path))).toEqual(['', 'api', 'api/v1']);
    expect(['en/x', 'de/x'].map((path) => canonicalOf(flat, path))).toEqual(['', 'de']);
  });
});

function canonicalOf(structure: Structure, path: string): string | undefined {
  const seen = { listed: structure, all: structure };
  const [found] = locationsInSite(seen, path.split('/'));
  return found && canonicalParts(seen, found).join('/');
}
