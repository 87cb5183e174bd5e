import {
  isSafeUrl,
  type ContentRef,
  type Data,
  type Inline,
  type Leaf,
  type Mark,
  type Node,
} from '@scriptorium/rich-text';
import { emojiOf, isRef, partOf, textIn } from '@scriptorium/rich-text/reading';
import { resolvedIn } from './node-data.js';
import { pictureOf } from './pictures.js';
import type { SheetContext } from './sheet-context.js';
import type { SheetNode } from './sheet-nodes.js';
import { cleanText, inCode, linesAsNodes, safeAddress } from './texts.js';

const deepestInline = 6;

/** Inline nodes. Blocks among them become their text. */
export function inlinesOf(ctx: SheetContext, nodes: readonly Node[]): SheetNode[] {
  return nodes.flatMap((node): SheetNode[] => {
    if (node.object === 'text') return node.leaves.flatMap((leaf) => leafOf(ctx, leaf));
    if (ctx.inlineDepth >= deepestInline) return [cleanText(plainText(node), ctx.breaking)];
    const inner = { ...ctx, inlineDepth: ctx.inlineDepth + 1 };
    return node.object === 'block' ? [...inlinesOf(inner, node.nodes ?? []), ' '] : inlineOf(inner, node);
  });
}

/** The text of a node and of what is in it. */
export function plainText(node: Node): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  const own =
    node.object === 'inline' ? ['text', 'label', 'formula', 'expression'].map((name) => textIn(node.data, name)) : [];
  return own.join('') + (node.nodes ?? []).map(plainText).join('');
}

const plainMarks = ['bold', 'italic', 'strikethrough', 'underline', 'superscript', 'subscript', 'keyboard'];
const changeMarks = ['inserted', 'removed'];

function leafOf(ctx: SheetContext, { text, marks }: Leaf): SheetNode[] {
  if (text === '') return [];
  const isCode = marks.some(({ type }) => type === 'code');
  const lines = linesAsNodes(text, isCode ? inCode : ctx.breaking).map((line): SheetNode =>
    isCode && typeof line === 'string' ? { t: 'code-text', x: line } : line,
  );
  const names = [...new Set(marks.flatMap(namesOf))];
  return names.length === 0 ? lines : [marked(names, lines)];
}

function namesOf({ type, data = {} }: Mark): string[] {
  if (plainMarks.includes(type) || changeMarks.includes(type)) return [type];
  if (type !== 'color') return [];
  const [text, background] = [textIn(data, 'text'), textIn(data, 'background')].map((name) => name.replace('$', ''));
  return [
    ...(text === '' || text === 'default' ? [] : [`text-${text}`]),
    ...(background === '' || background === 'default' ? [] : [`back-${background}`]),
  ];
}

export function marked(names: readonly string[], inside: SheetNode): SheetNode {
  return { t: 'm', m: names, c: inside };
}

type Make = (ctx: SheetContext, node: Inline) => SheetNode[];

const kinds: Readonly<Record<string, Make>> = {
  link: (ctx, node) => [linkTo(ctx, node.data, ctx.inlines(ctx, node.nodes ?? []))],
  mention,
  'inline-image': inlinePicture,
  emoji: (_ctx, { data }) => textNode(emojiOf(textIn(data, 'code'))),
  icon: () => [],
  'inline-math': (_ctx, { data }) => codeNode(textIn(data, 'formula')),
  expression: (_ctx, { data }) => codeNode(textIn(data, 'expression')),
  annotation,
  button: (ctx, { data }) => [
    marked(['button'], linkTo(ctx, data, textNode(cleanText(textIn(data, 'label'), ctx.breaking)))),
  ],
  anchor,
};

function inlineOf(ctx: SheetContext, node: Inline): SheetNode[] {
  const make = Object.hasOwn(kinds, node.type) ? kinds[node.type] : undefined;
  return make === undefined ? ctx.inlines(ctx, node.nodes ?? []) : make(ctx, node);
}

function textNode(text: string): SheetNode[] {
  return text === '' ? [] : [text];
}

function codeNode(text: string): SheetNode[] {
  return text === '' ? [] : [{ t: 'code-text', x: cleanText(text.replaceAll('\n', ' '), inCode) }];
}

/** A link into the file, or else to an address; without either it is its text. */
export function linkTo(ctx: SheetContext, data: Data, inside: SheetNode): SheetNode {
  const ref = data['ref'];
  if (!isRef(ref)) return inside;
  const url = safeAddress(addressOf(ctx, ref, data));
  const place = placeIn(ctx, ref);
  if (place === undefined && url === undefined) return inside;
  return { t: 'a', ...place, ...(url === undefined ? {} : { u: url }), c: inside };
}

/** Where a reference leads outside of the file: for visitors to the site, else to the application. */
function addressOf({ published, space }: SheetContext, ref: ContentRef, data: Data): string {
  if (ref.kind === 'url') return typeof ref['url'] === 'string' && isSafeUrl(ref['url']) ? ref['url'] : '';
  const { href, path } = resolvedIn(data);
  if (published === undefined) return href;
  const isOwn = ref['space'] === undefined || ref['space'] === space;
  const anchor = typeof ref['anchor'] === 'string' ? `#${encodeURIComponent(ref['anchor'])}` : '';
  return isOwn && path !== '' ? `${published}${path}${anchor}` : '';
}

/** The page of the file that a reference names, and the part of it. */
function placeIn(ctx: SheetContext, ref: ContentRef): { p: string; h?: string } | undefined {
  if (ref.kind !== 'page' && ref.kind !== 'anchor') return undefined;
  if (ref['space'] !== undefined && ref['space'] !== ctx.space) return undefined;
  const page = typeof ref['page'] === 'string' ? ref['page'] : ctx.page;
  const anchor = typeof ref['anchor'] === 'string' ? ref['anchor'] : '';
  if (anchor === '') return { p: page };
  return { p: page, h: page === ctx.page ? ctx.anchorOf(ref) : anchor };
}

function mention(ctx: SheetContext, node: Inline): SheetNode[] {
  const { data } = node;
  const ref = data['ref'];
  const isPerson = isRef(ref) && ref.kind === 'user';
  const name = textIn(data, 'text') || resolvedIn(data).title || (isPerson ? 'somebody' : '');
  if (name === '') return [];
  const text = cleanText(isPerson ? `@${name}` : name, ctx.breaking);
  return [isPerson ? marked(['mention'], text) : linkTo(ctx, data, text)];
}

function inlinePicture(ctx: SheetContext, { data }: Inline): SheetNode[] {
  const found = pictureOf(ctx, data);
  const alt = cleanText(textIn(data, 'alt'), ctx.breaking);
  if (found === undefined) return textNode(alt);
  return [{ ...found, t: 'line-picture', high: textIn(data, 'size') === 'line' ? 1 : 2 }];
}

/** A text with a note at the foot of its sheet. In a note there are no further ones. */
function annotation(ctx: SheetContext, node: Inline): SheetNode[] {
  const text = ctx.inlines(ctx, node.nodes ?? []);
  const named = partOf(node, 'annotation-body');
  const nodes = named.length > 0 ? named : (node.fragments ?? []).flatMap((part) => part.nodes);
  const inner = { ...ctx, depth: ctx.depth + 2 };
  const [only, ...others] = nodes;
  const isLine = only?.object === 'block' && only.type === 'paragraph' && others.length === 0;
  const body = isLine ? ctx.inlines(inner, only.nodes ?? []) : ctx.blocks(inner, nodes);
  return body.length === 0 ? text : [{ t: 'note', c: text, b: body }];
}

/** A place that links can name; of several of one id the first. */
function anchor(ctx: SheetContext, { data }: Inline): SheetNode[] {
  const id = textIn(data, 'id');
  return ctx.anchors.delete(id) ? [{ t: 'at', id: `${ctx.page}-${id}` }] : [];
}
