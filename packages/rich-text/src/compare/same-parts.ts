import { type Signatures } from '../model/signature.js';
import { readTable, recordsInOrder, renamed, type Table } from '../model/table.js';
import { type Block, type Data, type TableRecord } from '../model/types.js';
import { tableIds } from '../model/walk.js';
import { addedAlike, type Side } from './added-alike.js';
import { type Work } from './words.js';

type Tables = [mine: Block, other: Block];

/** The names that two tables have for the same things: of two names both take the lesser, so that it does not matter which side is which. */
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
    return [withNames(mine, this.names[0]), withNames(other, this.names[1])];
  }
}

function withNames(table: Block, names: ReadonlyMap<string, string>): Block {
  if (names.size === 0) return table;
  const parts = table.fragments?.map((part) => (part.fragment === undefined ? part : { ...part, fragment: names.get(part.fragment) ?? part.fragment }));
  return { ...table, data: renamed(table.data, names) as Data, ...(parts && { fragments: parts }) };
}

/** Both tables with one name for each column and each row that both added alike at the same place; the same tables where there is none. */
export function sameParts(base: Block | undefined, ours: Block, theirs: Block, signatures: Signatures, work: Work): Tables {
  const before = base && readTable(base);
  return withSameRows(before, withSameColumns(before, [ours, theirs], work), signatures, work);
}

function withSameColumns(before: Table | undefined, [ours, theirs]: Tables, work: Work): Tables {
  const names = new Names([ours, theirs]);
  const known = (before?.columns ?? []).map(({ id }) => id);
  const said = (table: Block): ReadonlyMap<string, string> => new Map(readTable(table).columns.map(({ id, title, type }) => [id, JSON.stringify([title, type])]));
  const side = (own: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): Side => sideOf([...own.keys()], [...known, ...others.keys()], (id) => own.get(id) ?? '');
  const [mine, other] = [said(ours), said(theirs)];
  for (const pair of addedAlike(side(mine, other), side(other, mine), work)) names.add(...pair);
  return names.given();
}

/** A table with its records by their ids. */
type Read = Table & { records: ReadonlyMap<string, TableRecord> };

const readWhole = (table: Block): Read => ({ ...readTable(table), records: new Map(recordsInOrder(table.data['records'])) });

function withSameRows(before: Table | undefined, [ours, theirs]: Tables, signatures: Signatures, work: Work): Tables {
  const names = new Names([ours, theirs]);
  const [mine, other] = [readWhole(ours), readWhole(theirs)];
  const known = recordsInOrder(before?.data['records']).map(([id]) => id);
  const side = (own: Read, others: Read): Side => sideOf([...own.records.keys()], [...known, ...others.records.keys()], (id) => rowText(signatures, own, own.records.get(id)));
  const added = addedAlike(side(mine, other), side(other, mine), work);
  const shared = [...mine.records.keys()].filter((id) => other.records.has(id)).map((id): [string, string] => [id, id]);
  for (const [a, b] of [...added, ...shared]) {
    names.add(a, b);
    const [values, others] = [mine.records.get(a)?.values ?? {}, other.records.get(b)?.values ?? {}];
    for (const [column, cell] of Object.entries(values)) {
      const also = others[column];
      if (typeof cell === 'string' && typeof also === 'string' && mine.cells.has(cell) && other.cells.has(also)) names.add(cell, also);
    }
  }
  return names.given();
}

/** What a row says in columns of the same names, wherever they stand. */
function rowText(signatures: Signatures, read: Read, row: TableRecord | undefined): string {
  const cells = read.columns.map((column): [string, string] => [column.id, row ? signatures.cell(read, column, row) : '']);
  return JSON.stringify(cells.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sideOf(keys: readonly string[], known: Iterable<string>, textOf: Side['textOf']): Side {
  const all = new Set(known);
  return { keys, isKnown: (key) => all.has(key), textOf };
}
