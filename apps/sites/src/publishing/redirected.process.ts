import type { RedirectDestination, Visitor } from '@scriptorium/contracts';
import type { Asking } from '@scriptorium/platform';
import { sectionIn, siteSpaceIn, type SiteSpaceState } from '../model/index.js';
import { locateFirst, siteRedirects } from '../redirects/index.js';
import { canonicalParts, defaultSpaceIn, type SeenStructure } from './lookup/locate-in-site.js';

/** Where a redirect of a site leads: out of it, or to a path in it, which may be that of a page below its space. */
export type Redirected = { url: string } | { parts: string[]; isPage: boolean };

/** Whoever asks where a redirect leads, with what they see of the site. `reader`: a visitor; members find all pages. */
export interface Within {
  organization: string;
  site: string;
  seen: SeenStructure;
  reader?: Pick<Visitor, 'type' | 'claims'> & { spaces: string[] };
}

/**
 * Where the path of a site leads for which there is a redirect; `undefined` without one, or when the visitor is not
 * shown its page.
 */
export async function redirected(call: Asking, within: Within, source: string): Promise<Redirected | undefined> {
  const found = await call.store.read(siteRedirects).findOne({ site: within.site, source });
  return found === null ? undefined : leadingTo(call, within, found.destination);
}

/** Where a redirect leads; `undefined` when what it leads to is not there, or not shown. */
export async function leadingTo(
  call: Asking,
  within: Within,
  destination: RedirectDestination,
): Promise<Redirected | undefined> {
  const { all } = within.seen;
  switch (destination.kind) {
    case 'url':
    case 'external':
      return { url: destination.url };
    case 'site-section': {
      const section = sectionIn(all, destination.siteSectionId);
      return section && partsTo(within, defaultSpaceIn(within.seen, section), '');
    }
    case 'site-space':
      return partsTo(within, siteSpaceIn(all, destination.siteSpaceId), '');
    case 'site-page': {
      const siteSpace = siteSpaceIn(all, destination.siteSpaceId);
      return siteSpace && partsToPage(call, within, [siteSpace], destination.pageId);
    }
    case 'page': {
      const { space: named, page } = destination;
      const among = all.siteSpaces.filter(({ space }) => named === undefined || named === space);
      return partsToPage(call, within, among, page);
    }
  }
}

async function partsToPage(
  call: Asking,
  within: Within,
  among: readonly SiteSpaceState[],
  page: string,
): Promise<Redirected | undefined> {
  const { organization, reader } = within;
  const found = await locateFirst(call, { organization, spaces: among.map(({ space }) => space), page, reader });
  return found && partsTo(within, among[found.index], found.path);
}

function partsTo({ seen }: Within, siteSpace: SiteSpaceState | undefined, path: string): Redirected | undefined {
  if (siteSpace === undefined) return undefined;
  const section = siteSpace.section === null ? undefined : sectionIn(seen.all, siteSpace.section);
  return { parts: canonicalParts(seen, { section, siteSpace }, path), isPage: path !== '' };
}
