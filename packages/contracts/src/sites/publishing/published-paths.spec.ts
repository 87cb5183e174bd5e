import { describe, expect, it } from '@jest/globals';
import { pageAddresses, readingsOfPath, withoutMarkdownEnd, type SitePaths } from './published-paths.js';

const named = (path: string, ...spaces: string[]) => ({
  id: path,
  path,
  spaces: spaces.map((one) => ({ id: `${path}/${one}`, path: one })),
});
type Section = ReturnType<typeof named>;

/** A site with these sections; the first ones are the default. */
function siteOf(...sections: Section[]): SitePaths<Section, Section['spaces'][number]> {
  return {
    sections,
    defaultSection: sections[0],
    spacesIn: (section) => section?.spaces ?? [],
    defaultSpaceIn: (section) => section?.spaces[0],
  };
}
const site = siteOf(named('guides', 'en', 'api'), named('api', 'one', 'two'), named('en', 'three'));
const addressIn = (section: number, space: number, path: string): string => {
  const inside = site.sections[section];
  const siteSpace = inside?.spaces[space];
  if (siteSpace === undefined) throw new Error('There is no such space');
  return pageAddresses(site, { section: inside, siteSpace })(path).join('/');
};

describe('the address under which a page is told', () => {
  it.each([
    [0, 0, '', ''],
    [0, 0, 'x/y', 'x/y'],
    [0, 0, 'guides/x', 'guides/x'],
    // `guides/api` is the beginning of the other space.
    [0, 0, 'api', 'guides/en/api'],
    [1, 0, 'x', 'api/x'],
    [1, 0, 'two/x', 'api/one/two/x'],
    [1, 1, 'x', 'api/two/x'],
    [2, 0, 'three', 'en/three'],
    // A section comes before a space of the default section.
    [0, 1, '', 'guides/api'],
    [0, 1, 'x', 'guides/api/x'],
  ])('in section %i and space %i is, for "%s", "%s"', (section, space, path, expected) => {
    expect(addressIn(section, space, path)).toBe(expected);
  });

  it('is read as an address of this space before any other one that it names', () => {
    for (const section of site.sections)
      for (const siteSpace of section.spaces)
        for (const path of ['', 'x', 'api', 'en', 'two/en', 'guides/api', 'three']) {
          const parts = pageAddresses(site, { section, siteSpace })(path);
          const isPage = (rest: readonly string[]) => rest.join('/') === path;
          // Without any name, it is a page whose path begins as the default section is named.
          const first = readingsOfPath(site, parts).find(({ siteSpace: one, base, rest }) =>
            one === siteSpace ? isPage(rest) : base.length > 0,
          );
          expect([path, first?.siteSpace.id]).toEqual([path, siteSpace.id]);
        }
  });
});

describe('an address of markdown', () => {
  it.each([
    ['x', 'x', false],
    ['x.md', 'x', true],
    ['a/x.md', 'a/x', true],
    ['a.md/x', 'a.md/x', false],
    ['.md', '.md', false],
    ['', '', false],
  ])('is that of the page with an end: %s', (asked, parts, isMarkdown) => {
    const found = withoutMarkdownEnd(asked.split('/').filter(Boolean));
    expect([found.parts.join('/'), found.isMarkdown]).toEqual([parts, isMarkdown]);
  });
});
