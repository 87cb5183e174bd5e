import type { Block, Data, Json } from '@scriptorium/rich-text';
import { blocksIn, isObject, isRef, partOf, textIn } from '@scriptorium/rich-text/reading';
import type { SheetContext } from './sheet-context.js';
import type { SheetElement, SheetNode } from './sheet-nodes.js';
import { cleanText } from './texts.js';

const pointsOfPixel = 0.75;

/** A picture of a file of the space; `undefined` for what is none. Addresses elsewhere are never fetched. */
export function pictureOf(ctx: SheetContext, data: Data): SheetElement | undefined {
  const ref = data['ref'];
  if (!isRef(ref) || ref.kind !== 'file' || typeof ref['file'] !== 'string') return undefined;
  if (ref['space'] !== undefined && ref['space'] !== ctx.space) return undefined;
  const id = ref['file'];
  const file = Object.hasOwn(ctx.files, id) ? ctx.files[id] : undefined;
  if (file?.isPicture !== true) return undefined;
  ctx.pictures.add(id);
  const alt = cleanText(textIn(data, 'alt'), ctx.breaking);
  return { t: 'picture', f: id, ...(alt === '' ? {} : { alt }), ...sizeOf(data, file.width) };
}

/** The width in points, or as a part of what is around it. */
function sizeOf(data: Data, own: number | undefined): { w?: number; part?: number } {
  const given: Json | undefined = data['width'];
  const [value, unit] = isObject(given) ? [given['value'], given['unit']] : [given, undefined];
  if (typeof value === 'number' && value > 0)
    return unit === '%' ? { part: Math.min(value, 100) / 100 } : { w: Math.min(value, 4_000) * pointsOfPixel };
  return own === undefined ? {} : { w: own * pointsOfPixel };
}

/** Pictures side by side, each with its caption. */
export function pictures(ctx: SheetContext, node: Block): SheetNode[] {
  const shown = blocksIn(node, 'image').flatMap((image) => figure(ctx, image));
  const others = ctx.blocks(
    ctx,
    (node.nodes ?? []).filter((child) => child.object !== 'block' || child.type !== 'image'),
  );
  const perRow = 4;
  const rows: SheetNode[] = [];
  for (let start = 0; start < shown.length; start += perRow) {
    const row = shown.slice(start, start + perRow);
    const [only] = row;
    rows.push(row.length === 1 && only !== undefined ? only : { t: 'pictures', i: row });
  }
  return [...rows, ...others];
}

/** A picture with its caption. One that is not a file of the space is its alt text, with a link to its address. */
export function figure(ctx: SheetContext, { data, ...node }: Block): SheetNode[] {
  const caption = ctx.blocks(ctx, partOf({ data, ...node }, 'caption'));
  const found = pictureOf(ctx, data);
  const more = caption.length === 0 ? {} : { caption };
  if (found !== undefined) return [{ ...found, ...more }];
  const alt = cleanText(textIn(data, 'alt'), ctx.breaking);
  return [...(alt === '' ? [] : [{ t: 'small', c: alt }]), ...caption];
}
