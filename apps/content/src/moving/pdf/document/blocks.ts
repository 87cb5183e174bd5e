import type { Block, Data, Node } from '@scriptorium/rich-text';
import { integrationCard, isRef, partOf, textIn } from '@scriptorium/rich-text/reading';
import { code, prompt } from './code-blocks.js';
import { columns, expandable, hint, quote, stepper, tabs, updates } from './containers.js';
import { directed, directionOf } from './direction.js';
import { linkTo } from './inlines.js';
import { bulletList, orderedList, taskList } from './lists.js';
import { resolvedIn } from './node-data.js';
import { figure, pictures } from './pictures.js';
import type { SheetContext } from './sheet-context.js';
import type { SheetElement, SheetNode } from './sheet-nodes.js';
import { table } from './tables.js';
import { cleanText, inCode, safeAddress } from './texts.js';
import { plainText } from './inlines.js';

/** Blocks as nodes. Inline nodes among them become paragraphs. */
export function blocksOf(ctx: SheetContext, nodes: readonly Node[]): SheetNode[] {
  return nodes.flatMap((node) => (node.object === 'block' ? blockOf(ctx, node) : paragraphOf(ctx, [node])));
}

type Make = (ctx: SheetContext, node: Block) => SheetNode[];

const kinds: Readonly<Record<string, Make>> = {
  paragraph: (ctx, { nodes = [], data }) => paragraphOf(ctx, nodes, data),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-unordered': bulletList,
  'list-ordered': orderedList,
  'list-tasks': taskList,
  divider: () => [{ t: 'hr' }],
  blockquote: quote,
  math: (_ctx, { data }) => formula(textIn(data, 'formula')),
  if: inside,
  'content-ref': contentRef,
  integration,
  swagger: apiCall,
  code,
  prompt,
  images: pictures,
  image: figure,
  drawing: figure,
  file,
  embed,
  hint,
  tabs,
  stepper,
  columns,
  expandable,
  updates,
  table,
};

/** Nothing is shown of a kind that is not known. */
function blockOf(ctx: SheetContext, node: Block): SheetNode[] {
  const make = Object.hasOwn(kinds, node.type) ? kinds[node.type] : undefined;
  return make === undefined ? [] : directed(ctx, node, make);
}

function inside(ctx: SheetContext, { nodes = [] }: Block): SheetNode[] {
  return ctx.blocks(ctx, nodes);
}

function paragraphOf(ctx: SheetContext, nodes: readonly Node[], data: Data = {}): SheetNode[] {
  const c = ctx.inlines(ctx, nodes);
  if (c.length === 0) return [];
  const align = textIn(data, 'align');
  return [
    {
      t: 'p',
      c,
      ...(align === 'center' || align === 'end' ? { a: align } : {}),
      ...directionOf(ctx.direction, nodes.map(plainText).join('')),
    },
  ];
}

/** A heading. Levels are never left out, and one without a text is none: accessible files have neither. */
function heading(ctx: SheetContext, node: Block): SheetNode[] {
  const { nodes = [], key = '', type } = node;
  const c = ctx.inlines(ctx, nodes);
  if (c.length === 0 || nodes.map(plainText).join('').trim() === '') return c.length === 0 ? [] : [{ t: 'p', c }];
  const level = Math.min(ctx.level + Number(type.slice(-1)), ctx.last.level + 1);
  ctx.last.level = level;
  const id = ctx.headings.get(key);
  return [
    {
      t: 'h',
      l: level,
      c,
      ...(id === undefined ? {} : { id: `${ctx.page}-${id}` }),
      ...(ctx.isOutlined ? { o: true } : {}),
      ...directionOf(ctx.direction, nodes.map(plainText).join('')),
    },
  ];
}

function formula(text: string): SheetNode[] {
  return text.trim() === '' ? [] : [{ t: 'formula', x: cleanText(text, inCode) }];
}

function contentRef(ctx: SheetContext, { data }: Block): SheetNode[] {
  const ref = data['ref'];
  const own = isRef(ref) && ref.kind === 'url' ? textIn(ref, 'url') : '';
  const title = cleanText(textIn(data, 'title') || resolvedIn(data).title || own, ctx.breaking);
  return title === '' ? [] : [card(linkTo(ctx, data, title), [])];
}

function card(title: SheetNode, caption: readonly SheetNode[]): SheetElement {
  return { t: 'card', c: [title, ...caption] };
}

/** What an integration shows is known to it alone; what it says of the block, its text and its address are shown. */
function integration(ctx: SheetContext, node: Block): SheetNode[] {
  const { title, description, url: given, content } = integrationCard(node);
  const url = safeAddress(given ?? '');
  const about = description === '' ? [] : [{ t: 'p' as const, c: [cleanText(description, ctx.breaking)] }];
  const named = url === undefined ? cleanText(title, ctx.breaking) : toAddress(ctx, url, title);
  return [
    ...(title === '' ? [] : [card(named, about)]),
    ...(content.trim() === '' ? [] : [{ t: 'code', x: cleanText(content, inCode), count: 1 } as const]),
  ];
}

/** An operation of a specification that is a file: its method and path are all that is known. */
function apiCall(_ctx: SheetContext, { data }: Block): SheetNode[] {
  const path = textIn(data, 'path') || textIn(data, 'name');
  const text = `${textIn(data, 'method').toUpperCase()} ${path}`.trim();
  return text === '' ? [] : [card({ t: 'code-text', x: cleanText(text, inCode) }, [])];
}

function toAddress(ctx: SheetContext, url: string, text: string): SheetNode {
  return { t: 'a', u: url, c: [cleanText(text, ctx.breaking)] };
}

function file(ctx: SheetContext, node: Block): SheetNode[] {
  const { ref } = node.data;
  const id = isRef(ref) ? textIn(ref, 'file') : '';
  const found = Object.hasOwn(ctx.files, id) ? ctx.files[id] : undefined;
  const caption = ctx.blocks(ctx, partOf(node, 'caption'));
  const name = cleanText(found?.name ?? '', ctx.breaking);
  if (name === '') return caption;
  return [card(found?.url === undefined ? name : toAddress(ctx, found.url, name), caption)];
}

function embed(ctx: SheetContext, node: Block): SheetNode[] {
  const caption = ctx.blocks(ctx, partOf(node, 'caption'));
  const url = safeAddress(textIn(node.data, 'url'));
  return url === undefined ? caption : [card(toAddress(ctx, url, url), caption)];
}
