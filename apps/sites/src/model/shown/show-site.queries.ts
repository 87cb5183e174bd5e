import { organizationFacts, type Place, type ServiceAccess } from '@scriptorium/access';
import type { Site, SiteCustomization } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { base62, type Scope } from '@scriptorium/platform';
import { titlesOf } from '../../spaces/index.js';
import { internalAddress, siteAddress, type Publishing } from '../addresses/addresses.js';
import { customizations } from './customization.projection.js';
import { shownStructure, withLivingDefaults, type SiteViewer } from './shown.js';
import type { SiteDocument } from '../site/site.projection.js';
import { renderSite, type ListedSite } from './site.render.js';
import type { ViewedSite } from './site-viewer.queries.js';
import type { StructureView } from '../structure/structure.render.js';

/** A site as somebody sees it, without what stands on it. */
export async function showSite(
  scope: Scope,
  publishing: Publishing,
  { site, level }: { site: Stored<ListedSite>; level: ViewedSite['level'] },
): Promise<Site> {
  const [facts, look] = await Promise.all([
    scope.store.read(organizationFacts).byId(site.organization),
    scope.store.read(customizations).byId(site._id),
  ]);
  const hostname = facts?.hostname ?? '';
  const { place } = publishing;
  return renderSite(site, {
    level,
    favicon: look?.settings['favicon'] as SiteCustomization['favicon'] | undefined,
    address: site.published && site.visibility !== 'share-link' ? siteAddress(place, hostname, site) : undefined,
    internal: internalAddress(place, hostname, site),
    proof: proofOf(scope, site._id, site.hostname ?? ''),
    urls: scope.urls,
  });
}

/** The text that proves that a hostname is to lead to a site. It is made of both, so nothing has to be stored. */
export function proofOf({ keys }: Pick<Scope, 'keys'>, site: string, hostname: string): string {
  return base62(keys.digest('site-hostname', site, hostname).subarray(0, 24), 32);
}

/** The address of a published site for whoever has this key of a share link, if any; `undefined` when there is none. */
async function addressOf(
  scope: Scope,
  publishing: Publishing,
  site: Stored<SiteDocument>,
  shareKey: string | undefined,
): Promise<string | undefined> {
  if (!site.published || (site.visibility === 'share-link' && shareKey === undefined)) return undefined;
  const facts = await scope.store.read(organizationFacts).byId(site.organization);
  const address = siteAddress(publishing.place, facts?.hostname ?? '', site);
  return site.visibility === 'share-link' ? `${address}${shareKey ?? ''}/` : address;
}

/**
 * What somebody wants to see of a site. `shareKey`: the key of an active share link of it. `place`: of the member to
 * whom it is shown, who learns no titles of spaces that they may not view.
 */
export interface Showing {
  site: Stored<SiteDocument>;
  shareKey?: string | undefined;
  place?: Place | undefined;
}

/** What a viewer wants to see of a site at which they look from their place. */
export function showingTo(
  viewer: SiteViewer,
  { site, place }: Pick<ViewedSite, 'site' | 'place'>,
  shareKey: string | undefined,
): Showing & { viewer: SiteViewer } {
  return { site, viewer, shareKey, ...(viewer.kind === 'member' ? { place } : {}) };
}

/** Everything that stands on a site, for those who look after it. */
export async function viewStructure(
  scope: Scope,
  { access, publishing }: { access: ServiceAccess; publishing: Publishing },
  showing: Showing,
): Promise<StructureView> {
  const { site } = showing;
  const isLiving = await livingSpaces(scope, access, site);
  return viewOf(scope, { access, publishing }, showing, withLivingDefaults(site.structure, isLiving));
}

/** What a viewer sees of a site that is published. */
export async function viewPublished(
  scope: Scope,
  { access, publishing }: { access: ServiceAccess; publishing: Publishing },
  { viewer, ...showing }: Showing & { viewer: SiteViewer },
): Promise<StructureView> {
  const isLiving = await livingSpaces(scope, access, showing.site);
  const opened = viewer.kind === 'member' || viewer.spaces === undefined ? undefined : new Set(viewer.spaces);
  const isThere = (space: string): boolean => isLiving(space) && opened?.has(space) !== false;
  return viewOf(scope, { access, publishing }, showing, shownStructure(showing.site, viewer, isThere));
}

/** Whether spaces are not deleted. Use it before the next change of the library. */
async function livingSpaces(
  scope: Scope,
  access: ServiceAccess,
  { organization, spaces }: SiteDocument,
): Promise<(space: string) => boolean> {
  const nodes = await access.nodesOf(scope, organization);
  const living = new Set(spaces.filter((space) => nodes.has(space) && nodes.deletedAt(space) === null));
  return (space) => living.has(space);
}

async function viewOf(
  scope: Scope,
  { access, publishing }: { access: ServiceAccess; publishing: Publishing },
  { site, shareKey, place }: Showing,
  structure: StructureView['structure'],
): Promise<StructureView> {
  const spaces = structure.siteSpaces.map(({ space }) => space);
  const named = place === undefined ? spaces : await viewedSpaces(scope, access, place, spaces);
  const [titles, address] = await Promise.all([
    titlesOf(scope, site.organization, named),
    addressOf(scope, publishing, site, shareKey),
  ]);
  return { structure, titles, address };
}

/** Filters spaces: the result has the ones that a member may view. */
export async function viewedSpaces(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  spaces: readonly string[],
): Promise<string[]> {
  const { nodes, member } = await access.viewerAt(scope, place);
  return spaces.filter((space) => nodes.levelOn(space, member) !== null);
}
