import { compact, mark, voidInline } from '../model/build.js';
import { type Data, type Mark } from '../model/types.js';
import { emojiCharacter, emojiCode } from '../syntax/emoji.js';
import { insteadOf, isAnchorId, isBlank, isInlineLevel, stringOf, type Attributes, type Md } from '../syntax/md.js';
import { unbroken } from '../syntax/spaces.js';
import { annotation, InlineBuilder, type InlineState } from './inline-builder.js';
import { addInlines, footnoteBody, formulaOf, link, marked } from './inlines.js';
import { refOf, type ParseContext, leftOf } from './context.js';
import { decodeEntities } from './entities.js';
import { iconOf, isNamedIcon, lineOf, nestElements } from './elements.js';

const MARKS: { [name: string]: string } = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
  code: 'code',
};

const COLORS = new Set(
  'default green blue red orange yellow purple pink violet cyan $primary $info $success $warning $danger $tint'.split(
    ' ',
  ),
);
const colorOf = (value: string | undefined): string => (value !== undefined && COLORS.has(value) ? value : 'default');

function styleOf(attributes: Attributes): Map<string, string> {
  const parts = (attributes['style'] ?? '').split(';').map((part) => part.split(':'));
  return new Map(parts.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]));
}

const classes = (attributes: Attributes): string[] => (attributes['class'] ?? '').split(/\s+/);

function colorMark(attributes: Attributes): Mark {
  const style = styleOf(attributes);
  return mark('color', { text: colorOf(style.get('color')), background: colorOf(style.get('background-color')) });
}

/** One HTML element among text. Elements the format has no word for leave their content. */
export function inlineElement(ctx: ParseContext, node: Md, state: InlineState): void {
  const attributes = node.attributes ?? {};
  const children = node.children ?? [];
  switch (node.name ?? '') {
    case 'br':
      return state.out.text('\n', state.marks);
    case 'a':
      return anchor(ctx, node, state);
    case 'mark':
      return addInlines(ctx, children, marked(state, colorMark(attributes)));
    case 'img':
      return image(ctx, node, undefined, state);
    case 'picture':
      return picture(ctx, node, state);
    case 'button':
      return state.out.push(button(ctx, node));
    case 'span':
      return span(ctx, node, state);
    default:
      if (special(ctx, node, state)) return;
      if (!isInlineLevel(node)) state.out.gap();
      addInlines(ctx, children, plainMark(node, state));
      if (!isInlineLevel(node)) state.out.gap();
  }
}

function plainMark(node: Md, state: InlineState): InlineState {
  const type = MARKS[node.name ?? ''];
  return type ? marked(state, mark(type)) : state;
}

/** Icons and expressions, which borrow the elements of italic and code. */
function special(ctx: ParseContext, node: Md, state: InlineState): boolean {
  const attributes = node.attributes ?? {};
  const icon = iconOf(node);
  if (icon !== undefined) {
    const color = styleOf(attributes).get('color');
    state.out.push(voidInline('icon', compact({ icon, color: color === undefined ? undefined : colorOf(color) })));
    if (!isNamedIcon(node)) follow(ctx, node, state);
    return true;
  }
  if (node.name === 'code' && classes(attributes).includes('expression')) {
    state.out.push(voidInline('expression', { expression: rawInside(ctx, node) }));
    return true;
  }
  return false;
}

/** What the source says inside an element, not read as markdown. */
export function rawInside(ctx: ParseContext, node: Md): string {
  const raw = node.inner ? ctx.source.slice(node.inner.start, node.inner.end) : '';
  const asWritten = raw === '' || raw.includes('\n') ? stringOf(node) : decodeEntities(raw);
  return unbroken(asWritten).trim();
}

function anchor(ctx: ParseContext, node: Md, state: InlineState): void {
  const attributes = node.attributes ?? {};
  const children = node.children ?? [];
  const { href } = attributes;
  if (classes(attributes).includes('button')) return state.out.push(button(ctx, node));
  if ('data-footnote-ref' in attributes) {
    const body = footnoteBody(ctx, (href ?? '').replace(/^#(user-content-)?fn-?/, '').toLowerCase());
    if (body) return annotated(ctx, children, state, [body]);
    return addInlines(ctx, children, state);
  }
  addAnchor(attributes['id'] ?? attributes['name'], state);
  link(ctx, children, { url: href, title: attributes['title'], mention: 'data-mention' in attributes }, state);
}

/** The place of an element that links can name. */
function addAnchor(id: string | undefined, { out }: InlineState): void {
  if (isAnchorId(id)) out.push(voidInline('anchor', { id }));
}

function annotated(
  ctx: ParseContext,
  children: Md[],
  state: InlineState,
  body: NonNullable<Parameters<typeof annotation>[1]>,
): void {
  const inner = new InlineBuilder(true);
  addInlines(ctx, children, { out: inner, marks: state.marks, inLink: true });
  state.out.push(annotation(inner.finish(), body));
}

/** The dark variant of a `<picture>` and its `<img>`. */
export function pictureParts(node: Md): { image: Md | undefined; dark: string | undefined } {
  const all = node.children ?? [];
  const source = all.find((child) => child.name === 'source' && (child.attributes?.['media'] ?? '').includes('dark'));
  return { image: all.find((child) => child.name === 'img'), dark: source?.attributes?.['srcset'] };
}

function picture(ctx: ParseContext, node: Md, state: InlineState): void {
  const nested: Md = { ...node, children: nestElements(node.children ?? [], true) };
  const parts = pictureParts(nested);
  for (const child of nested.children ?? []) {
    if (child === parts.image) image(ctx, child, parts.dark, state);
    else if (isBlank(child)) state.out.gap();
    else addInlines(ctx, [child], state);
  }
}

function image(ctx: ParseContext, node: Md, dark: string | undefined, state: InlineState): void {
  const attributes = node.attributes ?? {};
  const ref = refOf(ctx, attributes['src'], 'image');
  if (!ref) {
    const words = insteadOf(attributes['alt'], attributes['title']);
    return state.out.text(`${words}${leftOf(ctx, attributes['src'], words)}`, state.marks);
  }
  const size = attributes['data-size'];
  const data: Data = {
    ref,
    refDark: refOf(ctx, dark, 'image') ?? undefined,
    alt: attributes['alt'] || undefined,
    caption: attributes['title'] || undefined,
    size: size === 'line' || size === 'original' ? size : undefined,
  };
  state.out.push(voidInline('inline-image', compact(data)));
}

function button(ctx: ParseContext, node: Md): ReturnType<typeof voidInline> {
  const attributes = node.attributes ?? {};
  const words = classes(attributes);
  const size = attributes['data-size'];
  const action = attributes['data-action'];
  const ref = refOf(ctx, attributes['href'], 'link');
  const data: Data = {
    label: lineOf(node.children ?? []),
    kind: words.includes('secondary') ? 'secondary' : 'primary',
    size: size === 'small' || size === 'medium' || size === 'large' ? size : undefined,
    icon: attributes['data-icon'] || undefined,
    ref: ref ?? undefined,
  };
  if (action === 'search' || action === 'ask') data['action'] = compact({ action, query: attributes['data-query'] });
  if (action === 'select') data['action'] = { action, slug: attributes['data-slug'] ?? '' };
  return voidInline('button', compact(data));
}

/** What stands inside an element that is complete in itself. */
function follow(ctx: ParseContext, node: Md, state: InlineState): void {
  state.out.gap();
  addInlines(ctx, node.children ?? [], state);
}

/**
 * Emoji and formulas are spans that say in attributes what they are. What stands inside follows, unless it only says
 * the same.
 */
function voidSpan(ctx: ParseContext, node: Md, state: InlineState): boolean {
  const attributes = node.attributes ?? {};
  const tag = attributes['data-tag'];
  const code = (attributes['data-code'] ?? '').toLowerCase();
  const isEmoji = tag === 'emoji' && !state.inLink && emojiCharacter(code) !== '';
  if (!isEmoji && tag !== 'inline-math') return false;
  const formula = formulaOf(attributes['data-formula'] ?? '');
  state.out.push(isEmoji ? voidInline('emoji', { code }) : voidInline('inline-math', { formula }));
  const inside = lineOf(node.children ?? []);
  if (inside !== '' && (isEmoji ? emojiCode(inside) !== code : inside !== formula)) follow(ctx, node, state);
  return true;
}

function span(ctx: ParseContext, node: Md, state: InlineState): void {
  if (voidSpan(ctx, node, state)) return;
  const attributes = node.attributes ?? {};
  const note = attributes['data-footnote'];
  const body = note === undefined || state.inLink ? null : footnoteBody(ctx, note.toLowerCase());
  if (body) return annotated(ctx, node.children ?? [], state, [body]);
  addAnchor(attributes['id'], state);
  addInlines(ctx, node.children ?? [], state);
}
