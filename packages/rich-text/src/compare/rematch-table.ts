import { Signatures } from '../model/signature.js';
import { cellNodes, readTable, recordsInOrder, renamed } from '../model/table.js';
import { type Block, type Json, type TableColumn, type TableRecord } from '../model/types.js';
import { align, type Comparison } from './align.js';
import { bagOf, wordsOf } from './alike.js';
import { type Work } from './words.js';

/**
 * `table` with the column, record and cell ids of `old` wherever it is the same column (by title) or record (by its cells). `fresh` says
 * which id anything else has, given its own.
 */
export function rematchTable(table: Block, old: Block, work: Work, fresh: (id: string) => string): Block {
  const next = readTable(table);
  const before = readTable(old);
  const columns = matchColumns(next.columns, before.columns, fresh);
  const cells = new Map<string, string>();
  const records = matchRecords({ next, before, columns, cells, fresh }, work);
  const rename = (id: string): string => columns.get(id) ?? cells.get(id) ?? id;
  const definition = Object.fromEntries(next.columns.map((column) => [rename(column.id), { ...column, id: rename(column.id) }]));
  const data = { ...table.data, view: renamed(next.view, columns), definition: definition as Json, records: records as Json };
  return { ...table, data, fragments: (table.fragments ?? []).map((part) => ({ ...part, ...(part.fragment !== undefined && { fragment: rename(part.fragment) }) })) };
}

function matchColumns(next: TableColumn[], before: TableColumn[], fresh: (id: string) => string): Map<string, string> {
  const free = [...before];
  const out = new Map<string, string>();
  const takeBy = (test: (column: TableColumn, old: TableColumn, at: number) => boolean): void => {
    next.forEach((column, at) => {
      const index = out.has(column.id) ? -1 : free.findIndex((old) => test(column, old, at));
      const [old] = index < 0 ? [] : free.splice(index, 1);
      if (old) out.set(column.id, old.id);
    });
  };
  takeBy((column, old) => column.title === old.title && column.type === old.type);
  if (next.length === before.length) takeBy((column, old, at) => before.indexOf(old) === at && column.type === old.type);
  for (const { id } of next) if (!out.has(id)) out.set(id, fresh(id));
  return out;
}

type Read = ReturnType<typeof readTable>;
/** A record by its id, its cells, and its name, which is what the first of them says. */
type Row = { row: TableRecord; id: string; text: string; name: string | undefined };
/** Two readings of a table, and the ids found so far: of columns, and of cells. */
type Tables = { next: Read; before: Read; columns: Map<string, string>; cells: Map<string, string>; fresh: (id: string) => string };

function matchRecords(tables: Tables, work: Work): { [id: string]: TableRecord } {
  const { next, before, fresh } = tables;
  const signatures = new Signatures();
  const words = (read: Read, row: TableRecord): string[] => read.columns.flatMap((column) => (cellNodes(read, column, row.values[column.id]) ?? []).flatMap((node) => wordsOf(node)));
  const [olds, news] = [rowsOf(signatures, before), rowsOf(signatures, next)];
  const old = new Set(olds);
  const comparison: Comparison<Row> = {
    signature: (each) => each.text,
    words: (each) => bagOf(words(old.has(each) ? before : next, each.row)),
    sameKind: () => true,
    nameOf: (each) => each.name,
    isElsewhere: () => false,
  };
  const partners = align(news, olds, comparison, work);
  return Object.fromEntries(news.map((each) => {
    const partner = partners.get(each);
    return [partner?.id ?? fresh(each.id), record(each.row, partner?.row, tables)];
  }));
}

function rowsOf(signatures: Signatures, read: Read): Row[] {
  return recordsInOrder(read.data['records']).map(([id, row]) => {
    const cells = read.columns.map((column) => signatures.cell(read, column, row));
    return { row, id, text: cells.join('\u0002'), name: cells[0] };
  });
}

function record(row: TableRecord, old: TableRecord | undefined, { next, before, columns, cells, fresh }: Tables): TableRecord {
  const values = Object.entries(row.values).map(([column, value]): [string, Json | undefined] => {
    const id = columns.get(column) ?? column;
    if (typeof value !== 'string' || !next.cells.has(value)) return [id, value];
    const was = old?.values[id];
    const cell = typeof was === 'string' && before.cells.has(was) ? was : fresh(value);
    cells.set(value, cell);
    return [id, cell];
  });
  return { ...row, values: Object.fromEntries(values) };
}
