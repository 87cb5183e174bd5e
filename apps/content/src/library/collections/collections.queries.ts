import { collectionPermissions, nodeAccess, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { AppError, type Collection, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { keyed, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { deletionFields, pageOfNodes, recoverableBy, requireNode } from '../nodes/index.js';
import { collections, type CollectionDocument } from './collection.projection.js';

/** A collection as the caller sees it. */
export async function getCollection(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  id: string,
): Promise<Collection> {
  const [node, doc] = await Promise.all([
    requireNode(scope, access, principal, id),
    scope.store.read(collections).byId(id),
  ]);
  if (doc === null) throw new AppError('not_found');
  return renderCollection(doc, node, scope.urls);
}

/**
 * The collections that a member may view, in the order of the library; those at the top alone, or those in others, too.
 * With `deleted`: those of which the member is an admin and that are not removed for good yet.
 */
export async function listCollections(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  filter: PageRequest & { operation: string; nested: boolean; deleted: boolean },
): Promise<Page<Collection>> {
  const { nested, deleted } = filter;
  const { nodes, member } = await access.viewerAt(scope, place);
  const { collections: visible } = deleted ? recoverableBy(nodes, member, scope.now()) : nodes.visibleTo(member);
  // A chain of one node is one at the top.
  const ids = nested ? visible : visible.filter((id) => nodes.chainOf(id).length === 1);
  const binding = {
    operation: filter.operation,
    scope: { organization: place.organization, nested, ...(deleted && { deleted }) },
  };
  const page = await pageOfNodes(scope.cursors, { nodes, member }, ids, { binding, request: filter });
  return { ...page, items: await renderListedCollections(scope, page.items) };
}

/**
 * Collections of a list, each with the level of whoever is shown it. Those that were removed meanwhile are left out.
 */
export async function renderListedCollections(
  scope: Scope,
  listed: readonly { id: string; level: Level; deletedAt?: string | null }[],
): Promise<Collection[]> {
  const ids = listed.map(({ id }) => id);
  const [docs, places] = await Promise.all([
    scope.store.read(collections).byIds(ids),
    scope.store.read(nodeAccess).byIds(ids),
  ]);
  const [byId, placeOf] = [keyed(docs), keyed(places)];
  return listed.flatMap(({ id, level, deletedAt = null }) => {
    const doc = byId.get(id);
    const parent = placeOf.get(id)?.parent ?? null;
    return doc === undefined ? [] : [renderCollection(doc, { parent, level, deletedAt }, scope.urls)];
  });
}

function renderCollection(
  doc: Stored<CollectionDocument>,
  { parent, level, deletedAt }: { parent: string | null; level: Level; deletedAt: string | null },
  urls: Scope['urls'],
): Collection {
  const { _id: id, organization, description } = doc;
  return {
    object: 'collection',
    id,
    title: doc.title,
    ...(description === null || description === '' ? {} : { description }),
    organization,
    ...(parent === null ? {} : { parent }),
    ...deletionFields(deletedAt),
    defaultLevel: doc.defaultLevel,
    urls: { location: `${urls.api}/collections/${id}`, app: `${urls.app}/o/${organization}/c/${id}` },
    permissions: collectionPermissions(level),
  };
}
