import { isObject } from '../model/json.js';
import { optionsOf, recordsInOrder } from '../model/table.js';
import { type Block, type Data, type Json, type TableRecord } from '../model/types.js';

/** Gives the text that stands in the place of one, by the name of its place. */
type Say = (name: string, text: string) => string;

/** The data of a table with other titles of columns, labels of options and texts of cells. */
export function tableData(node: Block, say: Say): Data {
  const { definition, records } = node.data;
  return {
    ...node.data,
    ...(isObject(definition) && { definition: columnsOf(definition, say) }),
    ...(isObject(records) && { records: recordsOf(node, records, say) }),
  };
}

function columnsOf(definition: Data, say: Say): Data {
  return Object.fromEntries(
    Object.entries(definition).map(([id, column]) => [id, isObject(column) ? columnOf(id, column, say) : column]),
  );
}

function columnOf(id: string, column: Data, say: Say): Data {
  const { title } = column;
  const labelled = optionsOf(column).map((option) => option['label']);
  const labels = new Map(
    [...new Set(labelled)].flatMap((label, i): Array<[Json | undefined, string]> =>
      typeof label === 'string' ? [[label, say(`column.${id}.option.${i}`, label)]] : [],
    ),
  );
  const optionOf = (option: Json): Json =>
    isObject(option) && labels.has(option['label']) ? { ...option, label: labels.get(option['label']) } : option;
  return {
    ...column,
    ...(typeof title === 'string' && { title: say(`column.${id}`, title) }),
    ...(Array.isArray(column['options']) && { options: column['options'].map(optionOf) }),
  };
}

function recordsOf(node: Block, records: Data, say: Say): Data {
  const cells = new Set((node.fragments ?? []).map((part) => part.fragment));
  const columns = isObject(node.data['definition']) ? node.data['definition'] : {};
  const typeOf = (column: string): Json | undefined => {
    const known = Object.hasOwn(columns, column) ? columns[column] : undefined;
    return isObject(known) ? (known['type'] ?? 'text') : undefined;
  };
  const valueOf = (row: string, column: string, value: Json | undefined): Json | undefined => {
    const isProse = typeof value === 'string' && !cells.has(value) && typeOf(column) === 'text';
    return isProse ? say(`cell.${row}.${column}`, value) : value;
  };
  const rowOf = ([id, record]: [string, TableRecord]): [string, Json] => [
    id,
    {
      ...record,
      values: Object.fromEntries(
        Object.entries(record.values).map(([column, value]) => [column, valueOf(id, column, value)]),
      ),
    },
  ];
  return { ...records, ...Object.fromEntries(recordsInOrder(records).map(rowOf)) };
}
