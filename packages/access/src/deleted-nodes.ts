import type { NodeKind } from './node-access.projection.js';
import { childrenOf, type TreeNodes } from './tree-nodes.js';

/** Ids of what was deleted, itself or with a collection that contains it, in the order of the library. */
export function deletedIn(nodes: TreeNodes): { spaces: string[]; collections: string[] } {
  const ids: Record<NodeKind, string[]> = { space: [], collection: [] };
  const visit = (parent: string | null, isInDeleted: boolean): void => {
    for (const node of childrenOf(nodes, parent)) {
      const isDeleted = isInDeleted || node.deletedAt !== null;
      if (isDeleted) ids[node.kind].push(node.id);
      if (node.kind === 'collection') visit(node.id, isDeleted);
    }
  };
  visit(null, false);
  return { spaces: ids.space, collections: ids.collection };
}
