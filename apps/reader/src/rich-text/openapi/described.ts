import { parseMarkdown, RichTextError, type Leaf, type Node } from '@scriptorium/rich-text';
import { textOf } from '@scriptorium/openapi/shown';
import { el, type HtmlNode } from '../html.js';
import type { RenderContext } from '../render-context.js';

/** A description is short; what costs more to read than this is shown as it stands. */
const limits = { maxBytes: 64 * 1024, maxNodes: 2_000, maxCost: 150_000 };

/** Texts in which nothing can be markup: most descriptions of properties. */
const plain = /^\p{L}[\p{L}\p{N} ,;()'"?!%.-]*$/u;

/** A description, which is markdown, as the texts of pages are shown. */
export function described(ctx: RenderContext, description: unknown): HtmlNode[] {
  const text = textOf(description).trim();
  if (text === '') return [];
  if (plain.test(text) && !text.includes('www.')) return [el('p', {}, text)];
  if (text.length > ctx.cards.left.markdown) return asItStands(text);
  ctx.cards.left.markdown -= text.length;
  try {
    return ctx.blocks(parseMarkdown(text, { limits }).document.nodes.map(withinCard));
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return asItStands(text);
  }
}

/** A description of a line or so, where only a text can stand. */
export function isShort(description: unknown): boolean {
  const text = textOf(description).trim();
  return text.length <= 200 && plain.test(text);
}

function asItStands(text: string): HtmlNode[] {
  return text.split(/\n\s*\n/).map((part) => el('p', {}, part));
}

/** Descriptions have no place in the outline of a page, and no ids that its links could mean. */
function withinCard<T extends Node>(node: T): T {
  if (node.object === 'text') return node;
  const isHeading = node.object === 'block' && node.type.startsWith('heading-');
  const nodes = node.nodes?.filter((child) => child.object !== 'inline' || child.type !== 'anchor').map(withinCard);
  const fragments = node.fragments?.map((part) => ({ ...part, nodes: part.nodes.map(withinCard) }));
  const inside = { ...(nodes && { nodes: isHeading ? nodes.map(bold) : nodes }), ...(fragments && { fragments }) };
  return { ...node, ...inside, ...(isHeading && { type: 'paragraph' }) };
}

function bold(node: Node): Node {
  if (node.object !== 'text') return node;
  const strong = (leaf: Leaf): Leaf => ({ ...leaf, marks: [...leaf.marks, { object: 'mark', type: 'bold' }] });
  return { ...node, leaves: node.leaves.map(strong) };
}
