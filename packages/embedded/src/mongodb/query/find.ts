import type { Elem } from '../bson/index.js';
import type { Collection } from '../store/model.js';
import type { Records, Stored } from '../store/records.js';
import type { Storage } from '../store/storage.js';
import { hintOf } from './hint.js';
import type { Node } from '../filter/node.js';
import { plan, type Plan } from './planner.js';
import { project, type Projection } from './projection.js';
import { scan, type Counters } from './scan.js';
import { sortInMemory, type SortField } from './sort.js';

/** Where documents are read from. */
export interface Source {
  readonly storage: Storage;
  readonly records: Records;
}

/** A find as the command describes it. */
export interface FindQuery {
  readonly filter: Node;
  readonly sort: readonly SortField[];
  readonly skip: number;
  /** Infinity when unlimited. */
  readonly limit: number;
  readonly projection: Projection | undefined;
  readonly hint: Elem | undefined;
}

export const planFind = (collection: Collection, q: FindQuery): Plan =>
  plan(collection, q.filter, q.sort, hintOf(collection, q.hint));

/** Stored documents of a plan in the order asked for, sorted in memory where the plan does not give the order. */
export function* ordered(
  source: Source,
  p: Plan,
  sort: readonly SortField[],
  keep: number,
  counters: Counters,
): Generator<Stored | undefined, void, undefined> {
  const found = scan(source.storage, source.records, p, counters, p.sorted ? keep : Infinity);
  if (p.sorted) {
    yield* found;
    return;
  }
  const all: Stored[] = [];
  yield* sortInMemory(found, all, sort, keep, (s) => s.doc);
  yield* all;
}

/** The documents of a find, projected; `undefined` marks a place to pause at. */
export function* results(
  source: Source,
  p: Plan,
  q: FindQuery,
  counters: Counters,
): Generator<Buffer | undefined, void, undefined> {
  let skip = q.skip;
  let left = q.limit;
  for (const stored of ordered(source, p, q.sort, q.skip + q.limit, counters)) {
    if (stored === undefined) yield undefined;
    else if (skip > 0) skip -= 1;
    else {
      yield q.projection === undefined ? stored.doc : project(q.projection, stored.doc);
      left -= 1;
      if (left <= 0) return;
    }
  }
}
