import type { PublishedRedirect, Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { Publishing } from '../model/index.js';
import { pathTo, spacesIn, type Inside } from './inside.queries.js';
import type { FoundSite } from './lookup/find-site.queries.js';
import { canonicalParts, type LocatedInSite } from './lookup/locate-in-site.js';
import { redirected, type Redirected } from './redirected.process.js';

/** Somebody asks for a page that is not where the address was read. `path`: where it is now, if it is anywhere. */
interface Moved {
  located: LocatedInSite;
  path: string | undefined;
  isMarkdown: boolean;
  url: URL;
}

/**
 * Where an address leads whose page is not there: as a redirect of the site says, or to the page that had this path
 * before. A page as markdown follows the redirect of the page.
 */
export async function movedTo(
  call: Call<Principal | null>,
  publishing: Publishing,
  { found, entered, claims, type, seen }: Inside,
  { located, path, isMarkdown, url }: Moved,
): Promise<Pick<PublishedRedirect, 'target' | 'redirect' | 'permanent'> | undefined> {
  const reader = { type, claims, spaces: spacesIn(seen) };
  const within = { organization: found.site.organization, site: found.site._id, seen, reader };
  const here = (target: string): string => new URL(`${target}${url.search}`, url.origin).href;
  const source = `/${entered.rest.join('/')}`;
  for (const end of isMarkdown ? ['', '.md'] : ['']) {
    const from = source.slice(0, source.length - end.length);
    const to = await redirected(call, within, from);
    if (to === undefined || leadsTo(publishing, found, to, from)) continue;
    if ('url' in to) return { target: 'external', redirect: to.url, permanent: true };
    const redirect = here(pathTo([...entered.base, ...to.parts], to.isPage ? end : ''));
    return { target: 'content', redirect, permanent: true };
  }
  if (path === undefined) return undefined;
  // In a preview, the address goes on behind what names it.
  const parts =
    located.preview === undefined ? canonicalParts(seen, located, path) : [...located.base, ...path.split('/')];
  return { target: 'content', redirect: here(pathTo([...entered.base, ...parts], isMarkdown ? '.md' : '')) };
}

/** Whether a redirect leads to its own path: the site may have got the address to which it leads since it was made. */
function leadsTo(publishing: Publishing, { site, hostname }: FoundSite, to: Redirected, source: string): boolean {
  return 'url' in to && publishing.pathOn(site, hostname, to.url) === source;
}
