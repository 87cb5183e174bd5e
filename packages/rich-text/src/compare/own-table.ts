import { APART } from '../model/canonical.js';
import { fragmentRule } from '../model/content.js';
import { isObject, ownValue } from '../model/json.js';
import { keysFrom } from '../model/keys.js';
import { filled } from '../model/fitting.js';
import { sameJson } from '../model/same.js';
import { readTable, recordsInOrder } from '../model/table.js';
import { type Block, type Data, type Fragment, type Json, type Node, type RichDocument } from '../model/types.js';
import { wordsOf } from './alike.js';
import { mergeJson, type MergeSpecial } from './json-merge.js';
import { mergeOrder } from './order.js';
import { replacedByBoth, type Replacement } from './replaced.js';
import { blocksIn } from './tree-index.js';

const CELL = '\u0000cell';

export type MergeDocuments = (
  base: RichDocument,
  ours: RichDocument,
  theirs: RichDocument,
) => { document: RichDocument; conflicts: unknown[] };

const order = (block: Block | undefined): string[] => recordsInOrder(block?.data['records']).map(([id]) => id);

/**
 * The data of a table with the cells inside their records, so that a record and its texts are one value. The order of
 * records is left out.
 */
function withCells(block: Block): Data {
  const { records } = block.data;
  if (!isObject(records)) return block.data;
  const cells = new Map((block.fragments ?? []).map((part) => [part.fragment ?? '', part]));
  const inlined = recordsInOrder(records).map(([id, { orderIndex: _order, ...record }]): [string, Json] => {
    const values = Object.entries(record.values).map(([column, value]): [string, Json | undefined] => {
      const part = typeof value === 'string' ? cells.get(value) : undefined;
      return [column, part ? { [CELL]: part as Json } : value];
    });
    return [id, { ...record, values: Object.fromEntries(values) }];
  });
  return { ...block.data, records: { ...records, ...Object.fromEntries(inlined) } };
}

/** Undoes `withCells`: data and fragments of a table, with the sort keys of its records taken from `sorted`. */
function withoutCells(data: Data, sorted: ReadonlyMap<string, Json>): { data: Data; fragments: Fragment[] } {
  const fragments: Fragment[] = [];
  const { records } = data;
  if (!isObject(records)) return { data, fragments };
  const outlined = recordsInOrder(records).map(([id, record]): [string, Json] => {
    const values = Object.entries(record.values).map(([column, value]): [string, Json | undefined] => {
      if (!isObject(value) || value[CELL] === undefined) return [column, value];
      const part = value[CELL] as Fragment;
      fragments.push(part);
      return [column, part.fragment];
    });
    return [id, { ...record, orderIndex: sorted.get(id), values: Object.fromEntries(values) }];
  });
  return { data: { ...data, records: { ...records, ...Object.fromEntries(outlined) } }, fragments };
}

/** True when two tables say the same in the same order, whatever their records are sorted by. */
export function sameTable(a: Block, b: Block, skip: ReadonlySet<string>): boolean {
  return sameJson(withCells(a), withCells(b), skip) && sameJson(order(a), order(b));
}

const documentOf = (nodes: Node[]): RichDocument => ({ object: 'document', data: {}, nodes: blocksIn(nodes) });

/** Cells merge as small documents; a conflict inside is one of the table. */
const cellMerge =
  (mergeDocuments: MergeDocuments): MergeSpecial =>
  (before, mine, other) => {
    if (!isObject(mine) || !isObject(other) || mine[CELL] === undefined || other[CELL] === undefined) return undefined;
    const was = isObject(before) ? (before[CELL] as Fragment | undefined) : undefined;
    const [is, will] = [mine[CELL], other[CELL]] as [Fragment, Fragment];
    const merged = mergeDocuments(documentOf(was?.nodes ?? []), documentOf(is.nodes), documentOf(will.nodes));
    return merged.conflicts.length > 0 ? null : { [CELL]: withNodes(is, merged.document.nodes) as Json };
  };

/** A cell with other blocks, filled where none is left. */
function withNodes(cell: Fragment, nodes: Node[]): Fragment {
  const rule = fragmentRule('table', cell.fragment);
  return { ...cell, nodes: rule ? filled(nodes, rule, keysFrom(cell.fragment ?? '')) : nodes };
}

/** The sort key of each record: the one that the sides agree on, or numbers if these keys would give another order. */
function sortedBy(ids: readonly string[], base: Block | undefined, ours: Block, theirs: Block): Map<string, Json> {
  const [was, mine, other] = [base, ours, theirs].map(
    (block) => new Map(recordsInOrder(block?.data['records']).map(([id, { orderIndex }]) => [id, orderIndex])),
  );
  const agreed = ids.map((id) => {
    const [a, b] = [mine?.get(id), other?.get(id)];
    if (a === undefined || b === undefined || a === b) return a ?? b;
    const before = was?.get(id);
    return a === before ? b : b === before ? a : undefined;
  });
  const inOrder = agreed.every((each, at) => each !== undefined && (at === 0 || String(agreed[at - 1]) < String(each)));
  return new Map(ids.map((id, at) => [id, (inOrder ? agreed[at] : undefined) ?? String(at).padStart(6, '0')]));
}

/** True for a value or a cell without anything in it. */
function isBlank(value: Json | undefined): boolean {
  if (isObject(value) && value[CELL] !== undefined) return wordsOf(value[CELL] as Fragment).length === 0;
  return value === undefined || value === null || value === '';
}

/**
 * The data of a table in which rows that `gone` deleted do not count as edited only because `left` added or removed
 * columns. Such a row is put back as it was in the base, unless a new column has a value in it.
 */
function unedited(base: Data, left: Data, gone: Data): Data {
  const [was, is, other] = [base['records'], left['records'], gone['records']];
  if (!isObject(was) || !isObject(is) || !isObject(other)) return left;
  const [had, has] = [base, left].map(({ definition }) => (isObject(definition) ? definition : {})) as [Data, Data];
  const stayed = ([column, value]: [string, Json | undefined]): boolean =>
    Object.hasOwn(had, column) === Object.hasOwn(has, column) || (Object.hasOwn(has, column) && !isBlank(value));
  const common = (record: Json | undefined): Json | undefined =>
    isObject(record) && isObject(record['values'])
      ? { ...record, values: Object.fromEntries(Object.entries(record['values']).filter(stayed)) }
      : record;
  const records = Object.entries(is).map(([id, record]): [string, Json | undefined] => {
    const before = ownValue(was, id);
    const isSame = before !== undefined && !Object.hasOwn(other, id) && sameJson(common(before), common(record), APART);
    return [id, isSame ? before : record];
  });
  return { ...left, records: Object.fromEntries(records) };
}

const columnsOf = (block: Block | undefined): string[] => (block ? readTable(block).columns.map(({ id }) => id) : []);

/** The rows, or the columns, by which both sides replaced the same rows or columns. */
function replacedIn(
  idsOf: (block: Block | undefined) => string[],
  was: Block | undefined,
  mine: Block,
  other: Block,
): Replacement[] {
  const [base, ours, theirs] = [idsOf(was), idsOf(mine), idsOf(other)];
  const [before, here, there] = [new Set(base), new Set(ours), new Set(theirs)];
  return replacedByBoth({
    base,
    ours,
    theirs,
    isGone: (id) => !here.has(id) && !there.has(id),
    isNew: (id) => !before.has(id) && !(here.has(id) && there.has(id)),
  });
}

/** The data of a table without some of its records. */
function without(data: Data, ids: readonly string[]): Data {
  const { records } = data;
  if (ids.length === 0 || !isObject(records)) return data;
  const dropped = new Set(ids);
  return { ...data, records: Object.fromEntries(Object.entries(records).filter(([id]) => !dropped.has(id))) };
}

/** Three-way merge of tables by record and cell; the order of the records merges like that of blocks. */
export function mergeTable(
  base: Block | undefined,
  ours: Block,
  theirs: Block,
  mergeDocuments: MergeDocuments,
): { data: Data; fragments: Fragment[]; conflict: boolean } {
  if (replacedIn(columnsOf, base, ours, theirs).length > 0)
    return { data: ours.data, fragments: ours.fragments ?? [], conflict: true };
  const replaced = replacedIn(order, base, ours, theirs);
  const [was, mine] = [base && withCells(base), withCells(ours)];
  const other = without(
    withCells(theirs),
    replaced.flatMap((each) => each.other),
  );
  const sides = was ? [unedited(was, mine, other), unedited(was, other, mine)] : [mine, other];
  const merged = mergeJson(was, sides[0], sides[1], cellMerge(mergeDocuments));
  const data = (merged.value ?? {}) as Data;
  const members = new Set(recordsInOrder(data['records']).map(([id]) => id));
  const rows = mergeOrder(order(base), order(ours), order(theirs), members);
  return {
    ...withoutCells(data, sortedBy(rows.order, base, ours, theirs)),
    conflict: merged.conflict || rows.conflict || replaced.length > 0,
  };
}
