import type { NodeTree, Place, ServiceAccess, VisibleNodes } from '@scriptorium/access';
import type { Collection, Space } from '@scriptorium/contracts';
import type { Page, PageRequest, Scope } from '@scriptorium/platform';
import { renderListedCollections } from '../../collections/index.js';
import { pageOfNodes } from '../../nodes/index.js';
import { renderListed } from './spaces.queries.js';

/** The collections and spaces that a member may view, in the order of the library. */
export async function listAllContent(
  scope: Scope,
  access: ServiceAccess,
  place: Place,
  filter: PageRequest & { operation: string },
): Promise<Page<Collection | Space>> {
  const { organization } = place;
  const { nodes, member } = await access.viewerAt(scope, place);
  const binding = { operation: filter.operation, scope: { organization } };
  const visible = inOrder(nodes, nodes.visibleTo(member));
  const page = await pageOfNodes(scope.cursors, { nodes, member }, visible, { binding, request: filter });
  const [collections, spaces] = await Promise.all([
    renderListedCollections(scope, page.items),
    renderListed(scope, page.items),
  ]);
  const shown = new Map([...collections, ...spaces].map((node) => [node.id, node]));
  return { ...page, items: page.items.flatMap(({ id }) => shown.get(id) ?? []) };
}

/** Both lists are in the order of the library, and become one. */
function inOrder(nodes: NodeTree, { collections, spaces }: VisibleNodes): string[] {
  const placed = [...collections, ...spaces].map((id) => ({ id, position: nodes.positionOf(id) }));
  return placed.sort((a, b) => (a.position < b.position ? -1 : 1)).map(({ id }) => id);
}
