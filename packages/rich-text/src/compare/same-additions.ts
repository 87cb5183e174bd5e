import { Signatures } from '../model/signature.js';
import { type Block, type Node, type RichDocument } from '../model/types.js';
import { keysOf } from '../model/walk.js';
import { addedAlike, blocksAlike, type Alike, type Side } from './added-alike.js';
import { sameParts } from './same-parts.js';
import { type Entry, type TreeIndex } from './tree-index.js';
import { type Work } from './work.js';

/**
 * The blocks that stand for others: of what both sides added alike at the same place, the one with the lesser key, so
 * that it does not matter which side is which; the lists that both began there, under one key; and the tables in which
 * they added rows or columns alike, with one name for each. What is in such lists is to be looked for once they have
 * that key.
 */
export function sameAdditions(
  base: TreeIndex,
  ours: TreeIndex,
  theirs: TreeIndex,
  work: Work,
): ReadonlyMap<Block, Block> {
  const signatures = new Signatures();
  const chosen = new Map<Block, Block>();
  const side = (place: string, own: TreeIndex, other: TreeIndex): Side => ({
    keys: own.children.get(place) ?? [],
    isKnown: (key) => base.entries.has(key) || other.entries.has(key),
  });
  const alike: Alike = (mine, other) =>
    blocksAlike(
      mine.map((key) => blockOf(ours, key)),
      other.map((key) => blockOf(theirs, key)),
      signatures,
      work,
    );
  for (const place of ours.children.keys()) {
    for (const [mine, other] of addedAlike(side(place, ours, theirs), side(place, theirs, ours), alike)) {
      choose(
        { index: ours, block: blockOf(ours, mine) },
        { index: theirs, block: blockOf(theirs, other) },
        signatures,
        chosen,
      );
    }
  }
  for (const [key, { block }] of ours.entries) {
    const other = theirs.entries.get(key)?.block;
    if (block.type === 'table' && other?.type === 'table')
      chooseParts(sameParts(base.entries.get(key)?.block, block, other, signatures, work), [block, other], chosen);
  }
  return chosen;
}

/** A block in the document of a side. */
type Added = { index: TreeIndex; block: Block };

/** One of two that are alike for both, with its key; of lists that both began, only the key. */
function choose(a: Added, b: Added, signatures: Signatures, chosen: Map<Block, Block>): void {
  const [lesser, greater] = (a.block.key ?? '') < (b.block.key ?? '') ? [a, b] : [b, a];
  if (signatures.of(a.block) !== signatures.of(b.block))
    chosen.set(greater.block, { ...greater.block, ...(lesser.block.key !== undefined && { key: lesser.block.key }) });
  else if (canStandFor(lesser.block, greater)) chosen.set(greater.block, lesser.block);
  else if (canStandFor(greater.block, lesser)) chosen.set(lesser.block, greater.block);
}

/**
 * False where something in the block has a key that something else has in the other document: it came from elsewhere
 * there, or went.
 */
function canStandFor(block: Block, { index, block: other }: Added): boolean {
  const own = keysOf(other);
  return [...keysOf(block)].every((key) => own.has(key) || !index.entries.has(key));
}

function chooseParts(named: readonly Block[], tables: readonly Block[], chosen: Map<Block, Block>): void {
  tables.forEach((table, side) => {
    const now = named[side];
    if (now && now !== table) chosen.set(table, now);
  });
}

/** The block under a key of the index. */
const blockOf = (index: TreeIndex, key: string): Block => (index.entries.get(key) as Entry).block;

/** The document with blocks, or several of them, or none, put in the places of others. */
export function withBlocks(document: RichDocument, chosen: ReadonlyMap<Block, Block | readonly Block[]>): RichDocument {
  const inside = <T extends Node>(nodes: readonly T[]): T[] =>
    nodes.flatMap((node) => (node.object === 'block' ? (replace(node) as T | T[]) : node));
  const replace = (block: Block): Block | readonly Block[] => {
    const other = chosen.get(block);
    if (other) return other;
    const nodes = block.nodes && { nodes: inside(block.nodes) };
    const fragments = block.fragments && {
      fragments: block.fragments.map((part) => ({ ...part, nodes: inside(part.nodes) })),
    };
    return { ...block, ...nodes, ...fragments };
  };
  return { ...document, nodes: inside(document.nodes) };
}
