import { block, compact, orEmptyParagraph, fragment, paragraph, voidBlock } from '../model/build.js';
import { type Block, type Node } from '../model/types.js';
import { isBlank, isInlineLevel, oneLine, stringOf, type Md } from '../syntax/md.js';
import { codeBlock, codeFromPre } from './code.js';
import { refOf, type ParseContext } from './context.js';
import { isBox, isChecked } from './elements.js';
import { headingBlock } from './headings.js';
import { htmlTable } from './html-table.js';
import { imagesOf } from './images.js';
import { inlines } from './inlines.js';
import { listsOf } from './lists.js';

const RAW = new Set(['script', 'style', 'textarea']);
const ALIGNMENTS = new Map([
  ['left', 'start'],
  ['start', 'start'],
  ['center', 'center'],
  ['right', 'end'],
  ['end', 'end'],
]);

const solid = (node: Md): Md[] => (node.children ?? []).filter((child) => !isBlank(child));

type Convert = (ctx: ParseContext, node: Md, align: string | undefined) => Block[];

const CONVERT: { [name: string]: Convert } = {
  p: (ctx, node, align) => aligned(paragraphs(ctx, node), align),
  hr: () => [voidBlock('divider', {})],
  ul: (ctx, node) => list(ctx, node),
  ol: (ctx, node) => list(ctx, node),
  blockquote: (ctx, node) => [block('blockquote', {}, orEmptyParagraph(ctx.blocks(node.children ?? [])))],
  pre: (ctx, node) => [codeFromPre(ctx, node)],
  details: (ctx, node) => [details(ctx, node)],
  figure: (ctx, node) => imagesOf(ctx, [node]) ?? ctx.blocks(node.children ?? []),
  table: (ctx, node) => htmlTable(ctx, node),
  iframe: (ctx, node) => embed(ctx, node),
  video: (ctx, node) => embed(ctx, node),
  audio: (ctx, node) => embed(ctx, node),
  div: (ctx, node, align) => wrapper(ctx, node, align),
};

/** One block-level HTML element to blocks. Elements the format has no word for leave their content. */
export function htmlBlocks(ctx: ParseContext, node: Md): Block[] {
  const name = node.name ?? '';
  const align = ALIGNMENTS.get(node.attributes?.['align']?.toLowerCase() ?? '');
  if (/^h[1-6]$/.test(name)) return [heading(ctx, node, align)];
  if (RAW.has(name)) return rawElement(ctx, node);
  const convert = Object.hasOwn(CONVERT, name) ? CONVERT[name] : undefined;
  return convert ? convert(ctx, node, align) : ctx.blocks(node.children ?? []);
}

/** `<p></p>` is how an empty paragraph is written, so it is one. */
function paragraphs(ctx: ParseContext, node: Md): Block[] {
  const children = node.children ?? [];
  const [first] = solid(node);
  if (solid(node).length === 1 && first?.name === 'img' && (first.attributes?.['class'] ?? '') === '')
    return orEmptyParagraph([paragraph(inlines(ctx, [first]))]);
  return orEmptyParagraph(ctx.blocks(children));
}

function aligned(nodes: Block[], align: string | undefined): Block[] {
  if (align === undefined || align === 'start') return nodes;
  return nodes.map((node) =>
    node.type === 'paragraph' || node.type.startsWith('heading-') ? { ...node, data: { ...node.data, align } } : node,
  );
}

function heading(ctx: ParseContext, node: Md, align: string | undefined): Block {
  const own = { align: align === 'start' ? undefined : align, id: node.attributes?.['id'] };
  return headingBlock(ctx, Number((node.name ?? '').slice(1)), oneLine(node.children ?? []), own);
}

/** Scripts and the like are never live: their source is shown as code, and markdown they swallowed follows. */
function rawElement(ctx: ParseContext, node: Md): Block[] {
  const children = node.children ?? [];
  const source = children
    .filter((child) => child.type === 'text')
    .map(stringOf)
    .join('\n')
    .trim();
  const rest = ctx.blocks(children.filter((child) => child.type !== 'text'));
  return source === '' ? rest : [codeBlock(source.split('\n'), {}), ...rest];
}

function list(ctx: ParseContext, node: Md): Block[] {
  const start = Number(node.attributes?.['start'] ?? 1);
  return listsOf(
    solid(node).map((child) => listItem(ctx, child)),
    node.name === 'ol',
    Number.isInteger(start) ? start : 1,
  );
}

function listItem(ctx: ParseContext, node: Md): Block {
  const children = node.name === 'li' ? (node.children ?? []) : [node];
  const box = children.find(isBox);
  const rest = children.filter((child) => child !== box);
  return block('list-item', box ? { checked: isChecked(box) } : {}, orEmptyParagraph(ctx.blocks(rest)));
}

function details(ctx: ParseContext, node: Md): Block {
  const children = node.children ?? [];
  const summary = children.find((child) => child.name === 'summary');
  return expandable(
    ctx,
    summary?.children ?? [],
    children.filter((child) => child !== summary),
    'open' in (node.attributes ?? {}),
  );
}

/** An expandable block from its title and body. */
export function expandable(ctx: ParseContext, title: Md[], body: Md[], open: boolean): Block {
  const titleNodes: Node[] =
    title.length > 0 && title.every(isInlineLevel)
      ? [paragraph(inlines(ctx, oneLine(title)))]
      : orEmptyParagraph(ctx.blocks(title));
  const fragments = [
    fragment('expandable-title', titleNodes),
    fragment('expandable-body', orEmptyParagraph(ctx.blocks(body))),
  ];
  return voidBlock('expandable', open ? { defaultExpanded: true } : {}, fragments);
}

/**
 * What is played or framed is embedded, or a file where it is one of the own; what stands in for it where it cannot be
 * follows.
 */
function embed(ctx: ParseContext, node: Md): Block[] {
  const children = node.children ?? [];
  const source = children.find((child) => child.name === 'source');
  const url = node.attributes?.['src'] ?? source?.attributes?.['src'] ?? '';
  const ref = refOf(ctx, url, 'embed');
  const shown =
    ref?.kind === 'url' ? [voidBlock('embed', { url })] : ref?.kind === 'file' ? [voidBlock('file', { ref })] : [];
  return [...shown, ...ctx.blocks(children.filter(({ name }) => name !== 'source'))];
}

/** `<div>`: a set of images, an alignment, or nothing of its own. */
function wrapper(ctx: ParseContext, node: Md, align: string | undefined): Block[] {
  const attributes = node.attributes ?? {};
  const children = solid(node);
  const figures =
    children.length > 0 &&
    children.every((child) => child.name === 'figure' || child.name === 'img' || child.name === 'picture');
  if (figures) {
    const side = attributes['align']?.toLowerCase();
    const data = compact({
      align: side === 'left' || side === 'right' || side === 'center' ? side : undefined,
      fullWidth: attributes['data-full-width'] === 'true' ? true : undefined,
      withFrame: attributes['data-with-frame'] === 'true' ? true : undefined,
    });
    const images = imagesOf(ctx, children, data);
    if (images) return images;
  }
  const [only] = children;
  if (children.length === 1 && only?.name === 'div')
    return wrapper(ctx, { ...only, attributes: { ...attributes, ...only.attributes } }, align);
  return aligned(ctx.blocks(node.children ?? []), align);
}

/** A drawing is written as an image of its own class. */
export function drawing(ctx: ParseContext, node: Md): Block | null {
  if (node.name !== 'img' || !(node.attributes?.['class'] ?? '').split(/\s+/).includes('gitbook-drawing')) return null;
  const src = node.attributes?.['src'];
  return voidBlock(
    'drawing',
    compact({ ref: refOf(ctx, src, 'file') ?? undefined, alt: node.attributes?.['alt'] || undefined }),
  );
}
