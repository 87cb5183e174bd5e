import { type Block, type Fragment, type Node, type RichDocument } from './types.js';

/** Gives the blocks that stand in the place of one; `undefined` for one that stays. */
export type ReplaceBlock = (block: Block) => readonly Block[] | undefined;

/** The document with other blocks in the place of some, at any depth. */
export function replaceBlocks(document: RichDocument, replace: ReplaceBlock): RichDocument {
  return { ...document, nodes: document.nodes.flatMap((block) => replaced(block, replace)) };
}

function replaced(block: Block, replace: ReplaceBlock): readonly Block[] {
  const others = replace(block);
  if (others !== undefined) return others;
  return [{ ...block, ...(block.nodes && { nodes: inside(block.nodes, replace) }), ...fragmentsOf(block, replace) }];
}

function inside(nodes: readonly Node[], replace: ReplaceBlock): Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.object === 'block') return replaced(node, replace);
    return node.object === 'text' ? [node] : [{ ...node, ...fragmentsOf(node, replace) }];
  });
}

function fragmentsOf({ fragments }: { fragments?: Fragment[] }, replace: ReplaceBlock): { fragments?: Fragment[] } {
  return fragments === undefined
    ? {}
    : { fragments: fragments.map((part) => ({ ...part, nodes: inside(part.nodes, replace) })) };
}
