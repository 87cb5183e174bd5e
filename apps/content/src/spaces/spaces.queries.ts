import { nodeAccess, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { AppError, type Principal, type Space } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { keyed, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { pageOfNodes, requireNode, viewNode } from '../library/index.js';
import { siteVisibilityOf } from './site-visibility.queries.js';
import { spaceCounts } from './space-count.projection.js';
import { spaces, type SpaceDocument } from './space.projection.js';
import { renderSpace, type Viewed } from './space.render.js';

/** A space as the caller sees it. */
export async function getSpace(scope: Scope, access: ServiceAccess, principal: Principal, id: string): Promise<Space> {
  const [node, doc, counts, onSites] = await Promise.all([
    requireNode(scope, access, principal, id),
    scope.store.read(spaces).byId(id),
    scope.store.read(spaceCounts).byId(id),
    siteVisibilityOf(scope, [id]),
  ]);
  if (doc === null) throw new AppError('not_found');
  const shown = { ...node, onSites: onSites(id, node.organization) };
  if (principal.kind === 'visitor') return renderForVisitor(doc, shown, scope.urls);
  return renderSpace(doc, shown, counts, scope.urls);
}

/** A space without what concerns those who work on it: where it stands, its rules, how much is going on. */
function renderForVisitor(doc: Stored<SpaceDocument>, viewed: Viewed, urls: Scope['urls']): Space {
  const plain = { ...doc, mergeRules: null, defaultLevel: null };
  return renderSpace(plain, { ...viewed, parent: null }, null, urls);
}

/** The spaces that a member may view, in the order of the library; all, or those directly in one collection. */
export async function listSpaces(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  filter: PageRequest & { operation: string; collection?: string },
): Promise<Page<Space>> {
  const { collection } = filter;
  const { organization } = place;
  const { nodes, member } = await access.viewerAt(scope, place);
  const { spaces: visible } = nodes.visibleTo(member);
  const listed = collection === undefined ? visible : visible.filter((id) => nodes.parentOf(id) === collection);
  const binding = { operation: filter.operation, scope: { organization, collection } };
  const page = await pageOfNodes(scope.cursors, { nodes, member }, listed, { binding, request: filter });
  return { ...page, items: await renderListed(scope, page.items) };
}

/** Spaces of a list, each with the level of whoever is shown it. Those that were removed meanwhile are left out. */
export async function renderListed(scope: Scope, listed: readonly { id: string; level: Level }[]): Promise<Space[]> {
  const ids = listed.map(({ id }) => id);
  const [docs, places, counts, onSites] = await Promise.all([
    scope.store.read(spaces).byIds(ids),
    scope.store.read(nodeAccess).byIds(ids),
    scope.store.read(spaceCounts).byIds(ids),
    siteVisibilityOf(scope, ids),
  ]);
  const [byId, placeOf, countsOf] = [keyed(docs), keyed(places), keyed(counts)];
  return listed.flatMap(({ id, level }) => {
    const doc = byId.get(id);
    const parent = placeOf.get(id)?.parent ?? null;
    if (doc === undefined) return [];
    const seen = { parent, deletedAt: null, level, onSites: onSites(id, doc.organization) };
    return [renderSpace(doc, seen, countsOf.get(id), scope.urls)];
  });
}

/** Spaces for responses of other services. Deleted ones, and those that the caller may not view, are left out. */
export async function lookupSpaces(
  scope: Scope,
  access: ServiceAccess,
  caller: Principal | null,
  ids: readonly string[],
): Promise<Space[]> {
  if (caller === null) return [];
  const docs = await scope.store.read(spaces).byIds([...new Set(ids)]);
  const onSites = await siteVisibilityOf(scope, ids);
  const shown = await Promise.all(
    docs.map(async (doc) => {
      const node = await viewNode(scope, access, caller, doc._id);
      if (node === null || node.level === null || node.deletedAt !== null || node.place.withoutSSO) return [];
      const seen = { ...node, onSites: onSites(doc._id, node.organization) };
      if (caller.kind === 'visitor') return [renderForVisitor(doc, seen, scope.urls)];
      return [renderSpace(doc, seen, await scope.store.read(spaceCounts).byId(doc._id), scope.urls)];
    }),
  );
  return shown.flat();
}
