import { type InlineNode } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { trimmedEnd, trimmedStart } from '../syntax/spaces.js';
import { attributes, htmlText } from './attributes.js';
import { type WriteContext } from './context.js';
import { mathElement } from './inline-nodes.js';
import { phrasing } from './inlines.js';

const ELEMENTS: { [type: string]: string } = { strong: 'strong', emphasis: 'em', delete: 'del' };

/**
 * Inline nodes as HTML on one line, for captions, table cells and aligned text. Spaces at its ends would not be read
 * back.
 */
export function inlineHtml(ctx: WriteContext, nodes: readonly InlineNode[]): string {
  return trimmedEnd(trimmedStart(phrasing(ctx, nodes, true).map(toHtml).join('')));
}

function toHtml(node: Md): string {
  const element = ELEMENTS[node.type];
  const inner = (): string => (node.children ?? []).map(toHtml).join('');
  if (element) return `<${element}>${inner()}</${element}>`;
  switch (node.type) {
    case 'text':
      return htmlText(node.value ?? '');
    case 'break':
      return '<br>';
    case 'inlineCode':
      return `<code>${htmlText(node.value ?? '')}</code>`;
    case 'link':
      return `<a${attributes({ href: node.url, title: node.title })}>${inner()}</a>`;
    case 'emoji':
      return node.label ?? '';
    case 'inlineMath':
      return mathElement(node.value ?? '');
    default:
      return node.value ?? inner();
  }
}
