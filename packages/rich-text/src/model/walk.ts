import { isObject } from './json.js';
import { type Block, type Fragment, type Node, type RichDocument } from './types.js';

export type AnyNode = RichDocument | Node | Fragment;

export const isBlock = (node: AnyNode): node is Block => node.object === 'block';

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

/** The ids of the columns, records and cells of a table. */
export function tableIds({ data: { records, definition }, fragments = [] }: Block): string[] {
  const named = [records, definition].flatMap((ids) => (isObject(ids) ? Object.keys(ids) : []));
  return [...named, ...fragments.flatMap((part) => part.fragment ?? [])];
}

/** Every key used under `root`, and the ids of the columns, records and cells of its tables. */
export function keysOf(root: AnyNode): Set<string> {
  const keys = new Set<string>();
  walk(root, (node) => {
    if ('key' in node && node.key) keys.add(node.key);
    if (node.object === 'block' && node.type === 'table') for (const id of tableIds(node)) keys.add(id);
  });
  return keys;
}
