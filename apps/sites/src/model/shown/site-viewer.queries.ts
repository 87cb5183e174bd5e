import {
  nodeResourceAccess,
  organizationAccess,
  partResourceAccess,
  resolveLevel,
  viewerOfReach,
  type Level,
  type Place,
  type ServiceAccess,
} from '@scriptorium/access';
import {
  AppError,
  type InstallationPrincipal,
  type Principal,
  type ResourceAccess,
  type VisitorPrincipal,
} from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { levelsOf, type SiteGrants } from '../site/grants.js';
import { sites, type SiteDocument } from '../site/site.projection.js';

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
  if (principal.kind === 'installation')
    return viewAsInstallation(scope, access, principal, { organizationId, siteId });
  const place = await access.placeIn(scope, organizationId, principal);
  return place === null ? null : viewAt(scope, access, place, siteId);
}

/** The site that a content token is for. What is shown of it depends on the claims of the visitor. */
async function viewAsVisitor(
  scope: Scope,
  { id: user, organization, visitor }: VisitorPrincipal,
  { organizationId, siteId = '' }: SiteParams,
): Promise<ViewedSite | null> {
  if (organizationId !== organization || visitor.site !== siteId) return null;
  const site = await scope.store.read(sites).byId(siteId);
  if (site?.isAdded !== true || site.organization !== organization) return null;
  const place = { organization, user, membership: '', role: null, withoutSSO: false };
  return { site, place, level: 'read' };
}

/** A site that an installation reaches. */
async function viewAsInstallation(
  scope: Scope,
  access: ServiceAccess,
  principal: InstallationPrincipal,
  { organizationId = '', siteId = '' }: SiteParams,
): Promise<ViewedSite | null> {
  const target = { kind: 'site', id: siteId, organization: organizationId } as const;
  const viewer = viewerOfReach(await access.reachOf(scope, principal), target);
  const site = viewer === null ? null : await scope.store.read(sites).byId(siteId);
  if (viewer === null || site?.isAdded !== true || site.organization !== organizationId) return null;
  return { site, place: viewer.place, level: viewer.level };
}

async function viewAt(scope: Scope, access: ServiceAccess, place: Place, id: string): Promise<ViewedSite | null> {
  const site = await scope.store.read(sites).byId(id);
  if (site?.isAdded !== true || site.organization !== place.organization) return null;
  return { site, place, level: await levelAt(scope, access, place, site.grants) };
}

/** The level of a member on a site: what it grants to them, or else their role. */
async function levelAt(scope: Scope, access: ServiceAccess, place: Place, grants: SiteGrants): Promise<Level> {
  const [levels] = await levelsOn(scope, access, place, [grants]);
  return levels ?? null;
}

/** The levels of a member on several sites. */
export async function levelsOn(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  sites: readonly SiteGrants[],
): Promise<Level[]> {
  const isTeamless = sites.every(({ teams }) => teams.length === 0);
  const member = isTeamless ? { ...place, teams: [] } : (await access.viewerWithTeamsAt(scope, place)).member;
  return sites.map((grants) => resolveLevel(member, [levelsOf(grants)]));
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

/** The spaces on a site. None for a site that is not there, or that the caller may not view. */
export async function spacesOnSite(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  params: SiteParams,
): Promise<string[]> {
  const viewed = await viewSite(scope, access, principal, params);
  return viewed === null || viewed.level === null ? [] : viewed.site.spaces;
}

/** Access to a site. Whoever may not view the organization does not know of its sites. */
export async function accessToSite(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { organizationId = '', siteId = '' }: SiteParams,
): Promise<ResourceAccess> {
  if (principal.kind === 'visitor' || principal.kind === 'installation') {
    const viewed = await viewSite(scope, access, principal, { organizationId, siteId });
    return nodeResourceAccess(viewed, viewed !== null);
  }
  const place = await access.placeIn(scope, organizationId, principal);
  if (place === null) return { ...organizationAccess(null), parentVisible: false, exists: false };
  const viewed = await viewAt(scope, access, place, siteId);
  return nodeResourceAccess(viewed ?? { place, level: null }, viewed !== null);
}

/** Access to a part of a site, such as a section. */
export async function accessToSitePart(...site: Parameters<typeof accessToSite>): Promise<ResourceAccess> {
  return partResourceAccess(await accessToSite(...site));
}
