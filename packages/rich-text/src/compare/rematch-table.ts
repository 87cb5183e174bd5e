import { cellNodes, readTable, renamed } from '../model/table.js';
import { type Block, type Json, type TableColumn, type TableRecord } from '../model/types.js';

import { Signatures, similarity, wordsOf } from './signature.js';

/** `table` with the column, record and cell ids of `old` wherever it is the same column (by title) or record (by its cells). */
export function rematchTable(table: Block, old: Block): Block {
  const next = readTable(table);
  const before = readTable(old);
  const columns = matchColumns(next.columns, before.columns);
  const cells = new Map<string, string>();
  const records = matchRecords(next, before, columns, cells);
  const rename = (id: string): string => columns.get(id) ?? cells.get(id) ?? id;
  const definition = Object.fromEntries(next.columns.map((column) => [rename(column.id), { ...column, id: rename(column.id) }]));
  const data = { ...table.data, view: renamed(next.view, columns), definition: definition as Json, records: records as Json };
  return { ...table, data, fragments: (table.fragments ?? []).map((part) => ({ ...part, ...(part.fragment !== undefined && { fragment: rename(part.fragment) }) })) };
}

function matchColumns(next: TableColumn[], before: TableColumn[]): Map<string, string> {
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
  return out;
}

/** Pairs of records compared by words; beyond it only equal ones and equal places count. */
const MAX_PAIRS = 10_000;

type Read = ReturnType<typeof readTable>;

function matchRecords(next: Read, before: Read, columns: Map<string, string>, cells: Map<string, string>): { [id: string]: TableRecord } {
  const signatures = new Signatures();
  const shown = (read: Read, row: TableRecord): string => read.columns.map((column) => cellText(signatures, read, column, row)).join('\u0002');
  const words = (read: Read, row: TableRecord): string[] => read.columns.flatMap((column) => (cellNodes(read, column, row.values[column.id]) ?? []).flatMap((node) => wordsOf(node)));
  const oldIds = recordIds(before);
  const olds = before.rows.map((row, at) => ({ row, at, id: oldIds.get(row) ?? '', text: shown(before, row), words: words(before, row), used: false }));
  const ids = recordIds(next);
  const news = next.rows.map((row, at) => ({ row, at, id: ids.get(row) ?? '', text: shown(next, row), words: words(next, row), partner: undefined as (typeof olds)[number] | undefined }));
  const same = new Map<string, typeof olds>();
  for (const old of [...olds].reverse()) {
    const alike = same.get(old.text);
    if (alike) alike.push(old);
    else same.set(old.text, [old]);
  }
  for (const each of news) claim(each, same.get(each.text)?.pop());
  const open = news.filter((each) => !each.partner).length * olds.filter((old) => !old.used).length;
  for (const each of news) if (!each.partner && open <= MAX_PAIRS) claim(each, olds.find((old) => !old.used && similarity(old.words, each.words) >= 0.5));
  if (news.length === olds.length) for (const each of news) if (!each.partner && olds[each.at]?.used === false) claim(each, olds[each.at]);
  return Object.fromEntries(news.map((each) => [each.partner?.id ?? each.id, record(each.row, each.partner?.row, columns, (id, old) => next.cells.has(id) && before.cells.has(old), cells)]));
}

function claim<T extends { used: boolean }>(each: { partner: T | undefined }, old: T | undefined): void {
  if (!old) return;
  old.used = true;
  each.partner = old;
}

function record(row: TableRecord, old: TableRecord | undefined, columns: Map<string, string>, areCells: (id: string, old: string) => boolean, cells: Map<string, string>): TableRecord {
  const values = Object.entries(row.values).map(([column, value]): [string, Json | undefined] => {
    const id = columns.get(column) ?? column;
    const before = old?.values[id];
    if (typeof value !== 'string' || typeof before !== 'string' || !areCells(value, before)) return [id, value];
    cells.set(value, before);
    return [id, before];
  });
  return { ...row, values: Object.fromEntries(values) };
}

function recordIds(read: Read): Map<TableRecord, string> {
  const records = (read.data['records'] ?? {}) as unknown as { [id: string]: TableRecord };
  return new Map(Object.entries(records).map(([id, row]) => [row, id]));
}

function cellText(signatures: Signatures, read: Read, column: TableColumn, row: TableRecord): string {
  const value = row.values[column.id];
  const nodes = cellNodes(read, column, value);
  return nodes ? signatures.all(nodes) : JSON.stringify(value ?? null);
}
