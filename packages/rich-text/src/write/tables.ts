import { isObject, isRef, ownValue } from '../model/json.js';
import { cellNodes, optionLabel, optionsOf, readTable, valueText, type Table } from '../model/table.js';
import { type Block, type Data, type Json, type Node, type TableColumn } from '../model/types.js';
import { oneLine, type Md } from '../syntax/md.js';
import { attributes, htmlText } from './attributes.js';
import { html, isLine, linkOf, optional, textOf, type WriteContext } from './context.js';
import { inlineHtml } from './html.js';
import { onOneLine, phrasing } from './inlines.js';
import { lengthText } from './lengths.js';

/** A table as pipes when that says everything, otherwise as HTML. */
export function table(ctx: WriteContext, node: Block): Md[] {
  const read = readTable(node);
  if (read.columns.length === 0) return [];
  return isPlain(read) ? [pipes(ctx, read)] : htmlTable(ctx, read);
}

const PLAIN_VIEW = new Set(['type', 'columns', 'hideHeader']);
const PLAIN_DATA = new Set(['view', 'records', 'definition']);

function isPlain(read: Table): boolean {
  const { view, columns, rows, data } = read;
  const set = (object: Data, allowed: Set<string>): boolean =>
    Object.keys(object).some((name) => !allowed.has(name) && object[name] !== undefined && object[name] !== false);
  if (
    view['type'] !== 'grid' ||
    view['hideHeader'] === true ||
    set(view, PLAIN_VIEW) ||
    set(data, PLAIN_DATA) ||
    data['search'] !== undefined
  )
    return false;
  if (
    columns.length !== view.columns.length ||
    columns.some((column) => column.type !== 'text' || column.verticalAlignment !== undefined)
  )
    return false;
  return rows.every((row) =>
    columns.every((column) =>
      cellNodes(read, column, ownValue(row.values, column.id))?.every((each) => isLine(each) && !hasEscapedPipe(each)),
    ),
  );
}

/** In a pipe table no code can say a bar behind a backslash. */
function hasEscapedPipe(node: Node): boolean {
  if (node.object !== 'text') return (node.nodes ?? []).some(hasEscapedPipe);
  return node.leaves.some((leaf) => leaf.text.includes('\\|') && leaf.marks.some((mark) => mark.type === 'code'));
}

function pipes(ctx: WriteContext, read: Table): Md {
  const header: Md = {
    type: 'tableRow',
    children: read.columns.map((column) => ({
      type: 'tableCell',
      children: [{ type: 'text', value: column.title ?? '' }],
    })),
  };
  const rows = read.rows.map((row): Md => ({
    type: 'tableRow',
    children: read.columns.map((column) => ({
      type: 'tableCell',
      children: pipeCell(ctx, cellNodes(read, column, ownValue(row.values, column.id)) ?? []),
    })),
  }));
  return {
    type: 'table',
    align: read.columns.map((column) => column.textAlignment ?? null),
    children: [header, ...rows],
  };
}

function pipeCell(ctx: WriteContext, nodes: Node[]): Md[] {
  const inside = (node: Node): Md[] => onOneLine(phrasing(ctx, textOf(node)));
  const [only] = nodes;
  if (nodes.length === 1 && only) return inside(only);
  return nodes.flatMap((node) => [html('<p>'), ...oneLine(inside(node)), html('</p>')]);
}

function htmlTable(ctx: WriteContext, read: Table): Md[] {
  const head =
    read.view['hideHeader'] === true && read.columns.every((column) => column.title === '' && column.type === 'text')
      ? ''
      : `<thead><tr>${read.columns.map((column) => headerCell(read, column)).join('')}</tr></thead>`;
  const out: Md[] = [];
  let line = `<table${tableAttributes(read)}>${head}<tbody>`;
  for (const row of read.rows) {
    line += '<tr>';
    for (const column of read.columns) {
      const value = ownValue(row.values, column.id);
      const nodes = cellNodes(read, column, value);
      line += nodes && column.type !== 'text' ? '<td data-type="text">' : '<td>';
      if (!nodes) line += valueHtml(ctx, column, value);
      else if (nodes.every(isLine)) line += linesHtml(ctx, nodes);
      else {
        out.push(html(line), ...ctx.blocks(nodes));
        line = '';
      }
      line += '</td>';
    }
    line += '</tr>';
  }
  return [...out, html(`${line}</tbody></table>`)];
}

function linesHtml(ctx: WriteContext, nodes: Node[]): string {
  const [only] = nodes;
  if (nodes.length === 1 && only) return inlineHtml(ctx, textOf(only));
  return nodes.map((node) => `<p>${inlineHtml(ctx, textOf(node))}</p>`).join('');
}

function tableAttributes({ view, data, columns }: Table): string {
  const cards = view['type'] === 'cards';
  const untitled = columns.every((column) => column.title === '' && column.type === 'text');
  const own = {
    'data-view': cards ? 'cards' : undefined,
    'data-card-size': cards && view['cardSize'] === 'large' ? 'large' : undefined,
    'data-card-wrap': cards ? view['wrap'] : undefined,
    'data-card-hide-titles': cards ? view['hideColumnTitle'] : undefined,
    'data-full-width': data['fullWidth'] === true ? 'true' : undefined,
    'data-search': data['search'],
    'data-cell-merges': data['cellMerges'],
  };
  const bare = {
    'data-header-hidden': view['hideHeader'] === true && !untitled,
    'data-sticky-header': view['stickyHeader'] === true,
    'data-sticky-first-column': view['stickyFirstColumn'] === true,
  };
  const flags = Object.entries(bare).filter(([, set]) => set);
  return attributes(own) + attributes(Object.fromEntries(flags), true);
}

function headerCell({ view, shown }: Table, column: TableColumn): string {
  const widths = isObject(view['columnWidths']) ? view['columnWidths'] : {};
  const own = {
    width: lengthText(widths[column.id]),
    align: optional(column.textAlignment),
    valign: optional(column.verticalAlignment),
    'data-type': column.type === 'text' || column.type === 'select' ? undefined : column.type,
    'data-max': column.type === 'rating' ? valueText(column['max'] ?? 5) : undefined,
  };
  const flags = {
    'data-multiple': column.type === 'users' && column['multiple'] === true,
    'data-hidden': !shown.has(column.id),
    'data-card-target': view['targetDefinition'] === column.id,
    'data-card-cover': view['coverDefinition'] === column.id,
    'data-card-cover-dark': view['coverDefinitionDark'] === column.id,
  };
  const set = Object.fromEntries(Object.entries(flags).filter(([, value]) => value));
  return `<th${attributes(own)}${attributes(set, true)}>${htmlText(column.title ?? '')}${column.type === 'select' ? options(column) : ''}</th>`;
}

function options(column: TableColumn): string {
  const each = optionsOf(column).map(
    (option) =>
      `<option${attributes({ value: option['value'], label: option['label'], color: option['color'] })}></option>`,
  );
  return `<select${column['multiple'] === true ? ' multiple' : ''}>${each.join('')}</select>`;
}

function valueHtml(ctx: WriteContext, column: TableColumn, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return htmlText(valueText(value));
  const all = Array.isArray(value) ? value : [value];
  return all.map((item) => (isRef(item) ? reference(ctx, item, column.type) : option(column, item))).join('');
}

function reference(ctx: WriteContext, ref: Data & { kind: string }, type: string): string {
  if (ref.kind === 'unresolved') return `<a>${htmlText(optional(ref['title']) ?? '')}</a>`;
  const { title, ...bare } = ref;
  const link = linkOf(ctx, bare);
  const mention = type === 'users' ? ' data-mention' : '';
  return `<a${mention}${attributes({ href: link.url })}>${htmlText(optional(title) ?? link.text ?? link.url)}</a>`;
}

function option(column: TableColumn, value: Json): string {
  const name = valueText(value);
  return `<span${attributes({ 'data-option': name })}>${htmlText(optional(optionLabel(column, value)) ?? name)}</span>`;
}
