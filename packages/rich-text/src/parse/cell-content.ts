import { mdText, names, type Md } from '../syntax/md.js';
import { lineOf, nestElements } from './elements.js';

/**
 * What a cell says: its text on one line, and what stands among the text (links, images, boxes, options, notes, lists,
 * …).
 */
export type Content = { text: string; nodes: Md[] };

/** The type of a node, or the tag of an element. */
export const nameOf = (node: Md): string => (node.type === 'element' ? `<${node.name ?? ''}>` : node.type);

/** What says how text looks, or holds a line of it. */
const TRANSPARENT = names(
  'paragraph emphasis strong delete <p> <div> <span> <b> <strong> <i> <em> <s> <del> <strike> <u> <ins> <small> <big> <font> <mark> <sub> <sup> <kbd> <code>',
);
const LINES = names('paragraph <p> <div>');
const TEXT = names('text break emoji inlineCode <br>');
/** What may stand between the values of one cell. */
const SEPARATORS = /^[\s,;]*$/;

/** The children of a node of a cell, elements put together. */
export const nested = (node: Md): Md[] => nestElements(node.children ?? [], node.type !== 'element');

/** Spans, italics and code that the format uses for something else than text. */
function isOther({ attributes = {} }: Md): boolean {
  return (
    ['data-option', 'data-tag', 'data-footnote'].some((name) => name in attributes) ||
    /\bfa-|\bexpression\b/.test(attributes['class'] ?? '')
  );
}

/** What a cell, or a part of one, says. */
export function contentOf(node: Md): Content {
  const text: Md[] = [];
  const nodes: Md[] = [];
  const visit = (child: Md): void => {
    const name = nameOf(child);
    if (TEXT.has(name)) text.push(child);
    else if (!TRANSPARENT.has(name) || isOther(child)) nodes.push(child);
    else {
      const space = LINES.has(name) ? [mdText(' ')] : [];
      text.push(...space);
      nested(child).forEach(visit);
      text.push(...space);
    }
  };
  nested(node).forEach(visit);
  return { text: lineOf(text), nodes };
}

export const isEmpty = ({ text, nodes }: Content): boolean => nodes.length === 0 && text === '';
export const isOne = ({ text, nodes }: Content): boolean => nodes.length === 1 && text === '';
/** True where nodes stand with nothing but separators between them. */
export const areSeveral = ({ text, nodes }: Content): boolean => nodes.length > 0 && SEPARATORS.test(text);

/** What `read` makes of all nodes; undefined when there is one of which it makes nothing. */
export function all<T>(nodes: Md[], read: (node: Md) => T | undefined): T[] | undefined {
  const out = nodes.map(read);
  return out.every((item) => item !== undefined) ? out : undefined;
}
