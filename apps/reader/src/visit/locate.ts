import type { PublishedContent } from '@scriptorium/contracts';
import { spaceBases, type PublishedSite } from './site-view.js';

/**
 * What an address on a site leads to, as far as the site itself tells: the space at its beginning, and the path of a page. Whether there
 * is one has to be looked at; where there is none, a redirect may lead on, which the API knows. Pure.
 */
export function locate(published: PublishedSite, at: PublishedContent, pathname: string): PublishedContent | undefined {
  const whole = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const [found] = [...spaceBases(published, at)]
    .filter(([, { base }]) => whole.startsWith(base))
    .sort(([, a], [, b]) => b.base.length - a.base.length);
  if (found === undefined) return undefined;
  const [space, { base, section, siteSpace }] = found;
  const rest = pathname.slice(base.length).replace(/\/$/, '');
  const isMarkdown = /[^/]\.md$/.test(rest);
  const path = decoded(isMarkdown ? rest.slice(0, -'.md'.length) : rest);
  if (path === undefined || path.startsWith('~')) return undefined;
  const { siteSection: _, format: __, ...same } = at;
  return {
    ...same,
    ...(section === undefined ? {} : { siteSection: section }),
    space,
    siteSpace,
    basePath: base,
    pathname: `/${path}`,
    ...(isMarkdown ? { format: 'markdown' as const } : {}),
    canonicalUrl: canonical(published, at, pathname),
  };
}

/** The address under which search engines know a page; empty where they are not to know it. */
function canonical({ site: { urls } }: PublishedSite, { siteBasePath }: PublishedContent, pathname: string): string {
  return urls.published === undefined ? '' : `${urls.published}${pathname.slice(siteBasePath.length)}`;
}

/** A path without encoding; `undefined` for one that cannot be read. */
function decoded(path: string): string | undefined {
  try {
    return path
      .split('/')
      .map((part) => decodeURIComponent(part).normalize('NFC'))
      .join('/');
  } catch {
    return undefined;
  }
}
