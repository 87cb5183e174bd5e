import type { Block, Node } from '@scriptorium/rich-text';
import type { SheetContext } from './sheet-context.js';
import type { SheetNode } from './sheet-nodes.js';
import { directionIn, type Direction } from './texts.js';

/** Blocks with marks, frames or columns, which stand on the side at which their texts begin. */
const sided = new Set([
  'list-unordered',
  'list-ordered',
  'list-tasks',
  'blockquote',
  'hint',
  'tabs',
  'stepper',
  'columns',
  'expandable',
  'updates',
  'table',
]);

/** Makes nodes of a block in the direction in which it is read. */
export function directed(
  ctx: SheetContext,
  node: Block,
  make: (ctx: SheetContext, node: Block) => SheetNode[],
): SheetNode[] {
  const d = sided.has(node.type) ? firstDirection(node) : undefined;
  if (d === undefined || d === ctx.direction) return make(ctx, node);
  const made = make({ ...ctx, direction: d }, node);
  return made.length === 0 ? [] : [{ t: 'blocks', d, b: made }];
}

/** The direction of the first letters in a node; `undefined` when there are none. */
function firstDirection(node: Node): Direction | undefined {
  if (node.object === 'text') return directionIn(node.leaves.map(({ text }) => text).join(''));
  const inside = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)];
  for (const child of inside) {
    const found = firstDirection(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The direction of a text, where it is not that of what is around it. */
export function directionOf(around: Direction, text: string): { d?: Direction } {
  const d = directionIn(text);
  return d === undefined || d === around ? {} : { d };
}
