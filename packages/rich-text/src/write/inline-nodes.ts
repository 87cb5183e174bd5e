import { isRef } from '../model/json.js';
import { type Data, type Inline, type InlineNode, type Json, type Leaf } from '../model/types.js';
import { emojiCharacter, emojiName, maybeEmoji } from '../syntax/emoji.js';
import { type Md } from '../syntax/md.js';
import { unbroken } from '../syntax/spaces.js';
import { attributes, htmlText, literalText } from './attributes.js';
import { html, linkOf, optional, str, type WriteContext } from './context.js';

export type Place = { inHtml: boolean; before: InlineNode | undefined; after: InlineNode | undefined; alone: boolean };
type Phrasing = (ctx: WriteContext, nodes: readonly InlineNode[], inHtml?: boolean, plainEmoji?: boolean) => Md[];

/** One inline to phrasing. */
export function writeInline(ctx: WriteContext, node: Inline, place: Place, phrasing: Phrasing): Md[] {
  const { data } = node;
  switch (node.type) {
    case 'link':
      return [
        {
          type: 'link',
          url: linkOf(ctx, data['ref']).url,
          title: optional(data['title']) ?? null,
          children: phrasing(ctx, node.nodes ?? [], place.inHtml, true),
        },
      ];
    case 'mention':
      return [mention(ctx, data, place.inHtml)];
    case 'inline-image':
      return [html(inlineImage(ctx, data))];
    case 'emoji':
      return [emoji(str(data['code']))];
    case 'icon':
      return [html(icon(data))];
    case 'inline-math':
      return [{ type: 'inlineMath', value: unbroken(str(data['formula'])), ...(place.alone && { name: 'element' }) }];
    case 'expression':
      return [html(`<code class="expression">${literalText(str(data['expression']))}</code>`)];
    case 'annotation':
      return annotation(ctx, node, place, phrasing);
    case 'anchor':
      return [html(`<a${attributes({ id: str(data['id']) })}></a>`)];
    case 'button':
      return [html(button(ctx, data))];
    default:
      return [
        html(`<!-- unsupported: ${node.type.replace(/[^\w-]/g, '')} -->`),
        ...unknown(ctx, node, place, phrasing),
      ];
  }
}

function mention(ctx: WriteContext, data: Data, inHtml: boolean): Md {
  const link = linkOf(ctx, data['ref']);
  const user = isRef(data['ref']) && data['ref'].kind === 'user';
  const label = (user ? '@' : '') + (optional(data['text']) ?? link.text ?? link.url);
  if (inHtml) return html(`<a data-mention${attributes({ href: link.url })}>${htmlText(label)}</a>`);
  return { type: 'link', url: link.url, title: user ? null : 'mention', children: [{ type: 'text', value: label }] };
}

function inlineImage(ctx: WriteContext, data: Data): string {
  const own = {
    src: linkOf(ctx, data['ref']).url,
    alt: str(data['alt']),
    title: optional(data['caption']),
    'data-size': optional(data['size']) ?? '',
  };
  const image = `<img${attributes(own)}>`;
  if (!isRef(data['refDark'])) return image;
  const source = `<source${attributes({ srcset: linkOf(ctx, data['refDark']).url, media: '(prefers-color-scheme: dark)' })}>`;
  return `<picture>${source}${image}</picture>`;
}

export function emoji(code: string): Md {
  const name = emojiName(code);
  if (name !== undefined) return { type: 'emoji', value: name, label: emojiCharacter(code) };
  return html(`<span data-gb-custom-inline${attributes({ 'data-tag': 'emoji', 'data-code': code })}></span>`);
}

function icon(data: Data): string {
  const name = str(data['icon']);
  const color = optional(data['color']);
  return `<i${attributes({ class: `fa-${name}`, style: color && `color:${color};` })}>${literalText(`:${name}:`).replaceAll('&#58;', ':')}</i>`;
}

/** A formula as an element, where dollars would not do. */
export const mathElement = (formula: string): string =>
  `<span${attributes({ 'data-tag': 'inline-math', 'data-formula': formula })}></span>`;

function annotation(ctx: WriteContext, node: Inline, place: Place, phrasing: Phrasing): Md[] {
  const label = String(ctx.footnotes.length + 1);
  const definition: Md = { type: 'footnoteDefinition', identifier: label, label, children: [] };
  ctx.footnotes.push(definition);
  definition.children = ctx.blocks((node.fragments ?? []).flatMap((part) => part.nodes));
  if (!place.inHtml && isLoneWord(node, place))
    return [...phrasing(ctx, node.nodes ?? [], false, true), { type: 'footnoteReference', identifier: label, label }];
  return [
    html(`<span${attributes({ 'data-footnote': label })}>`),
    ...phrasing(ctx, node.nodes ?? [], place.inHtml, true),
    html('</span>'),
  ];
}

/** The text of an inline this package does not know; what its fragments say is a note on it. */
function unknown(ctx: WriteContext, node: Inline, place: Place, phrasing: Phrasing): Md[] {
  const isNoted = (node.fragments ?? []).some((part) => part.nodes.length > 0);
  return isNoted ? annotation(ctx, node, place, phrasing) : phrasing(ctx, node.nodes ?? [], place.inHtml);
}

/** True when the marker alone tells which text is meant: one word, with space or text of other marks before it. */
function isLoneWord(node: Inline, place: Place): boolean {
  const [only, ...others] = node.nodes ?? [];
  if (others.length > 0 || only?.object !== 'text' || only.leaves.length !== 1) return false;
  const [word] = only.leaves;
  if (!word || !/^\S+$/.test(word.text) || maybeEmoji(word.text)) return false;
  return endsBefore(word, place.before) && !/^[:([]/.test(edge(place.after, 'start')?.text ?? '');
}

/** True when what stands before a word is not read as part of it. */
function endsBefore(word: Leaf, before: InlineNode | undefined): boolean {
  if (before === undefined) return true;
  const last = edge(before, 'end');
  if (!last || last.text === '') return false;
  // Spaces at the end of code stay in it; those of other marks are written behind them.
  const isCode = last.marks.some((mark) => mark.type === 'code');
  return (/\s$/.test(last.text) && !isCode) || (last.marks.length === 0) !== (word.marks.length === 0);
}

/** The leaf of a neighbour that touches; none when the neighbour is no text. */
function edge(node: InlineNode | undefined, side: 'start' | 'end'): Leaf | undefined {
  return node?.object === 'text' ? node.leaves.at(side === 'start' ? 0 : -1) : undefined;
}

function button(ctx: WriteContext, data: Data): string {
  const classes = `button ${optional(data['kind']) ?? 'primary'}`;
  const shared = { class: classes, 'data-size': optional(data['size']), 'data-icon': optional(data['icon']) };
  const label = literalText(str(data['label']));
  const { action } = data;
  if (typeof action !== 'object' || action === null || Array.isArray(action)) {
    const href = isRef(data['ref']) ? linkOf(ctx, data['ref']).url : undefined;
    return `<a${attributes({ href, ...shared })}>${label}</a>`;
  }
  const own: { [name: string]: Json | undefined } = {
    'data-action': action['action'],
    'data-query': action['query'],
    'data-slug': action['slug'],
  };
  return `<button${attributes({ type: 'button', class: classes, ...own, 'data-size': shared['data-size'], 'data-icon': shared['data-icon'] })}>${label}</button>`;
}
