import type { Block, Data, Json, Node } from '@scriptorium/rich-text';
import { isObject, isRef, textIn, shownTable, type ShownColumn, type ShownTable } from '@scriptorium/rich-text/reading';
import { plainText, linkTo } from './inlines.js';
import { resolvedIn } from './node-data.js';
import { pictureOf } from './pictures.js';
import { within, type SheetContext } from './sheet-context.js';
import type { SheetNode } from './sheet-nodes.js';
import { cleanText } from './texts.js';

const most = { rows: 5_000, columns: 200 };
/** Columns of an upright sheet, and of a landscape one. A table with more is a list of records. */
const fitting = { upright: 8, landscape: 20 };

/** A table; cards are a list of records, and so is what is too wide for a sheet. */
export function table(ctx: SheetContext, node: Block): SheetNode[] {
  const found = shownTable(node, most);
  const { columns, rows, view } = found;
  const inner = within(ctx);
  if (columns.length === 0 || rows.length === 0) return heads(ctx, found);
  const isRecords = view['type'] === 'cards' || columns.length > fitting.landscape || inner === undefined;
  if (isRecords) return records(inner ?? ctx, found);
  const isWide = columns.length > fitting.upright && ctx.depth === 0;
  const longest = Math.max(6, Math.floor((isWide ? 120 : 80) / columns.length));
  const narrow = { ...inner, breaking: { longest, part: Math.ceil(longest / 2) } };
  const isHeadless = view['hideHeader'] === true || columns.every(({ title }) => title === '');
  return [
    {
      t: 'table',
      w: widths(found),
      a: columns.map(({ data }) => alignment(data)),
      ...(isHeadless ? {} : { head: columns.map(({ title }) => [cleanText(title, narrow.breaking)]) }),
      ...(isWide ? { wide: true } : {}),
      rows: rows.map((row) => columns.map((column) => ({ c: cell(narrow, found, column, row) }))),
    },
  ];
}

/** What a table without rows says. */
function heads(ctx: SheetContext, { columns }: ShownTable): SheetNode[] {
  const titles = columns.map(({ title }) => cleanText(title, ctx.breaking)).filter((title) => title !== '');
  return titles.length === 0 ? [] : [{ t: 'p', c: [titles.join(' · ')] }];
}

function records(ctx: SheetContext, found: ShownTable): SheetNode[] {
  const rows = found.rows.map((row) =>
    found.columns.flatMap((column): SheetNode[] => {
      const value = cell(ctx, found, column, row);
      return value.length === 0 ? [] : [[cleanText(column.title, ctx.breaking), value]];
    }),
  );
  return [{ t: 'records', rows }];
}

function alignment(data: Data): string {
  const align = textIn(data, 'textAlignment');
  return align === 'center' ? 'center' : align === 'right' || align === 'end' ? 'end' : 'start';
}

const measuredRows = 200;

/** The widths of columns as parts: as given, else by how much stands in them. */
function widths({ view, columns, rows, cells }: ShownTable): number[] {
  const given = isObject(view['columnWidths']) ? view['columnWidths'] : {};
  const measured = rows.slice(0, measuredRows);
  const wants = columns.map(({ id, title }) => {
    const lengths = measured.map((row) => lengthOf(Object.hasOwn(row, id) ? row[id] : undefined, cells));
    const longest = Math.max(title.length * 1.2, ...lengths);
    return Math.min(Math.max(longest, 5), 45);
  });
  const sum = wants.reduce((a, b) => a + b, 0);
  return columns.map(({ id }, place) => {
    const width = Object.hasOwn(given, id) ? given[id] : undefined;
    const value = isObject(width) ? width['value'] : width;
    const isPart = isObject(width) && width['unit'] === '%' && typeof value === 'number';
    const want = isPart ? value / 100 : (wants[place] ?? 5) / sum;
    return Math.max(0.02, Math.min(want, 1));
  });
}

function lengthOf(value: Json | undefined, cells: ShownTable['cells']): number {
  const nodes = typeof value === 'string' ? cells.get(value) : undefined;
  if (nodes !== undefined) return Math.max(0, ...nodes.map((node) => Math.min(plainText(node).length, 100)));
  if (value === undefined || value === null) return 0;
  return Math.min((typeof value === 'string' ? value : JSON.stringify(value)).length, 30);
}

/** What a cell has: the blocks that its value names, or a value of the type of its column. */
function cell(ctx: SheetContext, { cells }: Pick<ShownTable, 'cells'>, column: ShownColumn, row: Data): SheetNode[] {
  const value = Object.hasOwn(row, column.id) ? row[column.id] : undefined;
  if (value === undefined || value === null) return [];
  const blocks = typeof value === 'string' ? cells.get(value) : undefined;
  if (blocks !== undefined) return cellBlocks(ctx, blocks);
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one, index) => [...(index === 0 ? [] : [', ']), ...valueOf(ctx, column, one)]);
}

function cellBlocks(ctx: SheetContext, blocks: readonly Node[]): SheetNode[] {
  const [only, ...others] = blocks;
  const isLine = only?.object === 'block' && only.type === 'paragraph' && others.length === 0;
  return isLine ? ctx.inlines(ctx, only.nodes ?? []) : ctx.blocks(ctx, blocks);
}

function valueOf(ctx: SheetContext, { type, data }: ShownColumn, value: Json): SheetNode[] {
  if (isRef(value) || ((type === 'files' || type === 'image') && typeof value === 'string'))
    return reference(ctx, type, isRef(value) ? value : { kind: 'file', file: value });
  if (typeof value === 'boolean') return [value ? '☑' : '☐'];
  if (type === 'rating' && typeof value === 'number') return [rating(value, data['max'])];
  if (type === 'select') return [cleanText(optionOf(data, value), ctx.breaking)];
  return typeof value === 'object' ? [] : [cleanText(String(value), ctx.breaking)];
}

function rating(value: number, max: Json | undefined): string {
  const all = typeof max === 'number' ? Math.min(Math.max(Math.floor(max), 1), 10) : 5;
  const full = Math.min(Math.max(Math.round(value), 0), all);
  return '★'.repeat(full) + '☆'.repeat(all - full);
}

function optionOf(column: Data, value: Json): string {
  const options = Array.isArray(column['options']) ? column['options'].filter(isObject) : [];
  const found = options.find((one) => one['value'] === value);
  const label = found === undefined ? '' : textIn(found, 'label');
  return label || (typeof value === 'string' ? value : JSON.stringify(value));
}

function reference(ctx: SheetContext, type: string, ref: Data): SheetNode[] {
  const title = cleanText(textIn(ref, 'title') || resolvedIn(ref).title || fileName(ctx, ref), ctx.breaking);
  const picture = type === 'image' ? pictureOf(ctx, { ref, alt: title }) : undefined;
  if (picture !== undefined) return [picture];
  return title === '' ? [] : [linkTo(ctx, { ref }, title)];
}

function fileName({ files }: SheetContext, ref: Data): string {
  const id = textIn(ref, 'file');
  return (Object.hasOwn(files, id) ? files[id]?.name : undefined) ?? (textIn(ref, 'url') || textIn(ref, 'user'));
}
