import { type Block, type Node, type RichDocument } from '../model/types.js';
import { inOrder } from './in-order.js';
import { Signatures } from './signature.js';
import { indexTree, type TreeIndex } from './tree-index.js';
import { type Work } from './words.js';

/**
 * Both documents with one block for what both sides added alike at the same place: the one with the lesser key, so that it does not
 * matter which side is which.
 */
export function withSameAdditions(base: TreeIndex, ours: RichDocument, theirs: RichDocument, work: Work): [RichDocument, RichDocument] {
  const [mine, other] = [indexTree(ours), indexTree(theirs)];
  const signatures = new Signatures();
  const chosen = new Map<Block, Block>();
  for (const [place, keys] of mine.children) {
    const runs = runsOf(keys, base, other);
    for (const [anchor, theirKeys] of runsOf(other.children.get(place) ?? [], base, mine)) {
      const [a, b] = [blocksOf(mine, runs.get(anchor) ?? []), blocksOf(other, theirKeys)];
      for (const [i, j] of inOrder(a.map((block) => signatures.of(block)), b.map((block) => signatures.of(block)), work)) choose(a[i], b[j], chosen);
    }
  }
  return chosen.size === 0 ? [ours, theirs] : [replaced(ours, chosen), replaced(theirs, chosen)];
}

function choose(a: Block | undefined, b: Block | undefined, chosen: Map<Block, Block>): void {
  if (!a || !b) return;
  if ((a.key ?? '') < (b.key ?? '')) chosen.set(b, a);
  else chosen.set(a, b);
}

const blocksOf = (index: TreeIndex, keys: readonly string[]): Block[] => keys.flatMap((key) => index.entries.get(key)?.block ?? []);

/** What one side alone has, by the sibling of all before it; '' for the first ones. */
function runsOf(keys: readonly string[], base: TreeIndex, other: TreeIndex): Map<string, string[]> {
  const runs = new Map<string, string[]>();
  let anchor = '';
  for (const key of keys) {
    if (base.entries.has(key) || other.entries.has(key)) anchor = key;
    else runs.set(anchor, [...(runs.get(anchor) ?? []), key]);
  }
  return runs;
}

function replaced(document: RichDocument, chosen: ReadonlyMap<Block, Block>): RichDocument {
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
