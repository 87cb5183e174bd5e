import type { ServiceAccess } from '@scriptorium/access';
import type { VisitorType } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { shownStructure, viewedSpaces, type RecordedSite } from '../../model/index.js';
import type { SeenStructure } from './locate-in-site.js';

/** A visitor to whom a site is shown. `draft`: the member who previews the site as this visitor. */
export interface ShownTo {
  claims: Claims;
  type: VisitorType;
  draft?: string | undefined;
}

/**
 * What a visitor with these claims sees of a site. Spaces that are not in the navigation can be reached all the same. A preview shows
 * nothing that its member may not view.
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
  const viewer = { kind: 'visitor', claims, type } as const;
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
