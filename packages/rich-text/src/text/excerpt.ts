import { type RichDocument } from '../model/types.js';
import { blockText } from './plain-text.js';

/** The first words of a document on one line, at most `length` UTF-16 units with the `…` that shows a cut. */
export function excerpt(document: RichDocument, length = 200): string {
  let text = '';
  for (const node of document.nodes) {
    if (node.type.startsWith('heading-') && text === '') continue;
    text = `${text} ${blockText(node)}`.replace(/\s+/g, ' ').trim();
    if (text.length > length) break;
  }
  return shorten(text || document.nodes.map(blockText).join(' ').replace(/\s+/g, ' ').trim(), length);
}

/** Cut at a word where one ends in the last third, never inside a surrogate pair. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text
    .slice(0, Math.max(length - 1, 0))
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > (cut.length * 2) / 3 ? cut.slice(0, space) : cut}…`.slice(0, Math.max(length, 0));
}
