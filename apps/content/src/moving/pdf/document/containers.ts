import type { Block, Node } from '@scriptorium/rich-text';
import { blocksIn, isObject, partOf, textIn } from '@scriptorium/rich-text/reading';
import { within, type SheetContext } from './sheet-context.js';
import type { SheetNode } from './sheet-nodes.js';
import { cleanText } from './texts.js';

/** Blocks in a frame; without it when it would be too deep. */
function framed(ctx: SheetContext, nodes: readonly Node[], frame: (inside: SheetNode[]) => SheetNode): SheetNode[] {
  const inner = within(ctx);
  return inner === undefined ? ctx.blocks(ctx, nodes) : [frame(inner.blocks(inner, nodes))];
}

export function hint(ctx: SheetContext, { data, nodes = [] }: Block): SheetNode[] {
  return framed(ctx, nodes, (b) => ({ t: 'hint', s: textIn(data, 'style') || 'info', b }));
}

export function quote(ctx: SheetContext, { nodes = [] }: Block): SheetNode[] {
  return framed(ctx, nodes, (b) => ({ t: 'quote', b }));
}

function panel(ctx: SheetContext, title: SheetNode[], nodes: readonly Node[]): SheetNode[] {
  const inner = within(ctx);
  return inner === undefined
    ? [{ t: 'p', c: title }, ...ctx.blocks(ctx, nodes)]
    : [{ t: 'panel', title, b: inner.blocks(inner, nodes) }];
}

/** Tabs one after the other, each with its title. */
export function tabs(ctx: SheetContext, node: Block): SheetNode[] {
  return blocksIn(node, 'tabs-item').flatMap(({ data, nodes = [] }, index) => {
    const title = cleanText(textIn(data, 'title'), ctx.breaking) || `Tab ${index + 1}`;
    return panel(ctx, [title], nodes);
  });
}

/** What a reader opens is open on paper. */
export function expandable(ctx: SheetContext, node: Block): SheetNode[] {
  const title = ctx.inlines(ctx, partOf(node, 'expandable-title'));
  return panel(ctx, title.length === 0 ? ['Details'] : title, partOf(node, 'expandable-body'));
}

export function updates(ctx: SheetContext, node: Block): SheetNode[] {
  return blocksIn(node, 'update').flatMap(({ data, nodes = [] }) =>
    panel(ctx, [cleanText(textIn(data, 'date'), ctx.breaking) || '–'], nodes),
  );
}

export function stepper(ctx: SheetContext, node: Block): SheetNode[] {
  const steps = blocksIn(node, 'stepper-step');
  const inner = within(ctx);
  if (inner === undefined) return steps.flatMap(({ nodes = [] }) => ctx.blocks(ctx, nodes));
  return steps.length === 0 ? [] : [{ t: 'steps', i: steps.map(({ nodes = [] }) => inner.blocks(inner, nodes)) }];
}

/** Columns side by side; below each other when there are too many. */
export function columns(ctx: SheetContext, node: Block): SheetNode[] {
  const parts = blocksIn(node, 'column');
  const inner = within(ctx);
  if (inner === undefined || parts.length > 4 || ctx.depth > 2)
    return parts.flatMap(({ nodes = [] }) => ctx.blocks(ctx, nodes));
  const narrow = { ...inner, breaking: { longest: 24, part: 12 } };
  const i = parts.map(({ nodes = [] }) => narrow.blocks(narrow, nodes));
  return parts.length === 0 ? [] : [{ t: 'columns', w: parts.map(widthOf), i }];
}

function widthOf({ data: { width } }: Block): number {
  if (!isObject(width) || width['unit'] !== '%' || typeof width['value'] !== 'number') return 1;
  return Math.min(Math.max(width['value'], 10), 100) / 50;
}
