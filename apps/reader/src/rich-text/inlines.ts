import { isSafeUrl, type Data, type Inline, type Leaf, type Mark, type Node } from '@scriptorium/rich-text';
import { filled } from '../texts/texts.js';
import { emojiOf, isObject, isRef, oneOf, partOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode, type Properties } from './html.js';
import { icon } from './icons.js';
import { formula } from './math.js';
import { picture } from './pictures.js';
import type { RenderContext, Target } from './render-context.js';

/** Inline nodes as HTML. Blocks among them become their text. */
export function renderInlines(ctx: RenderContext, nodes: readonly Node[]): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] => {
    if (node.object === 'text') return node.leaves.flatMap(leaf);
    if (node.object === 'block') return renderInlines(ctx, node.nodes ?? []);
    return inline(ctx, node);
  });
}

const marks: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  strikethrough: 's',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
};

/** A text with its marks. A line break in it is one on the page. */
function leaf({ text, marks: given }: Leaf): HtmlNode[] {
  const lines = text
    .split('\n')
    .flatMap((line, index): HtmlNode[] => [...(index === 0 ? [] : [el('br', {})]), { type: 'text', value: line }]);
  return [...given].reverse().reduce<HtmlNode[]>((inside, mark) => marked(mark, inside), lines);
}

function marked({ type, data = {} }: Mark, inside: HtmlNode[]): HtmlNode[] {
  if (type === 'color') {
    const [text, background] = [colorOf(data['text']), colorOf(data['background'])];
    return [el('span', classes(text && `text-${text}`, background && `back-${background}`), inside)];
  }
  const tag = Object.hasOwn(marks, type) ? marks[type] : undefined;
  return tag === undefined ? inside : [el(tag, {}, inside)];
}

const colors = [
  ...['green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'],
  ...['$primary', '$info', '$success', '$warning', '$danger', '$tint'],
];

/** The name of a color as classes have it; `undefined` for the default. */
function colorOf(value: unknown): string | undefined {
  return typeof value === 'string' && colors.includes(value) ? value.replace('$', '') : undefined;
}

type Render = (ctx: RenderContext, node: Inline) => HtmlNode[];

const kinds: Readonly<Record<string, Render>> = {
  link: (ctx, node) => [link(ctx, targetOf(ctx, node), ctx.inlines(node.nodes ?? []))],
  mention,
  'inline-image': inlineImage,
  emoji: (_ctx, { data }) => [{ type: 'text', value: emojiOf(textIn(data, 'code')) }],
  icon: (ctx, { data }) => [drawn(ctx, data)],
  'inline-math': (_ctx, { data }) => [formula(textIn(data, 'formula'), false)],
  expression: (_ctx, { data }) => [el('code', {}, textIn(data, 'expression'))],
  annotation,
  button,
  anchor: (ctx, { data }) => anchor(ctx, textIn(data, 'id')),
};

/** A place that links can name; of several of one id the first. */
function anchor(ctx: RenderContext, id: string): HtmlNode[] {
  return ctx.anchors.delete(id) ? [el('span', { id })] : [];
}

function inline(ctx: RenderContext, node: Inline): HtmlNode[] {
  const render = Object.hasOwn(kinds, node.type) ? kinds[node.type] : undefined;
  // The text of a kind that is not known here is shown all the same.
  return render === undefined ? ctx.inlines(node.nodes ?? []) : render(ctx, node);
}

/** An icon within a text. It may stand there in the place of a word. */
function drawn({ isSolid }: RenderContext, data: Data): HtmlNode {
  const name = textIn(data, 'icon');
  return icon(name, { label: name.replaceAll('-', ' '), color: colorClass(data), isSolid });
}

function colorClass(data: Data): string | undefined {
  const color = colorOf(data['color']);
  return color && `text-${color}`;
}

function targetOf(ctx: RenderContext, { data }: Pick<Inline, 'data'>): Target | undefined {
  return isRef(data['ref']) ? ctx.targetOf(data['ref']) : undefined;
}

/** A link; its text alone when it leads nowhere. */
export function link(
  ctx: Pick<RenderContext, 'opensTabs'>,
  target: Target | undefined,
  inside: HtmlNode[],
  more: Properties = {},
): HtmlNode {
  if (target === undefined || !isSafeUrl(target.href)) return el('span', more, inside);
  return el('a', { ...more, href: target.href, ...(target.isExternal === true ? outside(ctx) : {}) }, inside);
}

export function outside({ opensTabs }: Pick<RenderContext, 'opensTabs'>): Properties {
  return opensTabs ? { rel: ['noopener', 'noreferrer'], target: '_blank' } : { rel: ['noopener', 'noreferrer'] };
}

function mention(ctx: RenderContext, node: Inline): HtmlNode[] {
  const target = targetOf(ctx, node);
  const ref = node.data['ref'];
  const isPerson = isRef(ref) && ref.kind === 'user';
  const name = textIn(node.data, 'text') || target?.title || titleIn(node.data) || (isPerson ? ctx.say.somebody : '');
  return [link(ctx, target, [{ type: 'text', value: isPerson ? `@${name}` : name }], classes('mention'))];
}

/** What the service says that a reference is called. */
export function titleIn(data: Data): string {
  const resolved = data['resolved'];
  return isObject(resolved) ? textIn(resolved, 'title') : '';
}

function inlineImage(ctx: RenderContext, { data }: Inline): HtmlNode[] {
  const image = picture(ctx, data, oneOf(data, 'size', ['line']) === undefined ? ['inline-image'] : ['line-image']);
  return image === undefined ? [{ type: 'text', value: textIn(data, 'alt') }] : [image];
}

/** A text with a number that leads to the note behind the page. */
function annotation(ctx: RenderContext, node: Inline): HtmlNode[] {
  const id = String(ctx.notes.length + 1);
  const named = partOf(node, 'annotation-body');
  ctx.notes.push({ id, nodes: named.length > 0 ? named : (node.fragments ?? []).flatMap(({ nodes }) => nodes) });
  const number = el(
    'a',
    { href: `#note-${id}`, id: `noted-${id}`, ariaLabel: filled(ctx.say.noteNumber, { number: id }) },
    id,
  );
  return [...ctx.inlines(node.nodes ?? []), el('sup', classes('note-number'), number)];
}

function button(ctx: RenderContext, node: Inline): HtmlNode[] {
  const { data } = node;
  const label = textIn(data, 'label');
  const style = classes('button', oneOf(data, 'kind', ['secondary']), oneOf(data, 'size', ['small', 'large']));
  const { action } = data;
  if (isObject(action)) {
    const href = ctx.searchAt(textIn(action, 'query'));
    const leads = ['search', 'ask'].includes(textIn(action, 'action'));
    return [link(ctx, leads ? { href } : undefined, [{ type: 'text', value: label }], style)];
  }
  return [link(ctx, targetOf(ctx, node), [{ type: 'text', value: label }], style)];
}
