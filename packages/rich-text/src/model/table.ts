import { paragraph, text } from './build.js';
import { isObject } from './json.js';
import {
  type Block,
  type Data,
  type Json,
  type Node,
  type TableColumn,
  type TableData,
  type TableRecord,
} from './types.js';

/** What a table's data says, made safe to read: documents from elsewhere may lack any of it. */
export type Table = {
  view: Data & { columns: string[] };
  shown: ReadonlySet<string>;
  columns: TableColumn[];
  rows: TableRecord[];
  cells: Map<string, Node[]>;
  data: Data;
};

/** The columns and the records of a table in their order. */
export function readTable(node: Block): Table {
  const { view, records, definition } = node.data as Partial<TableData>;
  const columns = Object.entries(isObject(definition) ? definition : {}).flatMap(([id, column]) =>
    isObject(column) ? [columnOf(id, column)] : [],
  );
  const known: Data = isObject(view) ? view : {};
  const order = Array.isArray(known['columns'])
    ? known['columns'].filter((id) => typeof id === 'string')
    : columns.map((column) => column.id);
  const shown = new Set(order);
  return {
    view: { ...known, columns: order },
    shown,
    columns: inViewOrder(columns, order, shown),
    rows: recordsInOrder(records).map(([, row]) => row),
    cells: new Map((node.fragments ?? []).map((part) => [part.fragment ?? '', part.nodes])),
    data: node.data,
  };
}

/** The records of a table with their ids, in their order; what is no record is left out. */
export function recordsInOrder(records: Json | undefined): Array<[id: string, record: TableRecord]> {
  const all = Object.entries(isObject(records) ? records : {}) as Array<[string, TableRecord]>;
  const indexOf = ([, { orderIndex }]: [string, TableRecord]): string => String(orderIndex);
  return all
    .filter(([, record]) => isObject(record) && isObject(record.values))
    .sort((a, b) => (indexOf(a) < indexOf(b) ? -1 : indexOf(a) > indexOf(b) ? 1 : 0));
}

/** Titles and types that are no text read as text. */
function columnOf(id: string, column: Data): TableColumn {
  const { title = '', type = 'text' } = column;
  return { ...column, id, title: valueText(title), type: valueText(type) };
}

/** Shown columns in the order of the view, hidden ones behind them: a store may sort the names of the definition. */
function inViewOrder(columns: TableColumn[], order: string[], shown: ReadonlySet<string>): TableColumn[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return [...order.flatMap((id) => byId.get(id) ?? []), ...columns.filter((column) => !shown.has(column.id))];
}

/** Members of a view that name a column. */
const COLUMN_OF_VIEW = ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'];

const other = (id: Json | undefined, ids: ReadonlyMap<string, string>): Json | undefined =>
  typeof id === 'string' ? (ids.get(id) ?? id) : id;

const byOthers = (members: Data, ids: ReadonlyMap<string, string>): Data =>
  Object.fromEntries(
    Object.entries(members).map(([id, member]): [string, Json | undefined] => [ids.get(id) ?? id, member]),
  );

/** A view in which columns have other ids. What else it says stays, also where it reads like an id. */
export function viewWithIds(view: Data, ids: ReadonlyMap<string, string>): Data {
  const { columns, columnWidths } = view;
  const named = COLUMN_OF_VIEW.filter((member) => Object.hasOwn(view, member)).map(
    (member): [string, Json | undefined] => [member, other(view[member], ids)],
  );
  return {
    ...view,
    ...Object.fromEntries(named),
    ...(Array.isArray(columns) && { columns: columns.map((id) => other(id, ids) ?? null) }),
    ...(isObject(columnWidths) && { columnWidths: byOthers(columnWidths, ids) }),
  };
}

/** A table in which columns, records and cells have other ids. */
export function withIds(table: Block, ids: ReadonlyMap<string, string>): Block {
  if (ids.size === 0) return table;
  const { view, definition, records } = table.data;
  const cells = new Set((table.fragments ?? []).map((part) => part.fragment));
  const cell = (value: Json | undefined): Json | undefined =>
    typeof value === 'string' && cells.has(value) ? other(value, ids) : value;
  const columnOf = (column: Json | undefined): Json | undefined =>
    isObject(column) ? { ...column, id: other(column['id'], ids) } : column;
  const recordOf = ([id, record]: [string, TableRecord]): [string, Json] => {
    const values = Object.entries(record.values).map(([column, value]): [string, Json | undefined] => [
      column,
      cell(value),
    ]);
    return [id, { ...record, values: byOthers(Object.fromEntries(values), ids) }];
  };
  const data: Data = {
    ...table.data,
    ...(isObject(view) && { view: viewWithIds(view, ids) }),
    ...(isObject(definition) && {
      definition: byOthers(
        Object.fromEntries(Object.entries(definition).map(([id, column]) => [id, columnOf(column)])),
        ids,
      ),
    }),
    ...(isObject(records) && {
      records: byOthers({ ...records, ...Object.fromEntries(recordsInOrder(records).map(recordOf)) }, ids),
    }),
  };
  const parts = table.fragments?.map((part) =>
    part.fragment === undefined ? part : { ...part, fragment: ids.get(part.fragment) ?? part.fragment },
  );
  return { ...table, data, ...(parts && { fragments: parts }) };
}

/** The options of a column of choices. */
export const optionsOf = (column: Data): Data[] =>
  Array.isArray(column['options']) ? column['options'].filter(isObject) : [];

const labels = new WeakMap<Data, Map<Json | undefined, Json | undefined>>();

/**
 * What a column calls an option; undefined for one that it does not list. A table has as many cells to ask for as it
 * has rows.
 */
export function optionLabel(column: Data, value: Json): Json | undefined {
  let known = labels.get(column);
  if (!known) {
    known = new Map(
      optionsOf(column)
        .reverse()
        .map((option) => [option['value'], option['label'] ?? '']),
    );
    labels.set(column, known);
  }
  return known.get(value);
}

/**
 * The blocks of a cell: those that its value names, in a column of any type; in one of text also a value that names
 * none, as text. Undefined when the cell is a value of its column's type.
 */
export function cellNodes(
  table: Pick<Table, 'cells'>,
  column: Pick<TableColumn, 'type'>,
  value: Json | undefined,
): Node[] | undefined {
  const named = typeof value === 'string' ? table.cells.get(value) : undefined;
  if (named || column.type !== 'text') return named;
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? undefined : [paragraph([text(valueText(value))])];
}

/** A value as text: itself when it is plain, as JSON otherwise. */
export const valueText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
