import { emojiByName, emojiCharacter } from './emoji.js';
import { trimmedEnd, trimmedStart, unbroken } from './spaces.js';

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
  /** Offsets in the source of what a container or an inline element encloses. */
  inner?: { start: number; end: number };
  position?: { start: { offset?: number }; end: { offset?: number } };
};

export type Attributes = { [name: string]: string };

export const mdText = (value: string): Md => ({ type: 'text', value });

/** True for text that is nothing but layout. A protected space is no layout. */
export const isBlank = (node: Md): boolean => node.type === 'text' && !/[^ \t\r\n]/.test(node.value ?? '');

/** What stands between HTML tags, as one line: a line ending is a space, and spaces at the ends are layout. */
export function oneLine(nodes: Md[]): Md[] {
  const out = nodes.map((node) =>
    node.type === 'text'
      ? { ...node, value: (node.value ?? '').replace(/[ \t\r\n]+/g, (run) => (/[\r\n]/.test(run) ? ' ' : run)) }
      : node,
  );
  trimEnd(out, trimmedStart);
  trimEnd(out.toReversed(), trimmedEnd);
  return out;
}

/** Trims the texts at one end, up to the first that says something. */
function trimEnd(nodes: Md[], trimmed: (text: string) => string): void {
  for (const node of nodes) {
    if (node.type !== 'text') return;
    node.value = trimmed(node.value ?? '');
    if (node.value !== '') return;
  }
}

/** A set of names, as they stand in a list. */
export const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const BLOCK_ELEMENTS = names(
  'address article aside blockquote body caption center colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr html iframe legend li main menu nav ol optgroup option p pre script section select style summary table tbody td template textarea tfoot th thead title tr ul video audio',
);
/** The nodes that stand among text. */
export const PHRASING = names(
  'text emphasis strong delete inlineCode break image imageReference link linkReference footnoteReference emoji inlineMath',
);
/** The name of an empty text where one piece of HTML ended: text before and after it is not one paragraph. */
export const BOUNDARY = 'boundary';

/** True for an element or node that stands among text rather than between paragraphs. */
export function isInlineLevel(node: Md): boolean {
  if (node.type === 'element') return !BLOCK_ELEMENTS.has(node.name ?? '');
  return PHRASING.has(node.type);
}

/** True for what the anchor of a link can name. */
export const isAnchorId = (id: string | undefined): id is string => id !== undefined && /^\S{1,256}$/.test(id);

/** What is read where it is referred to, not where it stands. */
export const DEFINITIONS: ReadonlySet<string> = new Set(['definition', 'footnoteDefinition', 'yaml']);

/** What stands for a picture where there is none: the words for it, and those below it. */
export const insteadOf = (alt: string | null | undefined, title: string | null | undefined): string =>
  unbroken([alt, title].filter(Boolean).join(' '));

/**
 * What a node holds, and before that the caption and the title of a tag, as paragraphs: to text a tag is what stands
 * inside.
 */
export function shownIn({ type, attributes = {}, children = [] }: Md): Md[] {
  if (type !== 'container') return children;
  const named = [attributes['caption'], attributes['title']].flatMap((value) => value || []);
  return [...named.map((value) => ({ type: 'paragraph', children: [mdText(value)] })), ...children];
}

/** All text under a node, as it stands. */
export function stringOf(node: Md): string {
  if (node.type === 'break' || node.name === 'br') return '\n';
  if (node.type === 'emoji') return emojiCharacter(emojiByName(node.value ?? '') ?? '');
  if (node.type === 'image' || node.type === 'imageReference') return insteadOf(node.alt, node.title);
  if (node.name === 'img') return insteadOf(node.attributes?.['alt'], node.attributes?.['title']);
  if (DEFINITIONS.has(node.type)) return '';
  return node.children ? textUnder(shownIn(node)) : (node.value ?? '');
}

const isSpace = (character: string): boolean => /\s/.test(character);

/** The texts of siblings, blocks on lines of their own. */
function textUnder(nodes: Md[]): string {
  let text = '';
  let last = '\n';
  let wasInline = true;
  for (const node of nodes) {
    const own = stringOf(node);
    const inline = (isInlineLevel(node) || node.type === 'tag' || node.type === 'html') && node.name !== BOUNDARY;
    if (own !== '') {
      const together = (inline && wasInline) || isSpace(last) || isSpace(own.charAt(0));
      text += (together ? '' : '\n') + own;
      last = own.charAt(own.length - 1);
      wasInline = inline;
    } else if (!inline) wasInline = false;
  }
  return text;
}
