import { block, compact, voidBlock } from '../model/build.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { isBlank, isInlineLevel, mdText, oneLine, type Md } from '../syntax/md.js';
import { captionOf } from './code.js';
import { refOf, type ParseContext } from './context.js';
import { pictureParts } from './inline-elements.js';
import { inlines } from './inlines.js';

/** The block of one or more pictures; null when one of them has no target, so that its text is kept instead. */
export function imagesOf(ctx: ParseContext, nodes: Md[], data: Data = {}): Block[] | null {
  const images = nodes.map((node) => imageOf(ctx, node));
  return images.every((image) => image !== null) && images.length > 0 ? [block('images', data, images)] : null;
}

function imageOf(ctx: ParseContext, node: Md): Block | null {
  if (node.type === 'image' || node.type === 'imageReference') {
    const target = node.url === undefined ? ctx.definitions.get(node.identifier ?? '') : node;
    return image(ctx, { src: target?.url, alt: node.alt ?? '', caption: target?.title ? [mdText(target.title)] : [] });
  }
  if (node.name !== 'figure') return imageElement(ctx, node, []);
  const children = node.children ?? [];
  const caption = children.find((child) => child.name === 'figcaption');
  const [picture] = picturesIn(children.filter((child) => child !== caption));
  return picture && !saysMore(children, [picture, caption]) ? imageElement(ctx, picture, captionText(caption)) : null;
}

/** True when something can be read, seen or followed among the nodes that is in none of the known ones. */
function saysMore(nodes: Md[], known: ReadonlyArray<Md | undefined>): boolean {
  return nodes.some((node) => {
    if (known.includes(node)) return false;
    if (node.name === 'a' && node.attributes?.['href']) return true;
    if (node.children && node.children.length > 0) return saysMore(node.children, known);
    return node.type === 'element' ? node.name === 'img' : (node.value ?? node.type).trim() !== '';
  });
}

function picturesIn(children: Md[]): Md[] {
  return children.flatMap((child) =>
    child.name === 'img' || child.name === 'picture' ? [child] : picturesIn(child.children ?? []),
  );
}

/** The inline content of a caption, whether or not it is wrapped in paragraphs. */
function captionText(caption: Md | undefined): Md[] {
  const children = (caption?.children ?? []).filter((child) => !isBlank(child));
  const lines = children.flatMap((child, index) => {
    if (isInlineLevel(child)) return [child];
    const line = oneLine(child.children ?? []);
    return index === 0 ? line : [{ type: 'break' }, ...line];
  });
  return oneLine(lines);
}

function imageElement(ctx: ParseContext, node: Md, caption: Md[]): Block | null {
  const parts = node.name === 'picture' ? pictureParts(node) : { image: node, dark: undefined };
  const attributes = parts.image?.attributes;
  if (!attributes || (node.name === 'picture' && saysMore(node.children ?? [], [parts.image]))) return null;
  const size = { width: length(attributes['width']), height: length(attributes['height']) };
  const { title } = attributes;
  return image(ctx, {
    src: attributes['src'],
    dark: parts.dark,
    alt: attributes['alt'] ?? '',
    caption: caption.length === 0 && title ? [mdText(title)] : caption,
    ...size,
  });
}

type Source = {
  src: string | undefined;
  dark?: string | undefined;
  alt: string;
  caption: Md[];
  width?: Json | undefined;
  height?: Json | undefined;
};

function image(ctx: ParseContext, source: Source): Block | null {
  const ref = refOf(ctx, source.src, 'image');
  if (!ref) return null;
  const refDark = refOf(ctx, source.dark, 'image') ?? undefined;
  const data = compact({ ref, refDark, alt: source.alt || undefined, width: source.width, height: source.height });
  return voidBlock('image', data, source.caption.length > 0 ? [captionOf(inlines(ctx, source.caption))] : undefined);
}

/** A length: a number of pixels, or a percentage with its unit. */
export function length(value: string | undefined): Json | undefined {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)(px|%)?$/.exec(value?.trim() ?? '');
  if (!match) return undefined;
  return match[2] === '%' ? { unit: '%', value: Number(match[1]) } : Number(match[1]);
}
