import { nodeAccess, viewerOfReach, visitorOf, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { AppError, type Principal, type Space } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { keyed, type Asking, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { pageOfNodes, recoverableBy, requireNode } from '../../nodes/index.js';
import { siteAddressesOf, type SiteAddresses } from '../sites/site-addresses.queries.js';
import { onSitesOf, type OnSites } from '../sites/site-visibility.queries.js';
import { spaceCounts } from './space-count.projection.js';
import { spaces, type SpaceDocument } from '../space.projection.js';
import { renderSpace, type Viewed } from './space.render.js';

/** A space as the caller sees it. `shareKey`: that of a link of a site that shows it. */
export async function getSpace(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
  shareKey?: string,
): Promise<Space> {
  return (await getShownSpace(scope, access, principal, id, shareKey)).space;
}

/**
 * A space with what its entity tag is made of: the address of a published one follows from the changes of the sites
 * that show it.
 */
export async function getShownSpace(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
  shareKey?: string,
): Promise<{ space: Space; shows: unknown[] }> {
  const [node, doc, counts, onSites] = await Promise.all([
    requireNode(scope, access, principal, id),
    scope.store.read(spaces).byId(id),
    scope.store.read(spaceCounts).byId(id),
    onSitesOf(scope, [id]),
  ]);
  if (doc === null) throw new AppError('not_found');
  const { organization } = node;
  const onSite = onSites(id, organization);
  const published = { organization, spaces: onSite === undefined ? [] : [id], shareKey };
  const addresses = await siteAddressesOf({ ...scope, principal }, published);
  const shown = { ...node, onSites: onSite?.visibility, published: addresses.get(id) };
  const space =
    principal.kind === 'visitor'
      ? renderForVisitor(doc, shown, scope.urls)
      : renderSpace(doc, shown, counts, scope.urls);
  const { published: _, public: __, ...urls } = space.urls;
  return { space, shows: [{ ...space, urls }, onSite?.sites ?? [], shareKey] };
}

/** A space without what concerns those who work on it: where it stands, its rules, how much is going on. */
function renderForVisitor(doc: Stored<SpaceDocument>, viewed: Viewed, urls: Scope['urls']): Space {
  const plain = { ...doc, mergeRules: null, defaultLevel: null };
  const space = renderSpace(plain, { ...viewed, parent: null }, null, urls);
  // Visitors have no account in the application.
  return { ...space, permissions: { ...space.permissions, access: false } };
}

/**
 * The spaces that a member may view, in the order of the library; all, or those directly in one collection. With
 * `deleted`: those that the member may restore.
 */
export async function listSpaces(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  filter: PageRequest & { operation: string; collection?: string; deleted?: boolean },
): Promise<Page<Space>> {
  const { collection, deleted = false } = filter;
  const { organization } = place;
  const { nodes, member } = await access.viewerAt(scope, place);
  const { spaces: visible } = deleted ? recoverableBy(nodes, member, scope.now()) : nodes.visibleTo(member);
  const listed = collection === undefined ? visible : visible.filter((id) => nodes.parentOf(id) === collection);
  const binding = { operation: filter.operation, scope: { organization, collection, ...(deleted && { deleted }) } };
  const page = await pageOfNodes(scope.cursors, { nodes, member }, listed, { binding, request: filter });
  return { ...page, items: await renderListed(scope, page.items) };
}

/** Spaces of a list, each with the level of whoever is shown it. Those that were removed meanwhile are left out. */
export async function renderListed(
  scope: Scope,
  listed: readonly { id: string; level: Level; deletedAt?: string | null }[],
): Promise<Space[]> {
  const ids = listed.map(({ id }) => id);
  const [docs, places, counts, onSites] = await Promise.all([
    scope.store.read(spaces).byIds(ids),
    scope.store.read(nodeAccess).byIds(ids),
    scope.store.read(spaceCounts).byIds(ids),
    onSitesOf(scope, ids),
  ]);
  const [byId, placeOf, countsOf] = [keyed(docs), keyed(places), keyed(counts)];
  const addresses = await addressesOf(scope, docs, onSites);
  return listed.flatMap(({ id, level, deletedAt = null }) => {
    const doc = byId.get(id);
    const parent = placeOf.get(id)?.parent ?? null;
    if (doc === undefined) return [];
    const visibility = onSites(id, doc.organization)?.visibility;
    const seen = { parent, deletedAt, level, onSites: visibility, published: addresses.get(id) };
    return [renderSpace(doc, seen, countsOf.get(id), scope.urls)];
  });
}

/**
 * Spaces for responses of other services. Deleted ones, and those that the caller may not view, are left out; and all
 * of them for a token whose scopes do not let it read spaces.
 */
export async function lookupSpaces(
  scope: Scope,
  access: ServiceAccess,
  caller: Principal | null,
  ids: readonly string[],
): Promise<Space[]> {
  if (caller === null || !mayReadSpaces(caller)) return [];
  const docs = await scope.store.read(spaces).byIds([...new Set(ids)]);
  const onSites = await onSitesOf(scope, ids);
  const [addresses, counts] = await Promise.all([
    addressesOf({ ...scope, principal: caller }, docs, onSites),
    scope.store.read(spaceCounts).byIds(docs.map(({ _id }) => _id)),
  ]);
  const countsOf = keyed(counts);
  const viewed = new Map<string, ViewNode>();
  for (const { organization } of docs)
    if (!viewed.has(organization)) viewed.set(organization, await viewerIn(scope, access, caller, organization));
  return docs.flatMap((doc) => {
    const { _id: id, organization } = doc;
    const node = viewed.get(organization)?.(id) ?? null;
    if (node === null) return [];
    const visibility = onSites(id, organization)?.visibility;
    const seen = { ...node, deletedAt: null, onSites: visibility, published: addresses.get(id) };
    return caller.kind === 'visitor'
      ? [renderForVisitor(doc, seen, scope.urls)]
      : [renderSpace(doc, seen, countsOf.get(id), scope.urls)];
  });
}

/** Whether the scopes of a token let it read spaces. */
function mayReadSpaces({ kind, token }: Principal): boolean {
  if (kind === 'installation') return token.integrationScopes?.includes('space:metadata:read') === true;
  return token.scopes?.includes('space:read') !== false;
}

/** A space of an organization as a caller sees it; `null` for one that is deleted, or that they may not view. */
type ViewNode = (id: string) => Pick<Viewed, 'parent' | 'level'> | null;

/** Asked once for all spaces of an organization. Use the result before the next `await`. */
async function viewerIn(
  scope: Scope,
  access: ServiceAccess,
  caller: Principal,
  organization: string,
): Promise<ViewNode> {
  const levelOn = await levelsFor(scope, access, caller, organization);
  const nodes = await access.nodesOf(scope, organization);
  return (id) => {
    if (!nodes.has(id) || nodes.deletedAt(id) !== null) return null;
    const level = levelOn(id);
    return level === null ? null : { parent: nodes.parentOf(id) ?? null, level };
  };
}

async function levelsFor(
  scope: Scope,
  access: ServiceAccess,
  caller: Principal,
  organization: string,
): Promise<(id: string) => Level> {
  if (caller.kind === 'visitor') return (id) => visitorOf(caller, { id, organization })?.level ?? null;
  if (caller.kind === 'installation') {
    const reach = await access.reachOf(scope, caller);
    // It may read what a space is, whatever level it has on the content.
    return (id) => {
      const viewer = viewerOfReach(reach, { kind: 'space', id, organization });
      return viewer && (viewer.level ?? 'read');
    };
  }
  const place = await access.placeIn(scope, organization, caller);
  if (place === null || place.withoutSSO) return () => null;
  const { nodes, member } = await access.viewerAt(scope, place);
  return (id) => nodes.levelOn(id, member);
}

/** Where those of these spaces are published that sites show. */
async function addressesOf(
  asking: Asking,
  docs: readonly Stored<SpaceDocument>[],
  onSites: OnSites,
): Promise<SiteAddresses> {
  const shown = new Map<string, string[]>();
  for (const { _id: id, organization } of docs)
    if (onSites(id, organization) !== undefined) shown.set(organization, [...(shown.get(organization) ?? []), id]);
  const found = await Promise.all(
    [...shown].map(([organization, spaces]) => siteAddressesOf(asking, { organization, spaces })),
  );
  return new Map(found.flatMap((one) => [...one]));
}
