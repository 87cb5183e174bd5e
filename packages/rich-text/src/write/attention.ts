import { type Md } from '../syntax/md.js';
import { html } from './context.js';

/** Emphasis that underscores cannot mark, as it begins or ends within a word. */
export const WITHIN_WORD = 'within-word';

const ELEMENTS: { [type: string]: string } = { strong: 'strong', emphasis: 'em', delete: 'del' };

/**
 * True for what markdown takes for a part of a word: letters of all scripts, and those without spaces between words,
 * too.
 */
const isLetter = (character: string): boolean => character !== '' && !/[\s\p{P}\p{S}]/u.test(character);

const endOf = (node: Md | undefined): string => (node?.type === 'text' ? (node.value ?? '').slice(-1) : '');
const startOf = (node: Md | undefined): string => (node?.type === 'text' ? (node.value ?? '').slice(0, 1) : '');

/**
 * Phrasing in which emphasis that touches words is written as people write it: with asterisks, or as an element where
 * it begins or ends with punctuation, since markdown reads no markers there. Otherwise characters beside it would have
 * to be written as references.
 */
export function readableAttention(nodes: readonly Md[]): Md[] {
  return nodes.flatMap((node, at) => {
    const element = ELEMENTS[node.type];
    if (element === undefined) return [node];
    const children = readableAttention(node.children ?? []);
    const sides = [
      { outside: endOf(nodes[at - 1]), inside: startOf(children[0]) },
      { outside: startOf(nodes[at + 1]), inside: endOf(children[children.length - 1]) },
    ].filter(({ outside }) => isLetter(outside));
    if (sides.some(({ inside }) => !isLetter(inside)))
      return [html(`<${element}>`), ...children, html(`</${element}>`)];
    return [{ ...node, children, ...(node.type === 'emphasis' && sides.length > 0 && { name: WITHIN_WORD }) }];
  });
}
