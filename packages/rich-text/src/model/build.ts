import {
  type Block,
  type Data,
  type Fragment,
  type Inline,
  type InlineNode,
  type Leaf,
  type Mark,
  type Node,
  type Text,
} from './types.js';

export const mark = (type: string, data?: Data): Mark =>
  data ? { object: 'mark', type, data } : { object: 'mark', type };
export const leaf = (text: string, marks: Mark[] = []): Leaf => ({ object: 'leaf', text, marks });
export const text = (value: string, marks: Mark[] = []): Text => ({ object: 'text', leaves: [leaf(value, marks)] });

/** A block with children. */
export const block = (type: string, data: Data, nodes: Node[]): Block => ({
  object: 'block',
  type,
  isVoid: false,
  data,
  nodes,
});
/** A block without children of its own; content stands in `data` or in fragments. */
export const voidBlock = (type: string, data: Data, fragments?: Fragment[]): Block =>
  fragments ? { object: 'block', type, isVoid: true, data, fragments } : { object: 'block', type, isVoid: true, data };
export const inline = (type: string, data: Data, nodes: InlineNode[]): Inline => ({
  object: 'inline',
  type,
  isVoid: false,
  data,
  nodes,
});
export const voidInline = (type: string, data: Data, fragments?: Fragment[]): Inline =>
  fragments
    ? { object: 'inline', type, isVoid: true, data, fragments }
    : { object: 'inline', type, isVoid: true, data };
export const fragment = (name: string, nodes: Node[]): Fragment => ({ object: 'fragment', fragment: name, nodes });
export const paragraph = (nodes: InlineNode[], data: Data = {}): Block => block('paragraph', data, nodes);

/** True for a paragraph without any text. */
export function isEmptyParagraph(node: Block): boolean {
  if (node.type !== 'paragraph') return false;
  return (node.nodes ?? []).every((child) => child.object === 'text' && child.leaves.every((leaf) => leaf.text === ''));
}

/** The object without its `undefined` members, as JSON would keep it. */
export function compact(data: Data): Data {
  const out: Data = {};
  for (const key of Object.keys(data)) if (data[key] !== undefined) out[key] = data[key];
  return out;
}

/** What holds paragraphs holds at least one. */
export const orEmptyParagraph = (nodes: Block[]): Block[] => (nodes.length > 0 ? nodes : [paragraph([text('')])]);
