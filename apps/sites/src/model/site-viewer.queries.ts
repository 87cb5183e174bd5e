import {
  nodeResourceAccess,
  organizationAccess,
  partResourceAccess,
  type Level,
  type Place,
  type ServiceAccess,
} from '@scriptorium/access';
import { AppError, type Principal, type ResourceAccess, type VisitorPrincipal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { sites, type SiteDocument } from './site.projection.js';

/** A site with somebody who looks at it. */
export interface ViewedSite {
  site: Stored<SiteDocument>;
  place: Place;
  level: Level;
}

/** What names a site in a path. */
export interface SiteParams {
  organizationId?: string;
  siteId?: string;
}

/** A site as a caller sees it; `null` when it is not there, or the caller is no member of its organization. */
export async function viewSite(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { organizationId = '', siteId = '' }: SiteParams,
): Promise<ViewedSite | null> {
  if (principal.kind === 'visitor') return viewAsVisitor(scope, principal, { organizationId, siteId });
  const place = await access.placeIn(scope, organizationId, principal);
  return place === null ? null : viewAt(scope, place, siteId);
}

/** The site that a content token is for. What is shown of it depends on the claims of the visitor. */
async function viewAsVisitor(
  scope: Scope,
  { id: user, organization, visitor }: VisitorPrincipal,
  { organizationId, siteId = '' }: SiteParams,
): Promise<ViewedSite | null> {
  if (organizationId !== organization || visitor.site !== siteId) return null;
  const place = { organization, user, membership: '', role: null, withoutSSO: false };
  const viewed = await viewAt(scope, place, siteId);
  return viewed === null ? null : { ...viewed, level: 'read' };
}

async function viewAt(scope: Scope, place: Place, id: string): Promise<ViewedSite | null> {
  const site = await scope.store.read(sites).byId(id);
  if (site?.isAdded !== true || site.organization !== place.organization) return null;
  return { site, place, level: place.role };
}

/** `viewSite` for what an access check has found. @throws AppError `not_found` when it is gone since */
export async function requireSite(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  params: SiteParams,
): Promise<ViewedSite> {
  const viewed = await viewSite(scope, access, principal, params);
  if (viewed === null) throw new AppError('not_found');
  return viewed;
}

/** Access to a site. Whoever may not view the organization does not know of its sites. */
export async function accessToSite(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { organizationId = '', siteId = '' }: SiteParams,
): Promise<ResourceAccess> {
  if (principal.kind === 'visitor') {
    const viewed = await viewAsVisitor(scope, principal, { organizationId, siteId });
    return nodeResourceAccess(viewed, viewed !== null);
  }
  const place = await access.placeIn(scope, organizationId, principal);
  if (place === null) return { ...organizationAccess(null), parentVisible: false, exists: false };
  const viewed = await viewAt(scope, place, siteId);
  return nodeResourceAccess(viewed ?? { place, level: null }, viewed !== null);
}

/** Access to a part of a site, such as a section. */
export async function accessToSitePart(...site: Parameters<typeof accessToSite>): Promise<ResourceAccess> {
  return partResourceAccess(await accessToSite(...site));
}
