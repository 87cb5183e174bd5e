import { APART, canonical } from '../model/canonical.js';
import { isObject } from '../model/json.js';
import { Signatures } from '../model/signature.js';
import { readTable, recordsInOrder, type Table } from '../model/table.js';
import { type Block, type TableRecord } from '../model/types.js';
import { movedFrom } from './order.js';

/** Parts of a table that changed, by their ids: rows by the id of the record, columns by their own. */
export type PartChanges = { added: string[]; removed: string[]; moved: string[]; changed: string[] };
export type TableChanges = { rows: PartChanges; columns: PartChanges };

/** What changed in a table. A row changed when it says something else in a column that both tables have. */
export function tableChanges(before: Block, after: Block): TableChanges {
  const [old, now] = [readTable(before), readTable(after)];
  const columns = partChanges(columnTexts(old), columnTexts(now));
  const were = new Set(old.columns.map(({ id }) => id));
  const common = new Set(now.columns.map(({ id }) => id).filter((id) => were.has(id)));
  const signatures = new Signatures();
  return { rows: partChanges(rowTexts(old, common, signatures), rowTexts(now, common, signatures)), columns };
}

function partChanges(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): PartChanges {
  const stayed = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
    [...a.keys()].filter((id) => b.has(id));
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    moved: [...movedFrom(stayed(old, now), stayed(now, old))],
    changed: stayed(now, old).filter((id) => old.get(id) !== now.get(id)),
  };
}

const columnTexts = ({ columns }: Table): Map<string, string> =>
  new Map(columns.map((column) => [column.id, canonical({ ...column, id: '' })]));

/** A value that is no record is compared as JSON. */
function rowTexts(table: Table, common: ReadonlySet<string>, signatures: Signatures): Map<string, string> {
  const { records } = table.data;
  const columns = table.columns.filter(({ id }) => common.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const textOf = (row: TableRecord): string => {
    const { values: _values, orderIndex: _order, ...rest } = row;
    return JSON.stringify([canonical(rest, APART), ...columns.map((column) => signatures.cell(table, column, row))]);
  };
  const inOrder = recordsInOrder(records).map(([id, row]): [string, string] => [id, textOf(row)]);
  const known = new Set(inOrder.map(([id]) => id));
  const odd = Object.entries(isObject(records) ? records : {})
    .filter(([id]) => !known.has(id))
    .map(([id, record]): [string, string] => [id, canonical(record, APART)]);
  return new Map([...inOrder, ...odd]);
}
