import { withoutGrant, type DefaultLevel } from './level.js';
import { upwards, type Node, type TreeNodes } from './tree-nodes.js';

/** Spaces that are not deleted: all, and those that every member except guests may view without a grant. */
export interface Totals {
  readonly all: number;
  readonly open: number;
}

/** The totals of each collection that is not deleted, with everything in it, and of the top (`null`). */
export type TotalsByNode = ReadonlyMap<string | null, Totals>;

/** A node and its parents up to the top. */
export type Chain = readonly [Node, ...Node[]];

export const noSpaces: Totals = { all: 0, open: 0 };

/** Goes through all nodes once. */
export function totalsOf(nodes: TreeNodes): TotalsByNode {
  const totals = new Map<string | null, Totals>();
  const visit = (parent: string | null, above: DefaultLevel): Totals => {
    let [all, open] = [0, 0];
    for (const id of nodes.children.get(parent) ?? []) {
      const node = nodes.byId.get(id);
      if (node === undefined || node.deletedAt !== null) continue;
      const byDefault = node.defaultLevel === 'inherit' ? above : node.defaultLevel;
      const within = node.kind === 'space' ? totalsOfSpace(byDefault) : visit(id, byDefault);
      all += within.all;
      open += within.open;
    }
    const sum = { all, open };
    totals.set(parent, sum);
    return sum;
  };
  visit(null, 'inherit');
  return totals;
}

/** The totals of the first node of a chain. */
export function totalsAt(totals: TotalsByNode, chain: Chain): Totals {
  const [node] = chain;
  if (node.kind === 'collection') return totals.get(node.id) ?? noSpaces;
  const nearest = chain.find(({ defaultLevel }) => defaultLevel !== 'inherit');
  return totalsOfSpace(nearest === undefined ? 'inherit' : nearest.defaultLevel);
}

/** The chain of a node. `null` when a node of it is deleted or unknown. */
export function livingChainOf(nodes: TreeNodes, id: string): Chain | null {
  const [node, ...above] = upwards(nodes, id);
  if (node === undefined) return null;
  const chain: Chain = [node, ...above];
  return chain.at(-1)?.parent === null && chain.every(({ deletedAt }) => deletedAt === null) ? chain : null;
}

/** `byDefault`: the nearest default level that is not `inherit`. */
function totalsOfSpace(byDefault: DefaultLevel): Totals {
  return { all: 1, open: withoutGrant({ role: 'read' }, byDefault) === null ? 0 : 1 };
}
