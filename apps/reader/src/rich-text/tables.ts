import type { Block, ContentRef, Data, Json, Node } from '@scriptorium/rich-text';
import { filled } from '../texts/texts.js';
import {
  isObject,
  isRef,
  oneOf,
  textIn,
  shownTable,
  type ShownColumn,
  type ShownTable,
} from '@scriptorium/rich-text/reading';
import { classes, el, type HtmlNode } from './html.js';
import { link, titleIn } from './inlines.js';
import { lengthOf, picture, shown } from './pictures.js';
import type { RenderContext } from './render-context.js';

/** Columns of a table, and rows, that are shown at most. */
const most = { columns: 100, rows: 5_000 };

export function table(ctx: RenderContext, node: Block): HtmlNode[] {
  const found = shownTable(node, most);
  if (found.view['type'] === 'cards') return cards(ctx, found);
  if (found.columns.length === 0) return [];
  const { view, columns, rows } = found;
  const head = columns.map((column) => el('th', { scope: 'col', ...alignment(column) }, column.title));
  const body = rows.map((row) =>
    el(
      'tr',
      {},
      columns.map((column) => el('td', alignment(column), cell(ctx, found, column, row))),
    ),
  );
  const isHeadless = view['hideHeader'] === true || columns.every(({ title }) => title === '');
  const names = classes(
    'table',
    node.data['fullWidth'] === true && 'full-width',
    view['stickyFirstColumn'] === true && 'sticky-column',
  );
  return [
    // Whoever uses a keyboard alone has to be able to move what is too wide.
    el(
      'div',
      { tabIndex: 0, role: 'group', ariaLabel: ctx.say.table, ...names },
      el(
        'table',
        {},
        widths(found),
        isHeadless ? undefined : el('thead', {}, el('tr', {}, head)),
        el('tbody', {}, body),
      ),
    ),
  ];
}

function widths({ view, columns }: ShownTable): HtmlNode | undefined {
  const given = view['columnWidths'];
  if (!isObject(given)) return undefined;
  return el(
    'colgroup',
    {},
    columns.map(({ id }) => el('col', { width: lengthOf(given[id]) })),
  );
}

function alignment({ data }: ShownColumn): ReturnType<typeof classes> {
  const align = oneOf(data, 'textAlignment', ['center', 'right', 'end']);
  const vertical = oneOf(data, 'verticalAlignment', ['middle', 'bottom']);
  return classes(align && `align-${align === 'right' ? 'end' : align}`, vertical && `valign-${vertical}`);
}

/** What a cell has: the blocks that its value names, or a value of the type of its column. */
function cell(ctx: RenderContext, { cells }: Pick<ShownTable, 'cells'>, column: ShownColumn, row: Data): HtmlNode[] {
  const value = Object.hasOwn(row, column.id) ? row[column.id] : undefined;
  if (value === undefined || value === null) return [];
  const blocks = typeof value === 'string' ? cells.get(value) : undefined;
  if (blocks !== undefined) return cellBlocks(ctx, blocks);
  const values = Array.isArray(value) ? value : [value];
  const shownValues = values.flatMap((one) => valueOf(ctx, column, one));
  return shownValues.flatMap((one, index) => (index === 0 ? [one] : [{ type: 'text', value: ' ' }, one]));
}

/** A single paragraph is a line of text. */
function cellBlocks(ctx: RenderContext, blocks: readonly Node[]): HtmlNode[] {
  const [only, ...others] = blocks;
  const isLine = only?.object === 'block' && only.type === 'paragraph' && others.length === 0;
  return isLine ? ctx.inlines(only.nodes ?? []) : ctx.blocks(blocks);
}

function valueOf(ctx: RenderContext, { type, data }: ShownColumn, value: Json): HtmlNode[] {
  if (isRef(value)) return reference(ctx, type, value);
  if (typeof value === 'boolean')
    return [
      el('input', { type: 'checkbox', disabled: true, checked: value, ariaLabel: value ? ctx.say.yes : ctx.say.no }),
    ];
  if (type === 'rating' && typeof value === 'number') return [rating(ctx, value, data['max'])];
  if (type === 'select') return [option(data, value)];
  if (isFileId(type, value)) return reference(ctx, type, { kind: 'file', file: value });
  return typeof value === 'object' ? [] : [{ type: 'text', value: String(value) }];
}

function isFileId(type: string, value: Json): value is string {
  return ['files', 'image'].includes(type) && typeof value === 'string';
}

function rating({ say }: RenderContext, value: number, max: Json | undefined): HtmlNode {
  const most = typeof max === 'number' ? Math.min(Math.max(Math.floor(max), 1), 10) : 5;
  const full = Math.min(Math.max(Math.round(value), 0), most);
  const label = filled(say.ratingOf, { count: full, most });
  return el(
    'span',
    { role: 'img', ariaLabel: label, ...classes('rating') },
    '★'.repeat(full) + '☆'.repeat(most - full),
  );
}

function option(column: Data, value: Json): HtmlNode {
  const options = Array.isArray(column['options']) ? column['options'].filter(isObject) : [];
  const found = options.find((one) => one['value'] === value);
  const label = found === undefined ? '' : textIn(found, 'label');
  return el('span', classes('option'), label || (typeof value === 'string' ? value : JSON.stringify(value)));
}

function reference(ctx: RenderContext, type: string, ref: ContentRef): HtmlNode[] {
  const title = textIn(ref, 'title') || titleIn(ref);
  if (type === 'image') {
    const image = picture(ctx, { ref, alt: title });
    return image === undefined ? [] : [image];
  }
  if (ref.kind === 'file') {
    const found = shown(ctx, ref);
    return found === undefined ? [{ type: 'text', value: title }] : [el('a', { href: found.url }, title || found.name)];
  }
  const target = ctx.targetOf(ref);
  const name = title || target?.title || target?.href || '';
  return name === '' ? [] : [link(ctx, target, [{ type: 'text', value: name }])];
}

/** Rows as cards: an image, the values one below the other, and a link over all of it. */
function cards(ctx: RenderContext, found: ShownTable): HtmlNode[] {
  const { view, columns, rows } = found;
  const list = rows.map((row) => {
    const image = cover(ctx, view, row);
    const values = columns.map((column) => {
      const inside = cell(ctx, found, column, row);
      return inside.length === 0 ? undefined : el('div', {}, inside);
    });
    const target = firstRef(row, view['targetDefinition']);
    const leads = target === undefined ? undefined : ctx.targetOf(target);
    const over = leads && link(ctx, leads, [el('span', {}, leads.title ?? ctx.say.open)], classes('card-link'));
    return el('li', classes('card'), image, values, over);
  });
  return [el('ul', classes('cards', view['cardSize'] === 'large' && 'large'), list)];
}

function cover(ctx: RenderContext, view: Data, row: Data): HtmlNode | undefined {
  const ref = firstRef(row, view['coverDefinition']);
  if (ref === undefined) return undefined;
  const dark = firstRef(row, view['coverDefinitionDark']);
  return picture(ctx, { ref, ...(dark === undefined ? {} : { refDark: dark }), alt: '' }, ['cover']);
}

/** The first reference in the cell of a column; ids of files stand for references to them. */
function firstRef(row: Data, column: Json | undefined): ContentRef | undefined {
  const value = typeof column === 'string' && Object.hasOwn(row, column) ? row[column] : undefined;
  const first = Array.isArray(value) ? value[0] : value;
  if (isRef(first)) return first;
  return typeof first === 'string' && first !== '' ? { kind: 'file', file: first } : undefined;
}
