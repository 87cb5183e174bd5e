import { emojiByName, emojiCharacter } from '../syntax/emoji.js';
import { trimmedEnd, trimmedStart } from '../syntax/spaces.js';

/** The syntax tree between text and document: mdast, our own nodes, and HTML elements, read through one loose type. */
export type Md = {
  type: string;
  children?: Md[];
  value?: string;
  depth?: number;
  ordered?: boolean | null;
  start?: number | null;
  checked?: boolean | null;
  lang?: string | null;
  meta?: string | null;
  url?: string;
  title?: string | null;
  alt?: string | null;
  identifier?: string;
  label?: string | null;
  align?: Array<string | null> | null;
  /** Of `tag`, `container` and `element`. */
  name?: string;
  attributes?: Attributes;
  /** The tag as it was written, for text that turns out not to be a tag. */
  raw?: string;
  /** Offsets in the source of what an inline element encloses. */
  inner?: { start: number; end: number };
  position?: { start: { offset?: number }; end: { offset?: number } };
};

export type Attributes = { [name: string]: string };

export const mdText = (value: string): Md => ({ type: 'text', value });

/** What stands between HTML tags, as one line: a line ending is a space, and spaces at the ends are layout. */
export function oneLine(nodes: Md[]): Md[] {
  const out = nodes.map((node) => (node.type === 'text' ? { ...node, value: (node.value ?? '').replace(/[ \t\r\n]+/g, (run) => (/[\r\n]/.test(run) ? ' ' : run)) } : node));
  const [first] = out;
  if (first?.type === 'text') first.value = trimmedStart(first.value ?? '');
  const last = out[out.length - 1];
  if (last?.type === 'text') last.value = trimmedEnd(last.value ?? '');
  return out;
}

/** All text under a node, as it stands. */
export function stringOf(node: Md): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'emoji') return emojiCharacter(emojiByName(node.value ?? '') ?? '');
  if (node.children) return node.children.map(stringOf).join('');
  return node.value ?? node.alt ?? '';
}
