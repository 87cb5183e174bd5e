import { block, compact } from '../model/build.js';
import { type Block } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';
import { inlines } from './inlines.js';

const HEADING_ID = /^[-a-z0-9.+_]+$/;

const validId = (id: string | undefined): string | undefined => (id !== undefined && HEADING_ID.test(id) ? id : undefined);

/** The block type of a heading level, given the context; deeper levels are the third. */
function headingType(ctx: ParseContext, depth: number): string {
  const level = ctx.context === 'page' ? depth - 1 : depth;
  return `heading-${Math.min(Math.max(level, 1), 3)}`;
}

/** A heading of one line. Its own id, if any, or else a closing empty anchor fixes the id of the block. */
export function headingBlock(ctx: ParseContext, depth: number, children: Md[], own: { align?: string | undefined; id?: string | undefined } = {}): Block {
  const said = children.filter((child) => child.type !== 'text' || child.value !== '');
  const anchor = anchorId(said[said.length - 1]);
  const text = anchor === undefined ? said : withoutLast(said);
  return block(headingType(ctx, depth), compact({ align: own.align, id: validId(own.id) ?? anchor }), inlines(ctx, text));
}

function anchorId(node: Md | undefined): string | undefined {
  const anchor = node?.type === 'element' && node.name === 'a' && (node.children ?? []).length === 0;
  return anchor ? validId(node.attributes?.['id']) : undefined;
}

/** The text before an anchor, without the space that parts them. */
function withoutLast(children: Md[]): Md[] {
  const rest = children.slice(0, -1);
  const end = rest[rest.length - 1];
  return end?.type === 'text' ? [...rest.slice(0, -1), { ...end, value: (end.value ?? '').trimEnd() }] : rest;
}
