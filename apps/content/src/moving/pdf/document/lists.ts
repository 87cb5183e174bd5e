import type { Block, Node } from '@scriptorium/rich-text';
import { within, type SheetContext } from './sheet-context.js';
import type { SheetNode } from './sheet-nodes.js';

/** The items of a list, each as nodes; `undefined` when the list is too deep to be drawn. */
function itemsOf(ctx: SheetContext, { nodes = [] }: Block): SheetNode[][] | undefined {
  const inner = within(ctx);
  if (inner === undefined) return undefined;
  return nodes.map((item) =>
    item.object === 'block' ? itemOf(inner, item.nodes ?? []) : inner.inlines(inner, [item]),
  );
}

/** An item that begins with a paragraph begins with a line of text. */
function itemOf(ctx: SheetContext, nodes: readonly Node[]): SheetNode[] {
  const [first, ...others] = nodes;
  if (first?.object === 'block' && first.type === 'paragraph' && isTight(others))
    return [...ctx.inlines(ctx, first.nodes ?? []), ...ctx.blocks(ctx, others)];
  return nodes.some(({ object }) => object === 'block') ? ctx.blocks(ctx, nodes) : ctx.inlines(ctx, nodes);
}

function isTight(nodes: readonly Node[]): boolean {
  return nodes.every((node) => node.object === 'block' && node.type.startsWith('list-'));
}

function isTightList({ nodes = [] }: Block): boolean {
  return nodes.every((item) => item.object !== 'block' || isTight((item.nodes ?? []).slice(1)));
}

/** The items without their marks. */
function flat(ctx: SheetContext, { nodes = [] }: Block): SheetNode[] {
  return nodes.flatMap((item) => ctx.blocks(ctx, item.object === 'block' ? (item.nodes ?? []) : [item]));
}

export function bulletList(ctx: SheetContext, node: Block): SheetNode[] {
  const i = itemsOf(ctx, node);
  return i === undefined ? flat(ctx, node) : [{ t: 'ul', tight: isTightList(node), i }];
}

export function orderedList(ctx: SheetContext, node: Block): SheetNode[] {
  const i = itemsOf(ctx, node);
  if (i === undefined) return flat(ctx, node);
  const { start } = node.data;
  const from = typeof start === 'number' && start >= 0 && start < 1_000_000 ? Math.floor(start) : 1;
  return [{ t: 'ol', tight: isTightList(node), s: from, i }];
}

export function taskList(ctx: SheetContext, node: Block): SheetNode[] {
  const i = itemsOf(ctx, node);
  if (i === undefined) return flat(ctx, node);
  const isDone = (place: number): boolean => {
    const item = node.nodes?.[place];
    return item?.object === 'block' && item.data['checked'] === true;
  };
  return [{ t: 'tasks', i: i.map((b, place) => ({ d: isDone(place), b })) }];
}
