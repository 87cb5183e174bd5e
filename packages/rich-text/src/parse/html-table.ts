import { compact } from '../model/build.js';
import { RichTextError } from '../model/errors.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { type ParseContext } from './context.js';
import { length } from './images.js';
import { lineOf } from './elements.js';
import { type Md } from './md.js';
import { cellOf } from './table-cells.js';
import { withChosenOptions } from './cell-options.js';
import { buildTable, type ReadCell, type ReadColumn } from './table-model.js';

const TYPES = new Set(['text', 'number', 'checkbox', 'files', 'users', 'rating', 'select', 'content-ref', 'image']);

/** Every element of a name under `node`, not looking inside nested tables. */
function find(node: Md, name: string): Md[] {
  return (node.children ?? []).flatMap((child) => (child.name === name ? [child] : child.name === 'table' ? [] : find(child, name)));
}

const cellsOf = (row: Md | undefined): Md[] => (row?.children ?? []).filter((child) => child.name === 'td' || child.name === 'th');

/** An HTML table: a grid, or cards. What stands in it outside every cell follows it. */
export function htmlTable(ctx: ParseContext, node: Md): Block[] {
  const attributes = node.attributes ?? {};
  const all = find(node, 'tr');
  const head = find(node, 'thead').flatMap((part) => find(part, 'tr'));
  const [first] = all;
  const titled = head[0] ?? (first && cellsOf(first).every((cell) => cell.name === 'th') ? first : undefined);
  const rows = all.filter((row) => row !== titled);
  const headers = cellsOf(titled);
  const grid = layOut(rows, headers.length, ctx.limits.maxNodes);
  const width = Math.max(headers.length, ...grid.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, i) => withChosenOptions(columnOf(headers[i]), grid.map((row) => row[i])));
  const cells = grid.map((row): ReadCell[] => columns.map((read, i) => cellOf(ctx, row[i], read.column)));
  const stray = strayOf(node);
  const tables = width > 0 ? [buildTable(ctx, columns, cells, viewOf(attributes, titled === undefined), optionsOf(attributes))] : [];
  return [...tables, ...ctx.blocks(stray)];
}

function viewOf(attributes: NonNullable<Md['attributes']>, untitled: boolean): Data {
  const flag = (name: string): boolean | undefined => (attributes[name] === 'true' ? true : attributes[name] === 'false' ? false : undefined);
  if (attributes['data-view'] === 'cards') {
    const size = attributes['data-card-size'] === 'large' ? 'large' : 'medium';
    return { type: 'cards', cardSize: size, wrap: flag('data-card-wrap'), hideColumnTitle: flag('data-card-hide-titles') };
  }
  return {
    type: 'grid',
    hideHeader: untitled || 'data-header-hidden' in attributes,
    stickyHeader: 'data-sticky-header' in attributes ? true : undefined,
    stickyFirstColumn: 'data-sticky-first-column' in attributes ? true : undefined,
  };
}

function optionsOf(attributes: NonNullable<Md['attributes']>): Data {
  const search = attributes['data-search'];
  return compact({
    fullWidth: attributes['data-full-width'] === 'true' ? true : undefined,
    search: search === undefined ? undefined : search !== 'false',
    cellMerges: parsed(attributes['data-cell-merges']),
  });
}

function parsed(value: string | undefined): Json | undefined {
  try {
    return value === undefined ? undefined : (JSON.parse(value) as Json);
  } catch {
    return undefined;
  }
}

/**
 * Rows as cells in their columns: a cell that spans several leaves the others empty. At most 100 columns are spanned. Every row has as
 * many cells as the longest, `headers` at least, so a short text can have more of them than there are letters in it: at most `most`.
 */
function layOut(rows: Md[], headers: number, most: number): Array<Array<Md | undefined>> {
  const freeFrom: number[] = [];
  const check = (width: number): void => {
    if (width * rows.length > most) throw new RichTextError('too_complex', `A table has more than ${most} cells.`);
  };
  check(headers);
  return rows.map((row, at) => {
    const out: Array<Md | undefined> = [];
    for (const cell of cellsOf(row)) {
      while ((freeFrom[out.length] ?? 0) > at) out.push(undefined);
      const columns = count(cell.attributes?.['colspan'], 1);
      const below = at + count(cell.attributes?.['rowspan'], 1);
      for (let i = 0; i < columns; i++) {
        freeFrom[out.length] = below;
        out.push(i === 0 ? cell : undefined);
      }
      check(out.length);
    }
    return out;
  });
}

/** A number of an attribute, 1 to 100. */
const count = (value: string | undefined, otherwise: number): number => Math.min(Math.max(Number.parseInt(value ?? '', 10) || otherwise, 1), 100);

function columnOf(cell: Md | undefined): ReadColumn {
  const attributes = cell?.attributes ?? {};
  const select = cell ? find(cell, 'select')[0] : undefined;
  const named = attributes['data-type'] ?? '';
  const type = select ? 'select' : TYPES.has(named) ? named : 'text';
  const title = lineOf((cell?.children ?? []).filter((child) => child !== select));
  const align = attributes['align']?.toLowerCase();
  const column = compact({
    title,
    type,
    textAlignment: type === 'text' && (align === 'left' || align === 'center' || align === 'right') ? align : undefined,
    verticalAlignment: ['top', 'middle', 'bottom'].find((value) => value === attributes['valign']),
    ...typeOptions(type, attributes, select),
  }) as ReadColumn['column'];
  return { column, hidden: 'data-hidden' in attributes, width: length(attributes['width']), role: roleOf(attributes) };
}

function roleOf(attributes: NonNullable<Md['attributes']>): ReadColumn['role'] {
  if ('data-card-target' in attributes) return 'target';
  if ('data-card-cover-dark' in attributes) return 'coverDark';
  return 'data-card-cover' in attributes ? 'cover' : undefined;
}

function typeOptions(type: string, attributes: NonNullable<Md['attributes']>, select: Md | undefined): Data {
  if (type === 'rating') return { max: count(attributes['data-max'], 5) };
  if (type === 'users') return { multiple: 'data-multiple' in attributes };
  if (type !== 'select') return {};
  const options = select ? find(select, 'option') : [];
  return {
    multiple: 'multiple' in (select?.attributes ?? attributes),
    options: options.map((option) => {
      const { value, label = '', color } = option.attributes ?? {};
      const names = [...new Set([label, lineOf(option.children ?? [])])].filter((name) => name !== '').join(' ');
      return compact({ value: value ?? names, label: names, color });
    }),
  };
}

/** Content of a table that is in no row: a caption, or markdown that ended up between rows. */
function strayOf(node: Md): Md[] {
  return (node.children ?? []).flatMap((child): Md[] => {
    if (child.name === 'caption') return [{ ...child, name: 'p' }];
    if (child.name === 'tr') return strayOf({ ...child, children: (child.children ?? []).filter((cell) => cell.name !== 'td' && cell.name !== 'th') });
    if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') return strayOf(child);
    return child.name === 'colgroup' || child.name === 'col' || (child.type === 'text' && (child.value ?? '').trim() === '') ? [] : [child];
  });
}
