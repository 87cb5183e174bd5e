import { compact, fragment, voidBlock } from '../model/build.js';
import {
  type Block,
  type Data,
  type Fragment,
  type Json,
  type TableColumn,
  type TableData,
  type TableRecord,
} from '../model/types.js';
import { type ParseContext } from './context.js';

/** A column as it was read; `hidden` ones are defined but not shown. */
export type ReadColumn = {
  column: Omit<TableColumn, 'id'> & Pick<TableColumn, 'title' | 'type'>;
  hidden?: boolean;
  width?: Json | undefined;
  role?: 'target' | 'cover' | 'coverDark' | undefined;
};
/** A cell is blocks for a text column, a value for the others. */
export type ReadCell = Block[] | { value: Json | undefined };

type NamedColumn = ReadColumn & { id: string };

/** How many cells the longest row has. */
export const widest = (rows: ReadonlyArray<readonly unknown[]>): number =>
  rows.reduce((most, row) => Math.max(most, row.length), 0);

/** Puts columns, rows and options together to the block of a table. */
export function buildTable(
  ctx: ParseContext,
  read: ReadColumn[],
  rows: ReadCell[][],
  view: Data,
  data: Data = {},
): Block {
  const columns = read.map((each): NamedColumn => ({ ...each, id: ctx.newKey() }));
  const definition = Object.fromEntries(columns.map(({ id, column }) => [id, { id, ...column }]));
  const fragments: Fragment[] = [];
  const records: TableData['records'] = {};
  rows.forEach((cells, row) => {
    const values: TableRecord['values'] = {};
    columns.forEach(({ id }, i) => {
      const cell = cells[i];
      if (Array.isArray(cell)) {
        const key = ctx.newKey();
        values[id] = key;
        fragments.push(fragment(key, cell));
      } else if (cell?.value !== undefined) values[id] = cell.value;
    });
    records[ctx.newKey()] = { orderIndex: String(row).padStart(6, '0'), values };
  });
  return voidBlock('table', { view: completeView(view, columns), records, definition, ...data }, fragments);
}

function completeView(view: Data, columns: NamedColumn[]): Data {
  const idOf = (role: ReadColumn['role']): string | undefined => columns.find((column) => column.role === role)?.id;
  const widths = columns.flatMap(({ id, width }): Array<[string, Json]> => (width === undefined ? [] : [[id, width]]));
  return compact({
    ...view,
    columns: columns.filter(({ hidden }) => !hidden).map(({ id }) => id),
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    targetDefinition: idOf('target'),
    coverDefinition: idOf('cover'),
    coverDefinitionDark: idOf('coverDark'),
  });
}
