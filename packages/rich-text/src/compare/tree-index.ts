import { quickHash } from '../model/keys.js';
import { type Block, type Fragment, type InlineNode, type Node, type RichDocument } from '../model/types.js';

/** A block, the place that holds it, and where in it. */
export type Entry = { key: string; block: Block; parent: string; index: number };
/**
 * A document by the keys of its blocks. A place is '' for the document, a key for the children of a block, for a
 * fragment both its owner's key and its name. The cells of a table belong to the table itself and are not indexed.
 */
export type TreeIndex = { entries: Map<string, Entry>; children: Map<string, string[]> };

/**
 * Parts a key from the name of a fragment: no document has it, while keys from elsewhere may have any other character.
 */
const PART = '\0';
export const fragmentPlace = (key: string, part: Fragment, at: number): string => `${key}${PART}${part.fragment ?? at}`;
/** A place as it is told to others. */
export const shownPlace = (place: string): string => place.replace(PART, '#');
/** The block a place belongs to; '' for the document. */
export const ownerOf = (place: string): string => place.split(PART, 1)[0] ?? '';

export const blocksIn = (nodes: readonly Node[] | undefined): Block[] =>
  (nodes ?? []).filter((node) => node.object === 'block');
export const inlinesIn = (nodes: readonly Node[] | undefined): InlineNode[] =>
  (nodes ?? []).filter((node) => node.object !== 'block');

/** Blocks without a key, or with one already seen, go by their content and how many of it came before. */
export function indexTree(document: RichDocument): TreeIndex {
  const entries = new Map<string, Entry>();
  const children = new Map<string, string[]>();
  const seen = new Map<string, number>();
  const keyOf = (block: Block): string => {
    if (block.key && !entries.has(block.key)) return block.key;
    const content = quickHash(JSON.stringify(block)).toString(36);
    for (let n = seen.get(content) ?? 0; ; n++) {
      if (entries.has(`~${content}.${n}`)) continue;
      seen.set(content, n + 1);
      return `~${content}.${n}`;
    }
  };
  const add = (blocks: Block[], parent: string): void => {
    const keys: string[] = [];
    children.set(parent, keys);
    blocks.forEach((block, index) => {
      const key = keyOf(block);
      keys.push(key);
      entries.set(key, { key, block, parent, index });
      if (block.nodes) add(blocksIn(block.nodes), key);
      if (block.type !== 'table')
        (block.fragments ?? []).forEach((part, at) => add(blocksIn(part.nodes), fragmentPlace(key, part, at)));
    });
  };
  add(document.nodes, '');
  return { entries, children };
}

/** Where the children of a block are: among its nodes and in its fragments. */
export function placesIn({ entries }: TreeIndex, key: string): string[] {
  const block: Block | undefined = entries.get(key)?.block;
  return [key, ...(block?.fragments ?? []).map((part, at) => fragmentPlace(key, part, at))];
}

/** The blocks directly inside a block, in their order. */
export const childrenIn = (index: TreeIndex, key: string): string[] =>
  placesIn(index, key).flatMap((place) => index.children.get(place) ?? []);
