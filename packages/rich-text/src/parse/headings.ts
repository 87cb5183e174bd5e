import { block, compact, paragraph, voidInline } from '../model/build.js';
import { type Block, type Inline } from '../model/types.js';
import { BOUNDARY, isAnchorId, isBlank, type Md } from '../syntax/md.js';
import { trimmedEnd, trimmedStart } from '../syntax/spaces.js';
import { type ParseContext } from './context.js';
import { nestElements } from './elements.js';
import { inlines } from './inlines.js';

const HEADING_ID = /^[-\p{L}\p{M}\p{N}.+_]{1,100}$/u;
/** An id behind the text of a heading, as generators of sites have it: `{#id}`, `{: #id}` or, in MDX, a comment. */
const ID_BEHIND = /[ \t]*(?<!\\)\{(?::?[ \t]*#([^\s{}*]+)[ \t]*|\/\*[ \t]*#([^\s{}*]+)[ \t]*\*\/)\}[ \t]*$/;

/** The first name that can be the id of a heading, or else the first that can in lower case. */
function headingId(names: ReadonlyArray<string | undefined>): string | undefined {
  const isId = (name: string | undefined): boolean => name !== undefined && HEADING_ID.test(name);
  return (
    names.find((name) => isId(name) && name === name?.toLowerCase()) ??
    names.map((name) => name?.toLowerCase()).find(isId)
  );
}

/** The text of a heading without an id that is written behind it, and that id. */
export function withoutId(ctx: Pick<ParseContext, 'source'>, children: Md[]): { text: Md[]; id?: string } {
  const last = children[children.length - 1];
  if (last?.type !== 'text') return { text: children };
  // An escaped brace reads the same in the tree, so the source decides.
  const written = ctx.source.slice(last.position?.start.offset ?? 0, last.position?.end.offset ?? 0);
  const found = ID_BEHIND.exec(written);
  const value = (last.value ?? '').replace(ID_BEHIND, '');
  const id = headingId([found?.[1] ?? found?.[2]]);
  if (id === undefined || value === last.value) return { text: children };
  return { text: [...children.slice(0, -1), ...(value === '' ? [] : [{ ...last, value }])], id };
}

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
  const said = betweenEnds(children.filter((child) => child.type !== 'text' || child.value !== '' || isEnd(child)));
  const first = isAnchor(said[0]) ? 1 : 0;
  const last = said.length > first && isAnchor(said[said.length - 1]) ? said.length - 1 : said.length;
  const text = trimmed(betweenEnds(said.slice(first, last)), first > 0, last < said.length);
  const around = text.length === 1 ? nameOf(text[0]) : undefined;
  const names = [own.id, nameOf(said[last]), first > 0 ? nameOf(said[0]) : undefined, around];
  const id = headingId(names);
  const others = anchorsOf(names.filter((name) => name?.toLowerCase() !== id));
  const words = inlines(ctx, around === undefined ? text : text.map(withoutName));
  return block(headingType(ctx, depth), compact({ align: own.align, id }), [...others, ...words]);
}

const isEnd = ({ name }: Md): boolean => name === BOUNDARY;

/** Where a piece of HTML ends words are apart, which says nothing before the first and behind the last ones. */
function betweenEnds(nodes: Md[]): Md[] {
  const isSaid = (node: Md): boolean => !isEnd(node);
  return nodes.slice(Math.max(nodes.findIndex(isSaid), 0), nodes.findLastIndex(isSaid) + 1);
}

const withoutName = ({ attributes = {}, ...node }: Md): Md => {
  const { id: _id, name: _name, ...others } = attributes;
  return { ...node, attributes: others };
};

/** Anchors of these names, each once, without those that no link could name. */
export const anchorsOf = (names: readonly (string | undefined)[]): Inline[] =>
  [...new Set(names)].flatMap((id) => (isAnchorId(id) ? [voidInline('anchor', { id })] : []));

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

/** The names of the empty anchors that a paragraph consists of; `undefined` where it is more than anchors. */
export function namesAhead(nodes: readonly Md[]): string[] | undefined {
  const solid = nodes.filter((node) => !isBlank(node));
  if (solid[0]?.type !== 'html' && !isAnchor(solid[0])) return undefined;
  const anchors = nestElements(solid, true);
  return anchors.every(isAnchor) ? anchors.flatMap((anchor) => nameOf(anchor) ?? []) : undefined;
}

/**
 * The blocks behind paragraphs of anchors: the last of these gives its first name to a heading that has no id. Other
 * names are anchors in that heading, or in a paragraph before anything else.
 */
export function behindAnchors(nodes: Block[], ahead: ReadonlyArray<readonly string[]>): Block[] {
  const [first, ...others] = nodes;
  const names = ahead.flat();
  if (!first?.type.startsWith('heading-')) {
    const left = anchorsOf(names);
    return left.length > 0 ? [paragraph(left), ...nodes] : nodes;
  }
  const id = first.data['id'] ?? headingId(ahead.findLast((each) => headingId(each) !== undefined) ?? []);
  const left = anchorsOf(names.filter((name) => name.toLowerCase() !== id));
  return [{ ...first, data: compact({ ...first.data, id }), nodes: [...left, ...(first.nodes ?? [])] }, ...others];
}
