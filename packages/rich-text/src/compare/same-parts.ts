import { ownValue } from '../model/json.js';
import { type Signatures } from '../model/signature.js';
import { readTable, recordsInOrder, withIds, type Table } from '../model/table.js';
import { type Block, type TableRecord } from '../model/types.js';
import { tableIds } from '../model/walk.js';
import { addedAlike, type Alike, type Side } from './added-alike.js';
import { inOrder } from './in-order.js';
import { type Work } from './work.js';

type Tables = [mine: Block, other: Block];

/**
 * The names that two tables have for the same things: of two names both take the lesser, so that it does not matter
 * which side is which.
 */
class Names {
  private readonly names = [new Map<string, string>(), new Map<string, string>()] as const;
  private readonly taken: ReadonlyArray<ReadonlySet<string>>;

  constructor(private readonly tables: Tables) {
    this.taken = tables.map((table) => new Set(tableIds(table)));
  }

  add(mine: string, other: string): void {
    const loser = mine < other ? 1 : 0;
    const [lesser, greater] = loser === 1 ? [mine, other] : [other, mine];
    if (!this.taken[loser]?.has(lesser)) this.names[loser].set(greater, lesser);
  }

  given(): Tables {
    const [mine, other] = this.tables;
    return [withIds(mine, this.names[0]), withIds(other, this.names[1])];
  }
}

/**
 * Both tables with one name for each column and each row that both added alike at the same place; the same tables where
 * there is none.
 */
export function sameParts(
  base: Block | undefined,
  ours: Block,
  theirs: Block,
  signatures: Signatures,
  work: Work,
): Tables {
  const before = base && readTable(base);
  return withSameRows(before, withSameColumns(before, [ours, theirs], work), signatures, work);
}

function withSameColumns(before: Table | undefined, [ours, theirs]: Tables, work: Work): Tables {
  const names = new Names([ours, theirs]);
  const known = (before?.columns ?? []).map(({ id }) => id);
  const said = (table: Block): ReadonlyMap<string, string> =>
    new Map(readTable(table).columns.map(({ id, title, type }) => [id, JSON.stringify([title, type])]));
  const [mine, other] = [said(ours), said(theirs)];
  const alike: Alike = (a, b) =>
    inOrder(
      a.map((id) => mine.get(id) ?? ''),
      b.map((id) => other.get(id) ?? ''),
      work,
    );
  for (const pair of addedAlike(
    sideOf(mine, [...known, ...other.keys()]),
    sideOf(other, [...known, ...mine.keys()]),
    alike,
  ))
    names.add(...pair);
  return names.given();
}

/** A table with its records by their ids. */
type Read = Table & { records: ReadonlyMap<string, TableRecord> };

const readWhole = (table: Block): Read => ({
  ...readTable(table),
  records: new Map(recordsInOrder(table.data['records'])),
});

function withSameRows(before: Table | undefined, [ours, theirs]: Tables, signatures: Signatures, work: Work): Tables {
  const names = new Names([ours, theirs]);
  const [mine, other] = [readWhole(ours), readWhole(theirs)];
  const known = recordsInOrder(before?.data['records']).map(([id]) => id);
  const textOf =
    (read: Read) =>
    (id: string): string =>
      rowText(signatures, read, read.records.get(id));
  const alike: Alike = (a, b) => inOrder(a.map(textOf(mine)), b.map(textOf(other)), work);
  const added = addedAlike(
    sideOf(mine.records, [...known, ...other.records.keys()]),
    sideOf(other.records, [...known, ...mine.records.keys()]),
    alike,
  );
  const shared = [...mine.records.keys()].filter((id) => other.records.has(id)).map((id): [string, string] => [id, id]);
  for (const [a, b] of [...added, ...shared]) {
    names.add(a, b);
    const [values, others] = [mine.records.get(a)?.values ?? {}, other.records.get(b)?.values ?? {}];
    for (const [column, cell] of Object.entries(values)) {
      const also = ownValue(others, column);
      if (typeof cell === 'string' && typeof also === 'string' && mine.cells.has(cell) && other.cells.has(also))
        names.add(cell, also);
    }
  }
  return names.given();
}

/** What a row says in columns of the same names, wherever they stand. */
function rowText(signatures: Signatures, read: Read, row: TableRecord | undefined): string {
  const cells = read.columns.map((column): [string, string] => [
    column.id,
    row ? signatures.cell(read, column, row) : '',
  ]);
  return JSON.stringify(cells.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sideOf(own: ReadonlyMap<string, unknown>, known: Iterable<string>): Side {
  const all = new Set(known);
  return { keys: [...own.keys()], isKnown: (key) => all.has(key) };
}
