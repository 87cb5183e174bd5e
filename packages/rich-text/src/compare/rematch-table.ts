import { addTo } from '../model/append.js';
import { ownValue } from '../model/json.js';
import { Signatures } from '../model/signature.js';
import { cellNodes, readTable, recordsInOrder, withIds } from '../model/table.js';
import { type Block, type TableColumn, type TableRecord } from '../model/types.js';
import { align, type Comparison } from './align.js';
import { bagOf, similarity, wordsOf } from './alike.js';
import { type Work } from './work.js';

/**
 * `table` with the ids of `old` for columns that are the same (by title) and records that are the same (by their
 * cells). `fresh` gives the id of everything else, from the id that it has.
 */
export function rematchTable(table: Block, old: Block, work: Work, fresh: (id: string) => string): Block {
  const [next, before] = [readTable(table), readTable(old)];
  const ids = matchColumns(next, before, fresh);
  matchRecords({ next, before, ids, fresh }, work);
  return withIds(table, ids);
}

/** Columns by title and type, then by type where none came or went, then by what their cells say. */
function matchColumns(next: Read, before: Read, fresh: (id: string) => string): Map<string, string> {
  const free = new Map<string, TableColumn[]>();
  const nameOf = ({ title, type }: TableColumn): string => JSON.stringify([title, type]);
  for (const column of before.columns.toReversed()) addTo(free, nameOf(column), column);
  const out = new Map<string, string>();
  const taken = new Set<TableColumn>();
  const take = (column: TableColumn, old: TableColumn | undefined): void => {
    if (!old || taken.has(old) || out.has(column.id)) return;
    taken.add(old);
    out.set(column.id, old.id);
  };
  for (const column of next.columns) take(column, free.get(nameOf(column))?.pop());
  if (next.columns.length === before.columns.length)
    next.columns.forEach((column, at) =>
      take(column, before.columns[at]?.type === column.type ? before.columns[at] : undefined),
    );
  const open = next.columns.filter(({ id }) => !out.has(id));
  for (const [column, old] of alikeColumns(
    { ...next, columns: open },
    { ...before, columns: before.columns.filter((each) => !taken.has(each)) },
  ))
    take(column, old);
  for (const { id } of next.columns) if (!out.has(id)) out.set(id, fresh(id));
  return out;
}

/** Columns are the same, renamed, when at least half of their cells say the same. */
const ALIKE = 0.5;
/** The most pairs of columns that are compared by their cells. If there are more, none is compared. */
const MAX_PAIRS = 400;

/** Pairs of columns of one type by what their cells say, the most alike first, then the nearest. */
function alikeColumns(next: Read, before: Read): Array<[TableColumn, TableColumn]> {
  if (next.columns.length * before.columns.length > MAX_PAIRS) return [];
  const signatures = new Signatures();
  const bagsOf = (read: Read) =>
    read.columns.map((column) => ({
      column,
      bag: bagOf(read.rows.flatMap((row) => signatures.cell(read, column, row) || [])),
    }));
  const olds = bagsOf(before);
  const pairs = bagsOf(next).flatMap(({ column, bag }, at) =>
    olds.map((old, from) => ({
      pair: [column, old.column] as [TableColumn, TableColumn],
      score: column.type === old.column.type && bag.size > 0 ? similarity(bag, old.bag) : 0,
      far: Math.abs(at - from),
    })),
  );
  return pairs
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || a.far - b.far)
    .map(({ pair }) => pair);
}

type Read = ReturnType<typeof readTable>;
/** A record by its id, its cells, and its name, which is what the first of them says. */
type Row = { row: TableRecord; id: string; text: string; name: string | undefined };
/** Two readings of a table, and the old ids found so far: of columns, records and cells. */
type Tables = { next: Read; before: Read; ids: Map<string, string>; fresh: (id: string) => string };

function matchRecords({ next, before, ids, fresh }: Tables, work: Work): void {
  const signatures = new Signatures();
  const words = (read: Read, row: TableRecord): string[] =>
    read.columns.flatMap((column) =>
      (cellNodes(read, column, ownValue(row.values, column.id)) ?? []).flatMap((node) => wordsOf(node)),
    );
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
