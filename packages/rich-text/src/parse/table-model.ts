import { compact, fragment, paragraph, text, voidBlock } from '../model/build.js';
import { type Block, type Data, type Fragment, type Json, type TableColumn, type TableData, type TableRecord } from '../model/types.js';
import { type ParseContext } from './context.js';

/** A column as it was read; `hidden` ones are defined but not shown. */
export type ReadColumn = { column: Omit<TableColumn, 'id'>; hidden?: boolean; width?: Json | undefined; role?: 'target' | 'cover' | 'coverDark' | undefined };
/** A cell is blocks for a text column, a value for the others. */
export type ReadCell = Block[] | { value: Json | undefined };

/** Puts columns, rows and options together to the block of a table. */
export function buildTable(ctx: ParseContext, columns: ReadColumn[], rows: ReadCell[][], view: Data & { type: string }, data: Data = {}): Block {
  const ids = columns.map(() => ctx.newKey());
  const definition: TableData['definition'] = {};
  columns.forEach((read, i) => {
    const id = ids[i] ?? '';
    definition[id] = { id, ...read.column } as TableColumn;
  });
  const fragments: Fragment[] = [];
  const records: TableData['records'] = {};
  rows.forEach((cells, row) => {
    const record: TableRecord = { orderIndex: String(row).padStart(6, '0'), values: {} };
    cells.forEach((cell, i) => {
      const id = ids[i];
      if (id === undefined) return;
      if (!Array.isArray(cell)) {
        if (cell.value !== undefined) record.values[id] = cell.value;
        return;
      }
      const key = ctx.newKey();
      record.values[id] = key;
      fragments.push(fragment(key, cell.length > 0 ? cell : [paragraph([text('')])]));
    });
    records[ctx.newKey()] = record;
  });
  return voidBlock('table', { view: completeView(view, columns, ids), records, definition, ...data }, fragments);
}

function completeView(view: Data & { type: string }, columns: ReadColumn[], ids: string[]): Data {
  const idOf = (role: ReadColumn['role']): string | undefined => ids[columns.findIndex((read) => read.role === role)];
  const widths = columns.flatMap((read, i): Array<[string, Json]> => (read.width === undefined ? [] : [[ids[i] ?? '', read.width]]));
  return compact({
    ...view,
    columns: ids.filter((_, i) => !columns[i]?.hidden),
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    targetDefinition: idOf('target'),
    coverDefinition: idOf('cover'),
    coverDefinitionDark: idOf('coverDark'),
  });
}
