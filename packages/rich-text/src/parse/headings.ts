import { block, compact } from '../model/build.js';
import { type Block } from '../model/types.js';
import { isBlank, type Md } from '../syntax/md.js';
import { trimmedEnd, trimmedStart } from '../syntax/spaces.js';
import { type ParseContext } from './context.js';
import { nestElements } from './elements.js';
import { inlines } from './inlines.js';

const HEADING_ID = /^[-a-z0-9.+_]+$/;

const validId = (ids: readonly (string | undefined)[]): string | undefined =>
  ids.find((id) => id !== undefined && HEADING_ID.test(id));

/** The block type of a heading level, given the context; deeper levels are the third. */
function headingType(ctx: ParseContext, depth: number): string {
  const level = ctx.context === 'page' ? depth - 1 : depth;
  return `heading-${Math.min(Math.max(level, 1), 3)}`;
}

/**
 * A heading of one line. Its own id, if any, or else an empty anchor at one of its ends, or one around it, fixes the id
 * of the block.
 */
export function headingBlock(
  ctx: ParseContext,
  depth: number,
  children: Md[],
  own: { align?: string | undefined; id?: string | undefined } = {},
): Block {
  const said = children.filter((child) => child.type !== 'text' || child.value !== '');
  const first = isAnchor(said[0]) ? 1 : 0;
  const last = said.length > first && isAnchor(said[said.length - 1]) ? said.length - 1 : said.length;
  const text = trimmed(said.slice(first, last), first > 0, last < said.length);
  const ids = [
    own.id,
    nameOf(said[last]),
    first > 0 ? nameOf(said[0]) : undefined,
    text.length === 1 ? nameOf(text[0]) : undefined,
  ];
  return block(headingType(ctx, depth), compact({ align: own.align, id: validId(ids) }), inlines(ctx, text));
}

/** The texts without the space that parted them from an anchor before or behind. */
function trimmed(nodes: Md[], atStart: boolean, atEnd: boolean): Md[] {
  const trim = (at: number, change: (text: string) => string): void => {
    const node = nodes[at];
    if (node?.type === 'text') nodes[at] = { ...node, value: change(node.value ?? '') };
  };
  if (atStart) trim(0, trimmedStart);
  if (atEnd) trim(nodes.length - 1, trimmedEnd);
  return nodes;
}

/** What an anchor is called that is no link: `<a id="x">`, `<a name="x">`, or one that links to itself. */
function nameOf(node: Md | undefined): string | undefined {
  if (node?.type !== 'element' || node.name !== 'a') return undefined;
  const { id, name, href = '#' } = node.attributes ?? {};
  return href.startsWith('#') ? (id ?? name) : undefined;
}

const isAnchor = (node: Md | undefined): boolean => nameOf(node) !== undefined && (node?.children ?? []).every(isBlank);

/**
 * The id that empty anchors give to a heading behind them, where they stand in a paragraph of their own; `''` when it
 * is none that a heading can have, and `undefined` for what is more than anchors.
 */
export function idAhead(nodes: readonly Md[]): string | undefined {
  const solid = nodes.filter((node) => !isBlank(node));
  if (solid[0]?.type !== 'html' && !isAnchor(solid[0])) return undefined;
  const anchors = nestElements(solid, true);
  return anchors.every(isAnchor) ? (validId(anchors.map(nameOf)) ?? '') : undefined;
}

/** The blocks, of which the first has this id where it is a heading that has none. */
export function withId(nodes: Block[], id: string): Block[] {
  const [first, ...others] = nodes;
  if (id === '' || !first?.type.startsWith('heading-') || first.data['id'] !== undefined) return nodes;
  return [{ ...first, data: { ...first.data, id } }, ...others];
}
