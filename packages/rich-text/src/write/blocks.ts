import { isEmptyParagraph } from '../model/build.js';
import { type BlockType } from '../model/content.js';
import { type Block, type Node } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { attributes, htmlText } from './attributes.js';
import { code, prompt } from './code.js';
import { html, isLine, optional, str, textOf, type Write, type WriteContext } from './context.js';
import { inlineHtml } from './html.js';
import { images } from './images.js';
import { onOneLine, phrasing } from './inlines.js';
import { table } from './tables.js';
import { TAGGED } from './tagged.js';

const ALIGN: ReadonlyMap<string, string> = new Map([
  ['center', 'center'],
  ['end', 'right'],
]);

const blocksOf = (node: { nodes?: Node[] }): Block[] => (node.nodes ?? []).filter((child) => child.object === 'block');

/** Blocks to flow nodes, in order. */
export function writeBlocks(ctx: WriteContext, nodes: readonly Node[]): Md[] {
  return nodes.flatMap((node) =>
    node.object === 'block' ? writeBlock(ctx, node) : [{ type: 'paragraph', children: phrasing(ctx, [node]) }],
  );
}

const WRITE: { readonly [type in BlockType]: Write } = {
  ...TAGGED,
  paragraph,
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-unordered': list,
  'list-ordered': list,
  'list-tasks': list,
  divider: () => [{ type: 'thematicBreak' }],
  blockquote: (ctx, node) => [{ type: 'blockquote', children: writeBlocks(ctx, node.nodes ?? []) }],
  math: (_ctx, node) => [{ type: 'math', value: str(node.data['formula']) }],
  code,
  prompt,
  images,
  table,
  expandable,
  // These are written by what is around them.
  'list-item': unknown,
  'code-line': unknown,
  image: unknown,
};
const isKnown = (type: string): type is BlockType => Object.hasOwn(WRITE, type);

const writeBlock: Write = (ctx, node) => (isKnown(node.type) ? WRITE[node.type] : unknown)(ctx, node);

function paragraph(ctx: WriteContext, node: Block): Md[] {
  const align = ALIGN.get(str(node.data['align']));
  if (align) return [html(`<p align="${align}">${inlineHtml(ctx, textOf(node))}</p>`)];
  // Anchors alone before a heading would be read as its id.
  if (isAnchorsAlone(node)) return [html(`<p>${inlineHtml(ctx, textOf(node))}</p>`)];
  const children = isEmptyParagraph(node) ? [] : phrasing(ctx, textOf(node));
  return [children.length > 0 ? { type: 'paragraph', children } : html('<p></p>')];
}

/** True for a paragraph of anchors without any words. */
function isAnchorsAlone(node: Block): boolean {
  const nodes = textOf(node);
  const isBlank = (each: Node): boolean =>
    each.object === 'text' && each.leaves.every(({ text }) => text.trim() === '');
  const isAnchor = (each: Node): boolean => each.object === 'inline' && each.type === 'anchor';
  return nodes.some(isAnchor) && nodes.every((each) => isAnchor(each) || isBlank(each));
}

function heading(ctx: WriteContext, node: Block): Md[] {
  const depth = Number(node.type.slice(-1)) + (ctx.context === 'page' ? 1 : 0);
  const align = ALIGN.get(str(node.data['align']));
  const id = optional(node.data['id']);
  if (align) return [html(`<h${depth}${attributes({ align, id })}>${inlineHtml(ctx, textOf(node))}</h${depth}>`)];
  const children = onOneLine(phrasing(ctx, textOf(node)));
  return [
    {
      type: 'heading',
      depth,
      children:
        id === undefined ? children : [...beforeAnchor(children), html(`<a${attributes({ href: `#${id}`, id })}></a>`)],
    },
  ];
}

/** The text of a heading and one space, which is not read as part of it. */
function beforeAnchor(children: Md[]): Md[] {
  const last = children[children.length - 1];
  if (last?.type !== 'text') return last ? [...children, { type: 'text', value: ' ' }] : [];
  const value = (last.value ?? '').trimEnd();
  return value === ''
    ? beforeAnchor(children.slice(0, -1))
    : [...children.slice(0, -1), { ...last, value: `${value} ` }];
}

function list(ctx: WriteContext, node: Block): Md[] {
  const items = blocksOf(node);
  if (items.length === 0) return [];
  const ordered = node.type === 'list-ordered';
  const start = typeof node.data['start'] === 'number' && node.data['start'] >= 0 ? Math.floor(node.data['start']) : 1;
  const tasks = node.type === 'list-tasks';
  const children = items.map((item) => listItem(ctx, item, tasks));
  return [{ type: 'list', ordered, start: ordered ? start : null, children, spread: false } as Md];
}

function listItem(ctx: WriteContext, item: Block, tasks: boolean): Md {
  const nodes = item.nodes ?? [];
  const [first] = nodes;
  const empty = nodes.length === 1 && first?.object === 'block' && isEmptyParagraph(first);
  const children = empty ? [] : writeBlocks(ctx, nodes);
  if (tasks && children[0]?.type !== 'paragraph')
    children.unshift({ type: 'paragraph', children: [{ type: 'text', value: ' ' }] });
  const tight = children.every(
    (child) => (child.type === 'paragraph' && child.children?.[0]?.type !== 'html') || child.type === 'list',
  );
  return { type: 'listItem', spread: !tight, checked: tasks ? item.data['checked'] === true : null, children } as Md;
}

function expandable(ctx: WriteContext, node: Block): Md[] {
  const part = (name: string): Node[] =>
    (node.fragments ?? []).filter((each) => each.fragment === name).flatMap((each) => each.nodes);
  const open = node.data['defaultExpanded'] === true;
  return [
    html(open ? '<details open>' : '<details>'),
    ...summary(ctx, part('expandable-title')),
    ...writeBlocks(ctx, part('expandable-body')),
    html('</details>'),
  ];
}

/** A title of one line stands in its element, any other between its tags. */
function summary(ctx: WriteContext, title: Node[]): Md[] {
  const [only, ...others] = title;
  if (!only) return [html('<summary></summary>')];
  if (others.length === 0 && isLine(only)) return [html(`<summary>${inlineHtml(ctx, textOf(only))}</summary>`)];
  return [html('<summary>'), ...writeBlocks(ctx, title), html('</summary>')];
}

/** A block this package does not know: its name in a comment, then its text. */
function unknown(ctx: WriteContext, node: Block): Md[] {
  const parts = (node.fragments ?? []).flatMap((each) => each.nodes);
  return [
    html(`<!-- unsupported: ${htmlText(node.type.replace(/[^\w-]/g, ''))} -->`),
    ...writeBlocks(ctx, [...(node.nodes ?? []), ...parts]),
  ];
}
