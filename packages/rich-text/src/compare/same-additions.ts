import { Signatures } from '../model/signature.js';
import { type Block, type Node, type RichDocument } from '../model/types.js';
import { addedAlike, blocksAlike, type Alike, type Side } from './added-alike.js';
import { sameParts } from './same-parts.js';
import { type Entry, type TreeIndex } from './tree-index.js';
import { type Work } from './words.js';

/**
 * The blocks that stand for others: of what both sides added alike at the same place, the one with the lesser key, so that it does not
 * matter which side is which; and the tables in which they added rows or columns alike, with one name for each.
 */
export function sameAdditions(base: TreeIndex, ours: TreeIndex, theirs: TreeIndex, work: Work): ReadonlyMap<Block, Block> {
  const signatures = new Signatures();
  const chosen = new Map<Block, Block>();
  const side = (place: string, own: TreeIndex, other: TreeIndex): Side => ({
    keys: own.children.get(place) ?? [],
    isKnown: (key) => base.entries.has(key) || other.entries.has(key),
  });
  const alike: Alike = (mine, other) => blocksAlike(mine.map((key) => blockOf(ours, key)), other.map((key) => blockOf(theirs, key)), signatures, work);
  for (const place of ours.children.keys()) {
    for (const [mine, other] of addedAlike(side(place, ours, theirs), side(place, theirs, ours), alike)) {
      const [a, b] = [blockOf(ours, mine), blockOf(theirs, other)];
      if ((a.key ?? '') < (b.key ?? '')) chosen.set(b, a);
      else chosen.set(a, b);
    }
  }
  for (const [key, { block }] of ours.entries) {
    const other = theirs.entries.get(key)?.block;
    if (block.type !== 'table' || other?.type !== 'table') continue;
    const [a, b] = sameParts(base.entries.get(key)?.block, block, other, signatures, work);
    if (a !== block) chosen.set(block, a);
    if (b !== other) chosen.set(other, b);
  }
  return chosen;
}

/** The block under a key of the index. */
const blockOf = (index: TreeIndex, key: string): Block => (index.entries.get(key) as Entry).block;

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
