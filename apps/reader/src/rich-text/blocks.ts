import type { Block, Node } from '@scriptorium/rich-text';
import { code, prompt } from './code.js';
import { columns, expandable, hint, stepper, tabs, updates } from './containers.js';
import { blocksIn, isObject, isRef, oneOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from './html.js';
import { link, titleIn } from './inlines.js';
import { integration } from './integration.js';
import { formula } from './math.js';
import { operation, webhook } from './openapi/operation.js';
import { schemas } from './openapi/schemas.js';
import { embed } from './embeds.js';
import { drawing, file, images } from './pictures.js';
import type { RenderContext, Target } from './render-context.js';
import { table } from './tables.js';

/** Blocks as HTML. Inline nodes among them become paragraphs. */
export function renderBlocks(ctx: RenderContext, nodes: readonly Node[]): HtmlNode[] {
  return nodes.flatMap((node) => (node.object === 'block' ? block(ctx, node) : [el('p', {}, ctx.inlines([node]))]));
}

type Render = (ctx: RenderContext, node: Block) => HtmlNode[];

const kinds: Readonly<Record<string, Render>> = {
  paragraph,
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-unordered': (ctx, node) => [el('ul', {}, items(ctx, node))],
  'list-ordered': ordered,
  'list-tasks': tasks,
  divider: () => [el('hr', {})],
  blockquote: (ctx, node) => [el('blockquote', {}, inside(ctx, node))],
  math: (_ctx, { data }) => [formula(textIn(data, 'formula'), true)],
  if: inside,
  // The remaining blocks were not found, or contain themselves.
  'reusable-content': inside,
  'content-ref': contentRef,
  integration,
  code,
  prompt,
  images,
  drawing,
  file,
  embed,
  hint,
  tabs,
  stepper,
  columns,
  expandable,
  updates,
  table,
  swagger: operation,
  'openapi-operation': operation,
  'openapi-schemas': schemas,
  'openapi-webhook': webhook,
};

function block(ctx: RenderContext, node: Block): HtmlNode[] {
  const render = Object.hasOwn(kinds, node.type) ? kinds[node.type] : undefined;
  if (render !== undefined) return render(ctx, node);
  // The text of a kind that is not known here is shown all the same.
  const parts = (node.fragments ?? []).flatMap(({ nodes }) => nodes);
  return [...inside(ctx, node), ...ctx.blocks(parts)];
}

function inside(ctx: RenderContext, { nodes = [] }: Block): HtmlNode[] {
  return nodes.some(({ object }) => object === 'block') ? ctx.blocks(nodes) : paragraphOf(ctx, nodes);
}

function paragraphOf(ctx: RenderContext, nodes: readonly Node[]): HtmlNode[] {
  const text = ctx.inlines(nodes);
  return text.length === 0 ? [] : [el('p', {}, text)];
}

function alignment({ data }: Block): string | undefined {
  const align = oneOf(data, 'align', ['center', 'end']);
  return align && `align-${align}`;
}

function paragraph(ctx: RenderContext, node: Block): HtmlNode[] {
  return [el('p', classes(alignment(node)), ctx.inlines(node.nodes ?? []))];
}

/** A heading with a link to itself. The title of the page is the heading of the first level. */
function heading(ctx: RenderContext, node: Block): HtmlNode[] {
  const id = ctx.headings.get(node.key ?? '');
  const text = ctx.inlines(node.nodes ?? []);
  const anchor = id && el('a', { href: `#${id}`, className: ['anchor'], ariaLabel: ctx.say.linkToHeading }, '#');
  const others = (ctx.otherIds.get(node.key ?? '') ?? []).map((other) => el('span', { id: other }));
  const level = Number(node.type.slice(-1)) + 1;
  ctx.level.last = level;
  return [el(`h${level}`, { id, ...classes(alignment(node)) }, others, text, anchor === '' ? undefined : anchor)];
}

function items(ctx: RenderContext, node: Block): HtmlNode[] {
  return (node.nodes ?? []).map((item) =>
    el('li', {}, item.object === 'block' ? tight(ctx, item) : ctx.inlines([item])),
  );
}

/** An item of one paragraph, perhaps with a list behind it, is a line of text. */
function tight(ctx: RenderContext, item: Block): HtmlNode[] {
  const { nodes = [] } = item;
  const [first, ...others] = nodes;
  const isLine = first?.object === 'block' && first.type === 'paragraph';
  const lists = others.every((other) => other.object === 'block' && other.type.startsWith('list-'));
  return isLine && lists ? [...ctx.inlines(first.nodes ?? []), ...ctx.blocks(others)] : inside(ctx, item);
}

function ordered(ctx: RenderContext, node: Block): HtmlNode[] {
  const { start } = node.data;
  const from = typeof start === 'number' && start > 1 ? { start: Math.floor(start) } : {};
  return [el('ol', from, items(ctx, node))];
}

function tasks(ctx: RenderContext, node: Block): HtmlNode[] {
  const list = blocksIn(node, 'list-item').map((item) => {
    const checked = item.data['checked'] === true;
    const box = { type: 'checkbox', disabled: true, checked, ariaLabel: checked ? ctx.say.done : ctx.say.toDo };
    return el('li', {}, el('input', box), el('div', {}, tight(ctx, item)));
  });
  return [el('ul', classes('tasks'), list)];
}

function contentRef(ctx: RenderContext, { data }: Block): HtmlNode[] {
  const target = isRef(data['ref']) ? (ctx.targetOf(data['ref']) ?? specTarget(data)) : undefined;
  const title = textIn(data, 'title') || target?.title || titleIn(data);
  if (target === undefined) return title === '' ? [] : [el('p', {}, title)];
  const text: HtmlNode = { type: 'text', value: title || target.href };
  return [el('p', classes('card'), link(ctx, target, [text]))];
}

/** A specification is where the API says that everybody can have it. */
function specTarget({ ref, resolved }: Block['data']): Target | undefined {
  if (!isObject(ref) || ref['kind'] !== 'openapi' || !isObject(resolved)) return undefined;
  const href = textIn(resolved, 'href');
  return /^https?:/i.test(href) && URL.canParse(href)
    ? { href, title: textIn(resolved, 'title'), isExternal: true }
    : undefined;
}
