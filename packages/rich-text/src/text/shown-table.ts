import { isObject } from '../model/json.js';
import { type Block, type Data, type Node } from '../model/types.js';
import { textIn } from './node-data.js';

/** A column of a table that is shown. */
export interface ShownColumn {
  id: string;
  title: string;
  type: string;
  data: Data;
}

/** What a table shows: documents from elsewhere may lack any of it. */
export interface ShownTable {
  view: Data;
  columns: ShownColumn[];
  /** The values of the rows by the ids of columns, in their order. */
  rows: Data[];
  /** The nodes of cells, by what values of cells name. */
  cells: ReadonlyMap<string, Node[]>;
}

/** The columns that a table shows, in the order of its view, and its rows in theirs; `most`: so many of each. */
export function shownTable(node: Block, most: { columns: number; rows: number }): ShownTable {
  const { view, definition, records } = node.data;
  const known = isObject(view) ? view : {};
  const named = isObject(definition) ? definition : {};
  const order = Array.isArray(known['columns'])
    ? known['columns'].filter((id) => typeof id === 'string')
    : Object.keys(named);
  const columns = order.flatMap((id): ShownColumn[] => {
    const data = Object.hasOwn(named, id) ? named[id] : undefined;
    return isObject(data) ? [{ id, title: textIn(data, 'title'), type: textIn(data, 'type') || 'text', data }] : [];
  });
  const rows = Object.values(isObject(records) ? records : {})
    .filter(isObject)
    .sort((a, b) => compare(orderOf(a), orderOf(b)))
    .map(({ values }) => (isObject(values) ? values : {}));
  return {
    view: known,
    columns: columns.slice(0, most.columns),
    rows: rows.slice(0, most.rows),
    cells: new Map((node.fragments ?? []).map((part) => [part.fragment ?? part.type ?? '', part.nodes])),
  };
}

function orderOf({ orderIndex = '' }: Data): string {
  return typeof orderIndex === 'object' ? '' : String(orderIndex);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
