import { type Block, type Fragment, type Node, type RichDocument } from './types.js';

/** The document with other blocks in the place of some, at any depth. `replace` gives `undefined` for those that stay. */
export function replaceBlocks(
  document: RichDocument,
  replace: (block: Block) => readonly Block[] | undefined,
): RichDocument {
  const inside = <T extends Node>(nodes: readonly T[]): T[] =>
    nodes.flatMap((node): T[] => {
      if (node.object === 'text') return [node];
      const others = node.object === 'block' ? replace(node) : undefined;
      if (others !== undefined) return others as unknown as T[];
      const fragments = node.fragments?.map((part): Fragment => ({ ...part, nodes: inside(part.nodes) }));
      return [{ ...node, ...(node.nodes && { nodes: inside(node.nodes) }), ...(fragments && { fragments }) }];
    });
  return { ...document, nodes: inside(document.nodes) };
}
