import {
  partsOfPath,
  readingsOfPath,
  type PublishedContent,
  type SitePaths,
  type SiteSection,
  type SiteSpace,
} from '@scriptorium/contracts';
import { encodedPath } from './pages.js';
import { flattened, type PublishedSite } from './site-view.js';

/**
 * What an address on a site leads to if there is a page: the API reads addresses in the same ways, and this is the
 * first of them. Where there is no page, another way of reading it or a redirect may lead on, which the API knows.
 * Pure.
 */
export function locate(published: PublishedSite, at: PublishedContent, pathname: string): PublishedContent | undefined {
  const { siteBasePath } = at;
  const whole = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const parts = whole.startsWith(siteBasePath) ? partsOfPath(pathname.slice(siteBasePath.length)) : undefined;
  const [found] = parts === undefined ? [] : readingsOfPath(pathsOf(published), parts);
  // A preview, or where visitors sign in and out.
  if (found === undefined || found.rest[0]?.startsWith('~') === true) return undefined;
  const { section, siteSpace, base, rest } = found;
  const asked = rest.join('/');
  const isMarkdown = /[^/]\.md$/.test(asked);
  const path = isMarkdown ? asked.slice(0, -'.md'.length) : asked;
  const { siteSection: _, format: __, ...same } = at;
  return {
    ...same,
    ...(section === undefined ? {} : { siteSection: section.id }),
    space: siteSpace.space.id,
    siteSpace: siteSpace.id,
    basePath: [siteBasePath, ...base.map((part) => `${encodeURIComponent(part)}/`)].join(''),
    pathname: `/${path}`,
    ...(isMarkdown ? { format: 'markdown' as const } : {}),
    canonicalUrl: canonical(published, [...base, ...(path === '' ? [] : [path])]),
  };
}

function pathsOf({ structure }: PublishedSite): SitePaths<SiteSection, SiteSpace> {
  const sections = structure.type === 'sections' ? flattened(structure.structure) : [];
  const spaces = structure.type === 'sections' ? [] : structure.structure;
  const spacesIn = (section: SiteSection | undefined): readonly SiteSpace[] => section?.siteSpaces ?? spaces;
  return {
    sections,
    defaultSection: standard(sections),
    spacesIn,
    defaultSpaceIn: (section) => standard(spacesIn(section)),
  };
}

function standard<T extends { default?: boolean | undefined }>(all: readonly T[]): T | undefined {
  return all.find((one) => one.default === true) ?? all[0];
}

/** The address under which search engines know a page; empty where they are not to know it. */
function canonical({ site: { urls } }: PublishedSite, parts: readonly string[]): string {
  return urls.published === undefined ? '' : `${urls.published}${parts.map(encodedPath).join('/')}`;
}
