import {
  pageAddresses,
  partsOfPath,
  readingsOfPath,
  withoutMarkdownEnd,
  type PublishedContent,
} from '@scriptorium/contracts';
import { encodedPath } from './pages.js';
import { pathsOf, type PublishedSite } from './site-view.js';

/**
 * What an address on a site leads to if there is a page: the API reads addresses in the same ways, and this is the
 * first of them. Where there is no page, another way of reading it or a redirect may lead on, which the API knows.
 * Pure.
 */
export function locate(published: PublishedSite, at: PublishedContent, pathname: string): PublishedContent | undefined {
  const { siteBasePath } = at;
  const whole = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const asked = whole.startsWith(siteBasePath) ? partsOfPath(pathname.slice(siteBasePath.length)) : undefined;
  const paths = pathsOf(published);
  const { parts, isMarkdown } = withoutMarkdownEnd(asked ?? []);
  const [found] = asked === undefined ? [] : readingsOfPath(paths, parts);
  // A preview, or where visitors sign in and out.
  if (found === undefined || found.rest[0]?.startsWith('~') === true) return undefined;
  const { section, siteSpace, base, rest } = found;
  const path = rest.join('/');
  const { siteSection: _, format: __, ...same } = at;
  return {
    ...same,
    ...(section === undefined ? {} : { siteSection: section.id }),
    space: siteSpace.space.id,
    siteSpace: siteSpace.id,
    basePath: [siteBasePath, ...base.map((part) => `${encodeURIComponent(part)}/`)].join(''),
    pathname: `/${path}`,
    ...(isMarkdown ? { format: 'markdown' as const } : {}),
    canonicalUrl: canonical(published, pageAddresses(paths, { section, siteSpace })(path)),
  };
}

/** The address under which search engines know a page; empty where they are not to know it. */
function canonical({ site: { urls } }: PublishedSite, parts: readonly string[]): string {
  return urls.published === undefined ? '' : `${urls.published}${parts.map(encodedPath).join('/')}`;
}
