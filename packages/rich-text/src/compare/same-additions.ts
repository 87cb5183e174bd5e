import { Signatures } from '../model/signature.js';
import { type Block, type Node, type RichDocument } from '../model/types.js';
import { inOrder } from './in-order.js';
import { runsOf } from './order.js';
import { type TreeIndex } from './tree-index.js';
import { type Work } from './words.js';

/**
 * The blocks that stand for others: of what both sides added alike at the same place, the one with the lesser key, so that it does not
 * matter which side is which.
 */
export function sameAdditions(base: TreeIndex, ours: TreeIndex, theirs: TreeIndex, work: Work): ReadonlyMap<Block, Block> {
  const signatures = new Signatures();
  const chosen = new Map<Block, Block>();
  const additions = (keys: readonly string[], other: TreeIndex): Map<string, string[]> => runsOf(keys, (key) => base.entries.has(key) || other.entries.has(key));
  for (const [place, keys] of ours.children) {
    const theirRuns = additions(theirs.children.get(place) ?? [], ours);
    if (theirRuns.size === 0) continue;
    for (const [anchor, run] of additions(keys, theirs)) {
      const [a, b] = [blocksOf(ours, run), blocksOf(theirs, theirRuns.get(anchor) ?? [])];
      for (const [i, j] of inOrder(a.map((block) => signatures.of(block)), b.map((block) => signatures.of(block)), work)) choose(a[i], b[j], chosen);
    }
  }
  return chosen;
}

function choose(a: Block | undefined, b: Block | undefined, chosen: Map<Block, Block>): void {
  if (!a || !b) return;
  if ((a.key ?? '') < (b.key ?? '')) chosen.set(b, a);
  else chosen.set(a, b);
}

const blocksOf = (index: TreeIndex, keys: readonly string[]): Block[] => keys.flatMap((key) => index.entries.get(key)?.block ?? []);

/** The document with blocks put in the places of others. */
export function withBlocks(document: RichDocument, chosen: ReadonlyMap<Block, Block>): RichDocument {
  const inside = <T extends Node>(nodes: readonly T[]): T[] => nodes.map((node) => (node.object === 'block' ? (replace(node) as T) : node));
  const replace = (block: Block): Block => {
    const other = chosen.get(block);
    if (other) return other;
    const nodes = block.nodes && { nodes: inside(block.nodes) };
    const fragments = block.fragments && { fragments: block.fragments.map((part) => ({ ...part, nodes: inside(part.nodes) })) };
    return { ...block, ...nodes, ...fragments };
  };
  return { ...document, nodes: inside(document.nodes) };
}
