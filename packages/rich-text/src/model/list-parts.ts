import { append } from './append.js';
import { type Block, type Node } from './types.js';

export const LISTS: ReadonlySet<string> = new Set(['list-unordered', 'list-ordered', 'list-tasks']);

export function isListOfItems({ type, nodes = [] }: Block): boolean {
  return LISTS.has(type) && nodes.every((node) => node.object === 'block' && node.type === 'list-item');
}

/** An item of a list, unless nothing is left of it, with the blocks that stand before and behind it. */
export type PartedItem = { before: Block[]; item?: Block; after: Block[] };

/** The highest number that an item can begin with in markdown. */
const HIGHEST_NUMBER = 999_999_999;

/** An item up to the first of its blocks that it cannot hold (`moved`), and what comes from there on. */
export function partsOfItem(item: Block, all: Block[], moved: ReadonlySet<Node>): PartedItem {
  const begin = all.findIndex((each) => !moved.has(each));
  if (begin < 0) return { before: [], after: all };
  const next = all.findIndex((each, at) => at > begin && moved.has(each));
  const end = next < 0 ? all.length : next;
  return { before: all.slice(0, begin), item: { ...item, nodes: all.slice(begin, end) }, after: all.slice(end) };
}

/**
 * A list as parts around what stands between its items, which are numbered on. `made`: gives a further part its key.
 */
export function partsOfList(list: Block, items: readonly PartedItem[], made: (part: Block) => Block): Block[] {
  const { start } = list.data;
  const first = typeof start === 'number' ? start : 1;
  const out: Block[] = [];
  let part: Block | undefined;
  let isFirst = true;
  for (const [at, { before, item, after }] of items.entries()) {
    if (before.length > 0) part = undefined;
    append(out, before);
    if (item && part) part.nodes?.push(item);
    else if (item) {
      const begun = { ...list, data: numbered(list, first + at), nodes: [item] };
      part = isFirst ? begun : made(begun);
      isFirst = false;
      out.push(part);
    }
    if (after.length > 0) part = undefined;
    append(out, after);
  }
  return out;
}

/** The settings of a list that begins with a number. */
function numbered({ type, data }: Block, number: number): Block['data'] {
  const { start, ...others } = data;
  if (type !== 'list-ordered' || number === (start ?? 1)) return data;
  return number === 1 ? others : { ...others, start: Math.min(number, HIGHEST_NUMBER) };
}
