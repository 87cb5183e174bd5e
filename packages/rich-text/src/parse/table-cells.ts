import { type ContentRef, type Json, type TableColumn } from '../model/types.js';
import { refOf, type ParseContext } from './context.js';
import { stringOf, type Md } from './md.js';
import { type ReadCell } from './table-model.js';

const textIn = (node: Md): string =>
  stringOf(node)
    .replace(/\s+/g, ' ')
    .trim();

function findAll(node: Md, test: (node: Md) => boolean): Md[] {
  return (node.children ?? []).flatMap((child) => (test(child) ? [child] : findAll(child, test)));
}

/** One cell of an HTML table by the type of its column. A value that does not fit the type is kept as text. */
export function cellOf(ctx: ParseContext, cell: Md | undefined, column: Omit<TableColumn, 'id'>): ReadCell {
  if (column.type === 'text') return ctx.blocks(cell?.children ?? []);
  const value = cell ? valueOf(ctx, cell, column) : undefined;
  return { value };
}

function valueOf(ctx: ParseContext, cell: Md, column: Omit<TableColumn, 'id'>): Json | undefined {
  const plain = textIn(cell);
  switch (column.type) {
    case 'number':
    case 'rating':
      return plain === '' ? undefined : Number.isFinite(Number(plain)) ? Number(plain) : plain;
    case 'checkbox':
      return checkbox(cell, plain);
    case 'select':
      return select(cell, plain);
    case 'users':
    case 'files': {
      const refs = references(ctx, cell);
      return refs.length > 0 ? refs : plain || undefined;
    }
    default: {
      const [ref] = references(ctx, cell);
      return ref ?? (plain || undefined);
    }
  }
}

function checkbox(cell: Md, plain: string): Json | undefined {
  const [box] = findAll(cell, (node) => node.name === 'input');
  if (box) return 'checked' in (box.attributes ?? {});
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return plain || undefined;
}

function select(cell: Md, plain: string): Json | undefined {
  const options = findAll(cell, (node) => node.attributes?.['data-option'] !== undefined).map((node) => node.attributes?.['data-option'] ?? '');
  if (options.length > 0) return options;
  return plain || undefined;
}

/** What links and images in a cell point at. A label that is not the URL itself stays with the reference as `title`. */
function references(ctx: ParseContext, cell: Md): ContentRef[] {
  const targets = findAll(cell, (node) => node.name === 'a' || node.name === 'img' || node.type === 'link' || node.type === 'image');
  return targets.flatMap((node) => {
    const attributes = node.attributes ?? {};
    const picture = node.name === 'img' || node.type === 'image';
    const url = node.url ?? (picture ? attributes['src'] : attributes['href']);
    const ref = refOf(ctx, url, picture ? 'image' : 'data-mention' in attributes ? 'mention' : 'link');
    const label = picture ? (node.alt ?? attributes['alt'] ?? '') : textIn(node);
    if (!ref) return label === '' ? [] : [{ kind: 'unresolved', title: label }];
    return [label === '' || label === url ? ref : { ...ref, title: label }];
  });
}
