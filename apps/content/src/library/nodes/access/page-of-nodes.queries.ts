import type { Grantee, Level, NodeTree } from '@scriptorium/access';
import { pageBy, type CursorBinding, type Cursors, type Page, type PageRequest } from '@scriptorium/platform';

/** A node of a list, with the level that the viewer has on it. */
export interface ListedNode {
  id: string;
  position: string;
  level: Level;
  /** When it was deleted; `null` when it was not. */
  deletedAt: string | null;
}

/** One page of nodes, which `ids` names in the order of the library. */
export function pageOfNodes(
  cursors: Cursors,
  { nodes, member }: { nodes: NodeTree; member: Grantee },
  ids: readonly string[],
  { binding, request }: { binding: Pick<CursorBinding, 'operation' | 'scope'>; request: PageRequest },
): Promise<Page<ListedNode>> {
  return pageBy<ListedNode>(cursors, {
    binding: { ...binding, sort: 'position', order: 'asc' },
    request,
    isCounted: true,
    count: () => ids.length,
    // Everything that is needed of the nodes is taken at once: they go on changing.
    fetch: (limit, after) =>
      nodes.page(ids, limit, after === undefined ? undefined : String(after[0])).map((id) => ({
        id,
        position: nodes.positionOf(id),
        level: nodes.levelOn(id, member),
        deletedAt: nodes.deletedAt(id),
      })),
    keysOf: ({ id, position }) => [position, id],
  });
}
