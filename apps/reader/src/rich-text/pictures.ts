import { isSafeUrl, type Block, type Data, type Json } from '@scriptorium/rich-text';
import { blocksIn, isObject, isRef, oneOf, partOf, textIn } from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlElement, type HtmlNode, type Properties } from './html.js';
import type { RenderContext, ShownFile } from './render-context.js';

/** An image, with another one for dark surroundings if there is one; `undefined` for a file that is not shown. */
export function picture(ctx: Pick<RenderContext, 'fileOf'>, data: Data, names: string[] = []): HtmlElement | undefined {
  const file = shown(ctx, data['ref']);
  if (file === undefined) return undefined;
  const image = el('img', {
    src: file.url,
    alt: textIn(data, 'alt'),
    title: textIn(data, 'caption') || undefined,
    loading: 'lazy',
    decoding: 'async',
    ...sizeOf(data, file),
    ...classes(...names),
  });
  const dark = shown(ctx, data['refDark']);
  if (dark === undefined) return image;
  return el('picture', {}, el('source', { srcSet: [dark.url], media: '(prefers-color-scheme: dark)' }), image);
}

/** The file or image that a value refers to, with an address that browsers may load. */
export function shown(ctx: Pick<RenderContext, 'fileOf'>, ref: Json | undefined): ShownFile | undefined {
  const file = isRef(ref) ? ctx.fileOf(ref) : undefined;
  return file !== undefined && isSafeUrl(file.url) ? file : undefined;
}

/** The size that the author has given, else that of the file, so that the page does not move when it is loaded. */
function sizeOf(data: Data, file: ShownFile): Properties {
  const [width, height] = [lengthOf(data['width']), lengthOf(data['height'])];
  if (width !== undefined || height !== undefined) return { width, height };
  const { width: own, height: high } = file;
  return own === undefined || high === undefined ? {} : { width: Math.round(own), height: Math.round(high) };
}

/** A length as an attribute: a number of pixels, or a part of the width. */
export function lengthOf(value: Json | undefined): string | number | undefined {
  if (typeof value === 'number') return value > 0 ? Math.min(Math.round(value), 4_000) : undefined;
  if (!isObject(value) || typeof value['value'] !== 'number' || value['value'] <= 0) return undefined;
  const number = Math.round(value['value']);
  return value['unit'] === '%' ? `${Math.min(number, 100)}%` : Math.min(number, 4_000);
}

/** Images in a row, each with its caption. */
export function images(ctx: RenderContext, node: Block): HtmlNode[] {
  const { data } = node;
  const figures = blocksIn(node, 'image').flatMap((image) => figure(ctx, image));
  const others = (node.nodes ?? []).filter((child) => child.object !== 'block' || child.type !== 'image');
  const align = oneOf(data, 'align', ['left', 'right', 'center']);
  const style = classes(
    'images',
    align && `images-${align}`,
    data['fullWidth'] === true && 'full-width',
    data['withFrame'] === true && 'framed',
  );
  return [...(figures.length === 0 ? [] : [el('div', style, figures)]), ...ctx.blocks(others)];
}

function figure(ctx: RenderContext, image: Block): HtmlNode[] {
  const shownImage = picture(ctx, image.data);
  const caption = ctx.blocks(partOf(image, 'caption'));
  if (shownImage === undefined && caption.length === 0) return [];
  return [el('figure', {}, shownImage, caption.length === 0 ? undefined : el('figcaption', {}, caption))];
}

/** A drawing is a file that is an image. */
export function drawing(ctx: RenderContext, { data }: Block): HtmlNode[] {
  const image = picture(ctx, data);
  return image === undefined ? [] : [el('div', classes('images'), el('figure', {}, image))];
}

/** A file to load. */
export function file(ctx: RenderContext, node: Block): HtmlNode[] {
  const found = shown(ctx, node.data['ref']);
  const caption = ctx.blocks(partOf(node, 'caption'));
  if (found === undefined) return caption;
  const size = found.size === undefined ? undefined : el('small', {}, ` ${sizeText(found.size)}`);
  return [
    el(
      'figure',
      classes('card', 'file'),
      el('a', { href: found.url, download: '' }, found.name),
      size,
      captioned(caption),
    ),
  ];
}

function captioned(caption: HtmlNode[]): HtmlNode | undefined {
  return caption.length === 0 ? undefined : el('figcaption', {}, caption);
}

/** A number of bytes as people read it. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** step;
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`;
}
