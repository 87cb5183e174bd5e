import { ownValue } from '../model/json.js';
import { Signatures } from '../model/signature.js';
import { cellNodes, readTable, recordsInOrder, withIds } from '../model/table.js';
import { type Block, type TableColumn, type TableRecord } from '../model/types.js';
import { align, type Comparison } from './align.js';
import { bagOf, wordsOf } from './alike.js';
import { type Work } from './words.js';

/**
 * `table` with the column, record and cell ids of `old` wherever it is the same column (by title) or record (by its cells). `fresh` says
 * which id anything else has, given its own.
 */
export function rematchTable(table: Block, old: Block, work: Work, fresh: (id: string) => string): Block {
  const [next, before] = [readTable(table), readTable(old)];
  const ids = matchColumns(next.columns, before.columns, fresh);
  matchRecords({ next, before, ids, fresh }, work);
  return withIds(table, ids);
}

/** Columns by title and type, then by type where none came or went. */
function matchColumns(next: TableColumn[], before: TableColumn[], fresh: (id: string) => string): Map<string, string> {
  const free = new Map<string, TableColumn[]>();
  const nameOf = ({ title, type }: TableColumn): string => JSON.stringify([title, type]);
  for (const column of before.toReversed()) {
    const equal = free.get(nameOf(column));
    if (equal) equal.push(column);
    else free.set(nameOf(column), [column]);
  }
  const out = new Map<string, string>();
  const taken = new Set<TableColumn>();
  const take = (column: TableColumn, old: TableColumn | undefined): void => {
    if (!old || taken.has(old) || out.has(column.id)) return;
    taken.add(old);
    out.set(column.id, old.id);
  };
  for (const column of next) take(column, free.get(nameOf(column))?.pop());
  if (next.length === before.length) next.forEach((column, at) => take(column, before[at]?.type === column.type ? before[at] : undefined));
  for (const { id } of next) if (!out.has(id)) out.set(id, fresh(id));
  return out;
}

type Read = ReturnType<typeof readTable>;
/** A record by its id, its cells, and its name, which is what the first of them says. */
type Row = { row: TableRecord; id: string; text: string; name: string | undefined };
/** Two readings of a table, and the old ids found so far: of columns, records and cells. */
type Tables = { next: Read; before: Read; ids: Map<string, string>; fresh: (id: string) => string };

function matchRecords({ next, before, ids, fresh }: Tables, work: Work): void {
  const signatures = new Signatures();
  const words = (read: Read, row: TableRecord): string[] => read.columns.flatMap((column) => (cellNodes(read, column, ownValue(row.values, column.id)) ?? []).flatMap((node) => wordsOf(node)));
  const [olds, news] = [rowsOf(signatures, before), rowsOf(signatures, next)];
  const old = new Set(olds);
  const comparison: Comparison<Row> = {
    signature: (each) => each.text,
    words: (each) => bagOf(words(old.has(each) ? before : next, each.row)),
    sameKind: () => true,
    names: [(each) => each.name],
    isElsewhere: () => false,
    separate: true,
  };
  const partners = align(news, olds, comparison, work);
  for (const each of news) {
    const partner = partners.get(each);
    for (const [column, cell] of Object.entries(each.row.values)) {
      if (typeof cell !== 'string' || !next.cells.has(cell)) continue;
      const was = partner && ownValue(partner.row.values, ids.get(column) ?? column);
      ids.set(cell, typeof was === 'string' && before.cells.has(was) ? was : fresh(cell));
    }
    ids.set(each.id, partner?.id ?? fresh(each.id));
  }
}

function rowsOf(signatures: Signatures, read: Read): Row[] {
  return recordsInOrder(read.data['records']).map(([id, row]) => {
    const cells = read.columns.map((column) => signatures.cell(read, column, row));
    return { row, id, text: cells.join('\u0002'), name: cells[0] };
  });
}
