import { linkWithKey } from '../share-links/index.js';
import type { ServiceAccess } from '@scriptorium/access';
import type { Decide } from '@scriptorium/event-sourcing';
import { Reply, type Call, type Scope } from '@scriptorium/platform';
import {
  type SiteEvent,
  requireSite,
  site,
  viewerOf,
  viewPublished,
  viewStructure,
  type Publishing,
  type SiteState,
  type StructureView,
} from '../model/index.js';

/** What reads and changes of structures are made with. */
export interface StructureParts {
  access: ServiceAccess;
  publishing: Publishing;
}

/** The path of a request about a site. */
export interface SitePathParams {
  organizationId: string;
  siteId: string;
}

/** Everything on a site for members; for visitors, what their claims allow. */
export async function readStructure(
  scope: Scope & Pick<Call, 'principal'>,
  parts: StructureParts,
  params: SitePathParams,
  shareKey?: string,
): Promise<StructureView> {
  const { principal } = scope;
  const { site, place } = await requireSite(scope, parts.access, principal, params);
  const { links } = site;
  const { viewer, shareKey: key } = viewerOf(principal, shareKey);
  // A key that belongs to no active link is ignored.
  const isValid = key !== undefined && linkWithKey(scope, { site: site._id, links }, key) !== undefined;
  const showing = { site, shareKey: isValid ? key : undefined };
  return viewer.kind === 'member'
    ? viewStructure(scope, parts, { ...showing, place })
    : viewPublished(scope, parts, { ...showing, viewer });
}

/** Changes what stands on a site; whether that recorded anything. */
export async function changeStructure(
  call: Call,
  { siteId }: SitePathParams,
  decide: Decide<SiteState, SiteEvent>,
): Promise<boolean> {
  const { events } = await call.store.within({ site: siteId }).handle(site, siteId, decide);
  return events.length > 0;
}

/** An id of something on a site, which tells what it is. */
export function idOf(call: Pick<Call, 'idFor'>, prefix: 'sitesp' | 'sitesc' | 'sitescg', what: string): string {
  return `${prefix}_${call.idFor(what).slice(0, 10)}`;
}

/** Something that was created on a site, with its address. */
export function createdOn<T extends { id: string }>(
  { urls }: Pick<Call, 'urls'>,
  { organizationId, siteId }: SitePathParams,
  kind: 'site-spaces' | 'sections' | 'section-groups',
  created: T,
): Reply<T> {
  return new Reply(created, { location: `${urls.api}/orgs/${organizationId}/sites/${siteId}/${kind}/${created.id}` });
}
