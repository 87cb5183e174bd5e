import { isEmptyParagraph } from '../model/build.js';
import { isRef } from '../model/json.js';
import { type Block, type Node } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { attributes } from './attributes.js';
import { captionOf, html, linkOf, optional, str, type WriteContext } from './context.js';
import { inlineHtml } from './html.js';
import { lengthText } from './lengths.js';

/** A row of pictures; one without caption, text or options is a plain markdown image. */
export function images(ctx: WriteContext, node: Block): Md[] {
  const isImage = (child: Node): child is Block => child.object === 'block' && child.type === 'image';
  const nodes = node.nodes ?? [];
  // Blocks that nobody knows may stand in anything.
  return [...row(ctx, node, nodes.filter(isImage)), ...ctx.blocks(nodes.filter((child) => !isImage(child)))];
}

function row(ctx: WriteContext, node: Block, all: Block[]): Md[] {
  const [first] = all;
  if (!first) return [];
  const { align, fullWidth, withFrame } = node.data;
  const own = attributes({
    align: optional(align),
    'data-full-width': fullWidth === true ? 'true' : undefined,
    'data-with-frame': withFrame === true ? 'true' : undefined,
  });
  const simple =
    Object.keys(first.data).every((name) => name === 'ref') &&
    !first.fragments?.some((part) => !part.nodes.every((child) => child.object === 'block' && isEmptyParagraph(child)));
  if (all.length === 1 && own === '' && simple) {
    return [{ type: 'paragraph', children: [{ type: 'image', url: linkOf(ctx, first.data['ref']).url, alt: '' }] }];
  }
  const figures = all.map((image) => figure(ctx, image));
  return [html(all.length === 1 && own === '' ? figures.join('') : `<div${own}>${figures.join(' ')}</div>`)];
}

function figure(ctx: WriteContext, image: Block): string {
  const { data } = image;
  const own = {
    src: linkOf(ctx, data['ref']).url,
    alt: str(data['alt']),
    width: lengthText(data['width']),
    height: lengthText(data['height']),
  };
  const plain = `<img${attributes(own)}>`;
  const dark = isRef(data['refDark'])
    ? `<source${attributes({ srcset: linkOf(ctx, data['refDark']).url, media: '(prefers-color-scheme: dark)' })}>`
    : '';
  const caption = inlineHtml(ctx, captionOf(image));
  return `<figure>${dark === '' ? plain : `<picture>${dark}${plain}</picture>`}<figcaption>${caption === '' ? '' : `<p>${caption}</p>`}</figcaption></figure>`;
}
