import type { ServiceAccess } from '@scriptorium/access';
import { siteVisibilities, type locateSpacesOnSites, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import type * as z from 'zod';
import {
  siteSpaceAddress,
  sites,
  viewerOf,
  viewPublished,
  viewStructure,
  type Publishing,
  type SiteDocument,
  type StructureView,
} from '../model/index.js';
import { linkWithKey } from '../share-links/index.js';

type Wanted = z.output<typeof locateSpacesOnSites.input>;
type Located = z.output<typeof locateSpacesOnSites.response>['items'];

/** Where these spaces are published: each on the site that shows it to most, and among equal ones on the oldest. */
export async function addressesOfSpaces(
  call: Call<Principal | null>,
  parts: { access: ServiceAccess; publishing: Publishing },
  { organization, spaces, shareKey }: Wanted,
): Promise<Located> {
  const wanted = new Set(spaces);
  const located = new Map<string, Located[number]>();
  for (const site of await sitesShowing(call, organization, spaces)) {
    const view = await viewOf(call, parts, site, shareKey);
    for (const siteSpace of view.structure.siteSpaces) {
      const { space } = siteSpace;
      const published = siteSpaceAddress(view, siteSpace);
      if (published === undefined || !wanted.has(space) || located.has(space)) continue;
      located.set(space, { space, published, isPublic: site.visibility === 'public' });
    }
  }
  return [...located.values()];
}

/** The sites on which spaces may have an address, those that show them to most first. */
async function sitesShowing(
  { store, principal }: Call<Principal | null>,
  organization: string,
  spaces: readonly string[],
): Promise<Stored<SiteDocument>[]> {
  if (principal?.kind === 'visitor') {
    const site = await store.read(sites).byId(principal.visitor.site);
    return site?.organization === organization && site.isAdded && site.published ? [site] : [];
  }
  const found = await store
    .read(sites)
    .find({ organization, isAdded: true, published: true, spaces: { $in: [...spaces] } })
    .toArray();
  const rank = ({ visibility }: SiteDocument): number => siteVisibilities.indexOf(visibility);
  return found.sort((a, b) => rank(a) - rank(b) || (a.createdAt < b.createdAt ? -1 : 1));
}

function viewOf(
  call: Call<Principal | null>,
  parts: { access: ServiceAccess; publishing: Publishing },
  site: Stored<SiteDocument>,
  shareKey: string | undefined,
): Promise<StructureView> {
  const { principal } = call;
  const seen =
    principal?.kind === 'visitor' ? viewerOf(principal, shareKey) : { viewer: { kind: 'member' } as const, shareKey };
  const key = seen.shareKey;
  const isValid = key !== undefined && linkWithKey(call, { site: site._id, links: site.links }, key) !== undefined;
  const showing = { site, shareKey: isValid ? key : undefined };
  return seen.viewer.kind === 'member'
    ? viewStructure(call, parts, showing)
    : viewPublished(call, parts, { ...showing, viewer: seen.viewer });
}
