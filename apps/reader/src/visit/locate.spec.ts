import { describe, expect, it } from '@jest/globals';
import type { PublishedContent } from '@scriptorium/contracts';
import { locate } from './locate.js';
import type { PublishedSite } from './site-view.js';

const siteSpace = (id: string, path: string, section?: string) => ({
  object: 'site-space',
  id,
  path,
  section,
  space: { object: 'space', id: `space-${id}` },
  title: id,
  urls: {},
});
const section = (id: string, path: string, ...siteSpaces: object[]) => ({
  object: 'site-section',
  id,
  path,
  title: id,
  siteSpaces,
  urls: {},
});
const published = {
  site: { urls: { published: 'https://docs.example/' } },
  structure: {
    type: 'sections',
    structure: [
      section('guides', 'guides', siteSpace('one', 'one', 'guides'), siteSpace('two', 'two', 'guides')),
      section('api', 'api', siteSpace('three', 'three', 'api'), siteSpace('four', 'a b', 'api')),
    ],
  },
} as PublishedSite;
const at = {
  site: 's',
  siteSpace: 'one',
  siteSection: 'guides',
  space: 'space-one',
  basePath: '/~site/s/',
  siteBasePath: '/~site/s/',
  pathname: '/start',
} as PublishedContent;
const found = (path: string) => {
  const content = locate(published, at, path);
  return content && [content.space, content.basePath, content.pathname, content.siteSection, content.format];
};

describe('an address on a site that is known', () => {
  it.each([
    ['/~site/s/', ['space-one', '/~site/s/', '/', 'guides', undefined]],
    ['/~site/s', ['space-one', '/~site/s/', '/', 'guides', undefined]],
    ['/~site/s/a/b%20c/', ['space-one', '/~site/s/', '/a/b c', 'guides', undefined]],
    ['/~site/s/two/x.md', ['space-two', '/~site/s/two/', '/x', 'guides', 'markdown']],
    ['/~site/s/api', ['space-three', '/~site/s/api/', '/', 'api', undefined]],
    ['/~site/s/api/a%20b/x', ['space-four', '/~site/s/api/a%20b/', '/x', 'api', undefined]],
    // What is no page there is asked about.
    ['/~site/s/twofold', ['space-one', '/~site/s/', '/twofold', 'guides', undefined]],
    // A page of the default section may have a path that begins as the section is named.
    ['/~site/s/guides/one/x', ['space-one', '/~site/s/', '/guides/one/x', 'guides', undefined]],
    ['/~site/s/x//y', ['space-one', '/~site/s/', '/x/y', 'guides', undefined]],
  ])('leads from %s to a space and a path', (path, expected) => {
    expect(found(path)).toEqual(expected);
  });

  it.each(['/~site/other/', '/~site/s/~service/auth/login', '/~site/s/~/changes/1/', '/~site/s/%ff'])(
    'has to be asked about: %s',
    (path) => {
      expect(found(path)).toBeUndefined();
    },
  );

  it('leads to the same page whatever was asked for first on the site', () => {
    const other = { ...at, siteSpace: 'two', space: 'space-two', basePath: '/~site/s/guides/two/' };
    const others = ['/~site/s/', '/~site/s/guides/two/x', '/~site/s/two/x', '/~site/s/api/'];
    for (const path of others) expect(locate(published, other, path)).toEqual(locate(published, at, path));
  });

  it('has the address that search engines know', () => {
    expect(locate(published, at, '/~site/s/two/x')?.canonicalUrl).toBe('https://docs.example/two/x');
    expect(locate(published, at, '/~site/s/two/x/')?.canonicalUrl).toBe('https://docs.example/two/x');
    expect(locate(published, at, '/~site/s/two/a b/x.md')?.canonicalUrl).toBe('https://docs.example/two/a%20b/x');
  });
});
