import { quickHash } from '../model/keys.js';
import { type Block, type Fragment, type InlineNode, type Node, type RichDocument } from '../model/types.js';

/** A block, the place that holds it, and where in it. */
export type Entry = { key: string; block: Block; parent: string; index: number };
/**
 * A document by the keys of its blocks. A place is '' for the document, a key for the children of a block, `key#name` for a
 * fragment. The cells of a table belong to the table itself and are not indexed.
 */
export type TreeIndex = { entries: Map<string, Entry>; children: Map<string, string[]> };

export const fragmentPlace = (key: string, part: Fragment, at: number): string => `${key}#${part.fragment ?? at}`;
/** The block a place belongs to; '' for the document. */
export const ownerOf = (place: string): string => place.split('#', 1)[0] ?? '';

export const blocksIn = (nodes: readonly Node[] | undefined): Block[] => (nodes ?? []).filter((node) => node.object === 'block');
export const inlinesIn = (nodes: readonly Node[] | undefined): InlineNode[] => (nodes ?? []).filter((node) => node.object !== 'block');

/** Blocks without a key, or with one already seen, go by their content. */
export function indexTree(document: RichDocument): TreeIndex {
  const entries = new Map<string, Entry>();
  const children = new Map<string, string[]>();
  const keyOf = (block: Block): string => {
    if (block.key !== undefined && !entries.has(block.key)) return block.key;
    const content = quickHash(JSON.stringify(block)).toString(36);
    for (let n = 0; ; n++) if (!entries.has(`~${content}.${n}`)) return `~${content}.${n}`;
  };
  const add = (blocks: Block[], parent: string): void => {
    const keys: string[] = [];
    children.set(parent, keys);
    blocks.forEach((block, index) => {
      const key = keyOf(block);
      keys.push(key);
      entries.set(key, { key, block, parent, index });
      if (block.nodes) add(blocksIn(block.nodes), key);
      if (block.type !== 'table') (block.fragments ?? []).forEach((part, at) => add(blocksIn(part.nodes), fragmentPlace(key, part, at)));
    });
  };
  add(document.nodes, '');
  return { entries, children };
}
