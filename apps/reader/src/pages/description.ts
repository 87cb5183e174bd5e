import type { Node, RichDocument } from '@scriptorium/rich-text';
import type { DocumentPage } from '../visit/pages.js';

/** Characters of a description that search engines show. */
const longest = 160;

/** The beginning of the first paragraph of a page, for one without a description. Pure. */
export function descriptionOf({ document }: DocumentPage): string | undefined {
  const { nodes = [] } = (document as RichDocument | undefined) ?? {};
  for (const node of nodes) {
    if (node.object !== 'block' || node.type !== 'paragraph') continue;
    const text = textOf(node).replaceAll(/\s+/g, ' ').trim();
    if (text !== '') return shortened(text);
  }
  return undefined;
}

function textOf(node: Node): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  return (node.nodes ?? []).map(textOf).join('');
}

/** Cuts a text between two words. */
function shortened(text: string): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > longest / 2 ? end : longest)}…`;
}
