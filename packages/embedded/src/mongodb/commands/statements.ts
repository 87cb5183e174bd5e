import { failedToParse, ServerError } from '../bson/errors.js';
import { docElem, items, numberOf, truthy, type Elem } from '../bson/index.js';
import { anything, bool, collation, hint, listOf, missingOption, object, readOptions, ruleTable } from '../options.js';
import { filterOf } from '../filter/parse.js';
import type { Node } from '../filter/node.js';
import { parseFieldSort, type SortField } from '../query/sort.js';
import { parseUpdate, type Update } from '../update/spec.js';

/** Which documents a statement is about. */
export interface Selection {
  readonly filter: Node;
  readonly hint: Elem | undefined;
  readonly multi: boolean;
  /** Which of several comes first, for a statement about one. */
  readonly sort: readonly SortField[];
}

/** One statement of an update command. */
export interface UpdateStatement extends Selection {
  readonly update: Update;
  readonly upsert: boolean;
}

export const updateRules = ruleTable({
  q: object,
  u: anything,
  c: object,
  multi: bool,
  upsert: bool,
  arrayFilters: listOf(object),
  hint,
  collation,
  sort: object,
});

export function updateStatement(doc: Buffer): UpdateStatement {
  const where = 'update.updates';
  const f = readOptions(docElem(doc), where, updateRules);
  const u = f.get('u');
  if (u === undefined) throw missingOption(where, 'u');
  const filters = f.get('arrayFilters');
  const update = parseUpdate(u, filters === undefined ? undefined : items(filters));
  if (f.has('c')) throw new ServerError(51198, 'Constant values may only be specified for pipeline updates');
  const multi = truthy(f.get('multi'));
  const sort = f.get('sort');
  if (multi && update.k === 'replace')
    throw failedToParse('multi update is not supported for replacement-style update');
  if (multi && sort !== undefined) throw failedToParse('Cannot specify sort with multi=true');
  return {
    filter: required(f, where),
    update,
    multi,
    upsert: truthy(f.get('upsert')),
    hint: f.get('hint'),
    sort: parseFieldSort(sort),
  };
}

export const deleteRules = ruleTable({ q: object, limit: anything, hint, collation });

export function deleteStatement(doc: Buffer): Selection {
  const where = 'delete.deletes';
  const f = readOptions(docElem(doc), where, deleteRules);
  const limit = f.get('limit');
  if (limit === undefined) throw missingOption(where, 'limit');
  const n = numberOf(limit);
  if (n !== 0 && n !== 1)
    throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${n ?? 'something else'}`);
  return { filter: required(f, where), hint: f.get('hint'), multi: n === 0, sort: [] };
}

function required(f: ReadonlyMap<string, Elem>, where: string): Node {
  const q = f.get('q');
  if (q === undefined) throw missingOption(where, 'q');
  return filterOf(q);
}
