import { type Block, type Fragment, type Inline, type Node, type RichDocument } from './types.js';

export type AnyNode = RichDocument | Node | Fragment;

export const isBlock = (node: AnyNode): node is Block => node.object === 'block';
export const isInline = (node: AnyNode): node is Inline => node.object === 'inline';

/** Children and fragments of a node, in reading order. */
export function childrenOf(node: AnyNode): Array<Node | Fragment> {
  if (node.object === 'text') return [];
  if (node.object === 'document' || node.object === 'fragment') return node.nodes;
  if (!node.fragments) return node.nodes ?? [];
  return node.nodes ? [...node.nodes, ...node.fragments] : node.fragments;
}

/** Calls `visit` for every node under `root` in reading order, the root included; `false` skips the children. */
export function walk(root: AnyNode, visit: (node: AnyNode, ancestors: readonly AnyNode[]) => boolean | void): void {
  const ancestors: AnyNode[] = [];
  const step = (node: AnyNode): void => {
    if (visit(node, ancestors) === false) return;
    ancestors.push(node);
    for (const child of childrenOf(node)) step(child);
    ancestors.pop();
  };
  step(root);
}

/** The document with every block list passed through `change`, innermost first; inputs are not touched. */
export function mapBlocks(root: RichDocument, change: (block: Block) => Block[]): RichDocument {
  return { ...root, nodes: root.nodes.flatMap((child) => change(mapInside(child, change))) };
}

function mapInside(node: Block, change: (block: Block) => Block[]): Block {
  const nodes = node.nodes && mapNodes(node.nodes, change);
  const fragments = node.fragments?.map((part) => ({ ...part, nodes: mapNodes(part.nodes, change) }));
  return { ...node, ...(nodes && { nodes }), ...(fragments && { fragments }) };
}

function mapNodes(nodes: Node[], change: (block: Block) => Block[]): Node[] {
  return nodes.flatMap((child): Node[] => (isBlock(child) ? change(mapInside(child, change)) : [child]));
}

/** Every key used under `root`. */
export function keysOf(root: AnyNode): Set<string> {
  const keys = new Set<string>();
  walk(root, (node) => {
    if ('key' in node && node.key) keys.add(node.key);
  });
  return keys;
}
