import type { ServiceAccess } from '@scriptorium/access';
import type { VisitorType } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { shownStructure, viewedSpaces, type RecordedSite, type SiteViewer } from '../../model/index.js';
import type { SeenStructure } from './locate-in-site.js';

/** A visitor to whom a site is shown. `draft`: the member who previews the site as this visitor. */
export interface ShownTo {
  claims: Claims;
  type: VisitorType;
  draft?: string | undefined;
}

/**
 * What a visitor with these claims sees of a site. Spaces that are not in the navigation can be reached all the same. A
 * preview shows nothing that its member may not view.
 */
export async function shownToVisitor(
  scope: Scope,
  access: ServiceAccess,
  site: RecordedSite,
  { claims, type, draft }: ShownTo,
): Promise<SeenStructure> {
  const mayView = draft === undefined ? () => true : await viewOf(scope, access, site, draft);
  const nodes = await access.nodesOf(scope, site.organization);
  const isLiving = (space: string): boolean => nodes.has(space) && nodes.deletedAt(space) === null && mayView(space);
  return seenBy(site, { kind: 'visitor', claims, type }, isLiving);
}

/** What a member sees of a site: what is under conditions, too, and no spaces that they may not view. */
export async function shownToMember(
  scope: Scope,
  access: ServiceAccess,
  site: RecordedSite,
  user: string,
): Promise<SeenStructure> {
  const mayView = await viewOf(scope, access, site, user);
  const nodes = await access.nodesOf(scope, site.organization);
  const isLiving = (space: string): boolean => nodes.has(space) && nodes.deletedAt(space) === null && mayView(space);
  return seenBy(site, { kind: 'member' }, isLiving);
}

function seenBy(site: RecordedSite, viewer: SiteViewer, isLiving: (space: string) => boolean): SeenStructure {
  const { structure } = site;
  const listed = shownStructure(site, viewer, isLiving);
  if (structure.siteSpaces.every(({ hidden }) => !hidden)) return { listed, all: listed };
  const siteSpaces = structure.siteSpaces.map((one) => ({ ...one, hidden: false }));
  return { listed, all: shownStructure({ ...site, structure: { ...structure, siteSpaces } }, viewer, isLiving) };
}

/** Which of the spaces of a site a member may view. */
async function viewOf(
  scope: Scope,
  access: ServiceAccess,
  { organization, structure }: RecordedSite,
  user: string,
): Promise<(space: string) => boolean> {
  const place = await access.placeIn(scope, organization, { id: user });
  if (place === null || place.withoutSSO) return () => false;
  const spaces = structure.siteSpaces.map(({ space }) => space);
  const viewed = new Set(await viewedSpaces(scope, access, place, spaces));
  return (space) => viewed.has(space);
}
