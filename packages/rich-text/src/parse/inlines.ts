import { compact, fragment, inline, mark, paragraph, text, voidInline } from '../model/build.js';
import { RichTextError } from '../model/errors.js';
import { MARK_ORDER } from '../model/marks.js';
import { type Block, type InlineNode, type Mark } from '../model/types.js';
import { emojiByName, emojiCharacter } from '../syntax/emoji.js';
import { BOUNDARY, DEFINITIONS, insteadOf, mdText, shownIn, type Attributes, type Md } from '../syntax/md.js';
import { unbroken } from '../syntax/spaces.js';
import { lineOf, nestElements } from './elements.js';
import { annotation, InlineBuilder, type InlineState } from './inline-builder.js';
import { refOf, type ParseContext, leftOf } from './context.js';

/** Phrasing nodes to the inline nodes of a block. */
export function inlines(ctx: ParseContext, children: Md[]): InlineNode[] {
  const out = new InlineBuilder();
  addInlines(ctx, children, { out, marks: [], inLink: false });
  return out.finish();
}

/** A text that is no markdown, such as an attribute, as the nodes of a block. */
export const plainInlines = (ctx: ParseContext, value: string): InlineNode[] => inlines(ctx, [mdText(value)]);

/** A paragraph of plain text. */
export const textOf = (ctx: ParseContext, value: string): Block => paragraph(plainInlines(ctx, value));

/** The title of a tag as a paragraph, where there is one. */
export const titleOf = (ctx: ParseContext, { title }: Attributes): Block[] => (title ? [textOf(ctx, title)] : []);

export function addInlines(ctx: ParseContext, children: Md[], state: InlineState): void {
  for (const node of nestElements(children, true)) addInline(ctx, node, state);
}

const RANKS = new Map<string, number>(MARK_ORDER.map((type, rank) => [type, rank]));
const rankOf = (mark: Mark): number => RANKS.get(mark.type) ?? 0;

/** The state inside one more mark, in the order in which marks are written; a mark already set is not set twice. */
export function marked(state: InlineState, added: Mark): InlineState {
  const rest = state.marks.filter((present) => present.type !== added.type);
  return { ...state, marks: [...rest, added].sort((a, b) => rankOf(a) - rankOf(b)) };
}

const MARKS: { [type: string]: string } = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough' };

function addInline(ctx: ParseContext, node: Md, state: InlineState): void {
  const markType = MARKS[node.type];
  if (markType) return addInlines(ctx, node.children ?? [], marked(state, mark(markType)));
  switch (node.type) {
    case 'text':
      return node.name === BOUNDARY ? state.out.gap() : state.out.text(unbroken(node.value ?? ''), state.marks);
    case 'break':
      return state.out.text('\n', state.marks);
    case 'inlineCode':
      return state.out.text((node.value ?? '').replace(/\r\n?|\n/g, ' '), marked(state, mark('code')).marks);
    case 'link':
    case 'linkReference':
      return addLink(ctx, node, state);
    case 'image':
    case 'imageReference':
      return addImage(ctx, node, state);
    case 'footnoteReference':
      return addFootnote(ctx, node, state);
    case 'element':
      return ctx.element(ctx, node, state);
    default:
      return addOwn(ctx, node, state);
  }
}

/** A formula among text stands on one line. */
export const formulaOf = (value: string): string => unbroken(value).trim();

/** Nodes whose children are text; those of the others are blocks. */
const TEXT_PARENTS = new Set(['paragraph', 'heading', 'tableCell']);

function addOwn(ctx: ParseContext, node: Md, state: InlineState): void {
  if (node.type === 'inlineMath') {
    state.out.push(voidInline('inline-math', { formula: formulaOf(node.value ?? '') }));
  } else if (node.type === 'emoji') {
    const code = emojiByName(node.value ?? '') ?? '';
    if (state.inLink) state.out.text(emojiCharacter(code), state.marks);
    else state.out.push(voidInline('emoji', { code }));
  } else if (node.children && !DEFINITIONS.has(node.type)) {
    state.out.gap();
    for (const child of nestElements(shownIn(node), TEXT_PARENTS.has(node.type))) addInline(ctx, child, state);
    state.out.gap();
  } else {
    state.out.text((node.value ?? '').replace(/\s+/g, ' '), state.marks);
  }
}

/** A link or an image, or the definition that says what it points at. */
export const targetOf = (ctx: ParseContext, node: Md): Md =>
  node.url === undefined ? (ctx.definitions.get(node.identifier ?? '') ?? node) : node;

/** `<image:tag>` and the like: to markdown a link of a scheme that nobody knows, to people a place to fill in. */
function isPlaceholder(ctx: ParseContext, { url, position }: Md): boolean {
  return (
    ctx.source.startsWith('<', position?.start.offset ?? -1) &&
    !/^(?:https?|mailto):|@/i.test(url ?? '') &&
    refOf(ctx, url, 'link') === null
  );
}

function addLink(ctx: ParseContext, node: Md, state: InlineState): void {
  const { url, title } = targetOf(ctx, node);
  if (node.type === 'link' && isPlaceholder(ctx, node)) return state.out.text(`<${unbroken(url ?? '')}>`, state.marks);
  link(ctx, node.children ?? [], { url, title, mention: title === 'mention' }, state);
}

/** A link around `children`; without a target, or inside another link, only the children. */
export function link(
  ctx: ParseContext,
  children: Md[],
  target: { url: string | undefined; title?: string | null | undefined; mention?: boolean },
  state: InlineState,
): void {
  const mention = target.mention || (target.url ?? '').startsWith('mention:');
  const ref = state.inLink ? null : refOf(ctx, target.url, mention ? 'mention' : 'link');
  if (!ref) {
    addInlines(ctx, children, state);
    const left = state.inLink ? '' : leftOf(ctx, target.url, lineOf(children));
    if (left !== '') state.out.text(left, state.marks);
    return;
  }
  if (mention) {
    const label = lineOf(children).replace(ref.kind === 'user' ? /^@/ : '', '');
    return state.out.push(
      voidInline('mention', compact({ ref, text: label === '' || label === target.url ? undefined : label })),
    );
  }
  const inner = new InlineBuilder(true);
  addInlines(ctx, children, { out: inner, marks: state.marks, inLink: true });
  state.out.push(inline('link', compact({ ref, title: target.title || undefined }), inner.finish()));
}

function addImage(ctx: ParseContext, node: Md, state: InlineState): void {
  const { url, title } = targetOf(ctx, node);
  const ref = refOf(ctx, url, 'image');
  if (!ref) {
    const words = insteadOf(node.alt, title);
    return state.out.text(`${words}${leftOf(ctx, url, words)}`, state.marks);
  }
  state.out.push(voidInline('inline-image', compact({ ref, alt: node.alt || undefined, caption: title || undefined })));
}

function addFootnote(ctx: ParseContext, node: Md, state: InlineState): void {
  const name = node.identifier ?? '';
  const body = state.inLink ? null : footnoteBody(ctx, name);
  if (!body) return state.out.text(`[^${node.label ?? name}]`, state.marks);
  state.out.annotate((nodes) => annotation(nodes, [body]));
}

/** Notes that refer to notes many times would grow with a power of the text. */
function countRepeated(ctx: ParseContext, { position }: Md): void {
  ctx.repeated += (position?.end.offset ?? 0) - (position?.start.offset ?? 0);
  if (ctx.repeated > ctx.limits.maxBytes)
    throw new RichTextError('too_complex', 'The text refers too often to long footnotes.');
}

/** The body of a footnote as a fragment; null when there is none or it is just being converted. */
export function footnoteBody(ctx: ParseContext, name: string): ReturnType<typeof fragment> | null {
  const definition = ctx.footnotes.get(name);
  if (!definition || ctx.openFootnotes.has(name) || ctx.openFootnotes.size > 3) return null;
  if (ctx.usedFootnotes.has(name)) countRepeated(ctx, definition);
  ctx.usedFootnotes.add(name);
  ctx.openFootnotes.add(name);
  const nodes = ctx.blocks(definition.children ?? []);
  ctx.openFootnotes.delete(name);
  return fragment('annotation-body', nodes.length > 0 ? nodes : [paragraph([text('')])]);
}
