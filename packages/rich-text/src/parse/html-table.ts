import { append } from '../model/append.js';
import { compact } from '../model/build.js';
import { RichTextError } from '../model/errors.js';
import { type Block, type Data, type Json } from '../model/types.js';
import { BOUNDARY, mdText, type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';
import { length } from './images.js';
import { lineOf } from './elements.js';
import { cellOf } from './table-cells.js';
import { withChosenOptions } from './cell-options.js';
import { buildTable, widest, type ReadCell, type ReadColumn } from './table-model.js';

const TYPES = new Set(['text', 'number', 'checkbox', 'files', 'users', 'rating', 'select', 'content-ref', 'image']);

/** Every element of a name under `node`, not looking inside nested tables. */
function find(node: Md, name: string): Md[] {
  return (node.children ?? []).flatMap((child) =>
    child.name === name ? [child] : child.name === 'table' ? [] : find(child, name),
  );
}

const cellsOf = (row: Md | undefined): Md[] => (row?.children ?? []).filter((child) => CELLS.has(child.name ?? ''));

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
  const width = widest([headers, ...grid]);
  const columns = Array.from({ length: width }, (_, i) =>
    withChosenOptions(
      columnOf(headers[i]),
      grid.map((row) => row[i]),
    ),
  );
  const cells = grid.map((row): ReadCell[] => columns.map((read, i) => cellOf(ctx, row[i], read.column)));
  const stray = strayOf(node);
  const tables =
    width > 0 ? [buildTable(ctx, columns, cells, viewOf(attributes, titled === undefined), optionsOf(attributes))] : [];
  return [...tables, ...ctx.blocks(stray)];
}

function viewOf(attributes: NonNullable<Md['attributes']>, untitled: boolean): Data {
  const flag = (name: string): boolean | undefined =>
    attributes[name] === 'true' ? true : attributes[name] === 'false' ? false : undefined;
  if (attributes['data-view'] === 'cards') {
    const size = attributes['data-card-size'] === 'large' ? 'large' : 'medium';
    return {
      type: 'cards',
      cardSize: size,
      wrap: flag('data-card-wrap'),
      hideColumnTitle: flag('data-card-hide-titles'),
    };
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
 * Rows as cells in their columns: a cell that spans several leaves the others empty. At most 100 columns are spanned.
 * Every row has as many cells as the longest, `headers` at least, so a short text can have more of them than there are
 * letters in it: at most `most`.
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
const count = (value: string | undefined, otherwise: number): number =>
  Math.min(Math.max(Number.parseInt(value ?? '', 10) || otherwise, 1), 100);

function columnOf(cell: Md | undefined): ReadColumn {
  const attributes = cell?.attributes ?? {};
  const select = cell ? find(cell, 'select')[0] : undefined;
  const named = attributes['data-type'] ?? '';
  const type = select ? 'select' : TYPES.has(named) ? named : 'text';
  const options = select ? find(select, 'option') : [];
  const title = lineOf(without(new Set(options), cell?.children ?? []));
  const column = compact({
    title,
    type,
    ...alignmentOf(type, attributes),
    ...typeOptions(type, select?.attributes ?? attributes, options),
  }) as ReadColumn['column'];
  return { column, hidden: 'data-hidden' in attributes, width: length(attributes['width']), role: roleOf(attributes) };
}

function alignmentOf(type: string, attributes: NonNullable<Md['attributes']>): Data {
  const align = attributes['align']?.toLowerCase();
  return {
    textAlignment: type === 'text' ? ['left', 'center', 'right'].find((value) => value === align) : undefined,
    verticalAlignment: ['top', 'middle', 'bottom'].find((value) => value === attributes['valign']),
  };
}

function roleOf(attributes: NonNullable<Md['attributes']>): ReadColumn['role'] {
  if ('data-card-target' in attributes) return 'target';
  if ('data-card-cover-dark' in attributes) return 'coverDark';
  return 'data-card-cover' in attributes ? 'cover' : undefined;
}

/** The nodes but for `gone`, wherever among them those are. */
function without(gone: ReadonlySet<Md>, nodes: Md[]): Md[] {
  return nodes
    .filter((node) => !gone.has(node))
    .map((node) => (node.children ? { ...node, children: without(gone, node.children) } : node));
}

function typeOptions(type: string, attributes: NonNullable<Md['attributes']>, options: Md[]): Data {
  if (type === 'rating') return { max: count(attributes['data-max'], 5) };
  if (type === 'users') return { multiple: 'data-multiple' in attributes };
  if (type !== 'select') return {};
  return {
    multiple: 'multiple' in attributes,
    options: options.map((option) => {
      const { value, label = '', color } = option.attributes ?? {};
      const names = [...new Set([label, lineOf(option.children ?? [])])].filter((name) => name !== '').join(' ');
      return compact({ value: value ?? names, label: names, color });
    }),
  };
}

const SECTIONS = new Set(['thead', 'tbody', 'tfoot', 'colgroup', 'tr']);
const CELLS = new Set(['td', 'th']);

/**
 * Content of a table that is in no cell: a caption, or what ended up around rows and cells, each piece apart from the
 * next.
 */
function strayOf(node: Md): Md[] {
  const out: Md[] = [];
  const end: Md = { ...mdText(''), name: BOUNDARY };
  for (const child of node.children ?? []) {
    const name = child.name ?? '';
    if (name === 'col' || (node.name === 'tr' && CELLS.has(name))) out.push(end);
    else if (SECTIONS.has(name) || (name !== 'table' && find(child, 'tr').length > 0))
      append(out, [end, ...strayOf(child), end]);
    else out.push(name === 'caption' ? { ...child, name: 'p' } : child);
  }
  return out;
}
