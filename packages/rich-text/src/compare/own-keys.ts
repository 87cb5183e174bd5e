import { type KeySource } from '../model/keys.js';
import { type Block, type Fragment, type Node } from '../model/types.js';

/**
 * Gives new keys to nodes in texts and cells whose keys are in use elsewhere. That happens because notes and cells are
 * merged as a whole: they still hold a block that the other side moved out of them. `placed` are the keys of all blocks
 * outside of texts and cells.
 */
export function withOwnKeys(blocks: readonly Block[], placed: Iterable<string>, newKey: KeySource): Block[] {
  const used = new Set(placed);
  const keyOf = (key: string | undefined): { key?: string } => {
    if (key === undefined) return {};
    if (used.has(key)) return { key: newKey() };
    used.add(key);
    return { key };
  };
  const inside = <T extends Node | Fragment>(nodes: readonly T[], isPlaced: boolean): T[] =>
    nodes.map((node) => own(node, isPlaced) as T);
  const own = (node: Node | Fragment, isPlaced: boolean): Node | Fragment => {
    if (node.object === 'text') return node;
    if (node.object === 'fragment') return { ...node, nodes: inside(node.nodes, isPlaced) };
    const among = isPlaced && node.object === 'block';
    const nodes = node.nodes && { nodes: inside<Node>(node.nodes, among) };
    const fragments = node.fragments && { fragments: inside(node.fragments, among && node.type !== 'table') };
    return { ...node, ...(!among && keyOf(node.key)), ...nodes, ...fragments } as Node;
  };
  return inside(blocks, true);
}
