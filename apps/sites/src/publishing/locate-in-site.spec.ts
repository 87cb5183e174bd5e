import { describe, expect, it } from '@jest/globals';
import type { SectionState, SiteSpaceState, Structure } from '../model/index.js';
import { canonicalParts, locateInSite } from './locate-in-site.js';

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
  const found = locateInSite(
    { listed, all: structure },
    path.split('/').filter((part) => part !== ''),
  );
  return found && [found.section?.id, found.siteSpace.id, found.base.join('/'), found.path, found.preview];
};

describe('a path within a site', () => {
  it.each([
    ['', undefined, 'en', '', ''],
    ['page/below', undefined, 'en', '', 'page/below'],
    ['de/page', undefined, 'de', 'de', 'page'],
    ['en/page', undefined, 'en', 'en', 'page'],
    ['page/de', undefined, 'en', '', 'page/de'],
  ])('without sections names the space, then the page: %s', (path, ...found) => {
    expect(locate(flat, path)).toEqual([...found, undefined]);
  });

  it.each([
    ['', 'guides', 'g1', '', ''],
    ['api', 'api', 'v2', 'api', ''],
    ['api/v1/page', 'api', 'v1', 'api/v1', 'page'],
    ['api/page', 'api', 'v2', 'api', 'page'],
    ['v1/page', 'guides', 'g1', '', 'v1/page'],
    ['guides/g1/page', 'guides', 'g1', 'guides/g1', 'page'],
  ])('names the section, the space in it, then the page: %s', (path, ...found) => {
    expect(locate(divided, path)).toEqual([...found, undefined]);
  });

  it('names a preview behind the space', () => {
    expect(locate(flat, 'de/~/changes/7/page')).toEqual([
      undefined,
      'de',
      'de/~/changes/7',
      'page',
      { changeRequest: '7' },
    ]);
    expect(locate(divided, '~/revisions/r1')).toEqual(['guides', 'g1', '~/revisions/r1', '', { revision: 'r1' }]);
    expect(locate(flat, '~/other/7')).toEqual([undefined, 'en', '', '~/other/7', undefined]);
  });

  it('reaches hidden spaces by their path alone', () => {
    const listed = { ...flat, siteSpaces: [space('de', null)], defaultSpace: 'de' };
    expect(locate(flat, '', listed)?.[1]).toBe('de');
    expect(locate(flat, 'en/page', listed)?.[1]).toBe('en');
  });

  it('leads nowhere on a site that shows no space', () => {
    expect(locate({ ...flat, siteSpaces: [] }, 'page')).toBeUndefined();
  });

  it('is known to search engines without what is the default', () => {
    const known = (structure: Structure, path: string) => {
      const seen = { listed: structure, all: structure };
      const found = locateInSite(seen, path.split('/'));
      return found && canonicalParts(seen, found).join('/');
    };
    expect(['guides/g1/x', 'api/v2/x', 'api/v1/x'].map((path) => known(divided, path))).toEqual(['', 'api', 'api/v1']);
    expect(['en/x', 'de/x'].map((path) => known(flat, path))).toEqual(['', 'de']);
  });
});
