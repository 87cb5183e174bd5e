import {
  compareElems,
  compoundKey,
  entries,
  items,
  numberOf,
  parsePath,
  T,
  visit,
  type Elem,
  type Path,
} from '../bson/index.js';
import { badValue, ServerError, typeMismatch } from '../bson/errors.js';

/** One field of an order. */
export interface SortField {
  readonly path: Path;
  readonly descending: boolean;
}

const MAX_SORT_BYTES = 100 * 1024 * 1024;

const MAX_FIELDS = 32;

/** Parses `{ a: 1, b: -1 }`. Throws BadValue / TypeMismatch as the server does. */
export function parseSort(v: Elem | undefined): SortField[] {
  if (v === undefined) return [];
  if (v.t !== T.object) throw typeMismatch(`Expected field sort to be of type object`);
  const names = new Set<string>();
  const fields = entries(v).map(([name, dir]) => {
    const n = numberOf(dir);
    if (n === undefined) throw badValue(`Illegal key in $sort specification: ${name}`);
    if (n !== 1 && n !== -1)
      throw new ServerError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    if (name === '') throw new ServerError(40352, 'FieldPath cannot be constructed with empty string');
    if (names.has(name)) throw new ServerError(7472500, `$sort key must not contain duplicate keys (field: '${name}')`);
    names.add(name);
    return { path: parsePath(name), descending: n < 0 };
  });
  if (fields.length > MAX_FIELDS) throw new ServerError(13103, 'too many compound keys');
  return fields;
}

/** Parses an order by fields alone: `$natural` and its like are refused as names of fields. */
export function parseFieldSort(v: Elem | undefined): SortField[] {
  const sort = parseSort(v);
  if (sort.some((f) => f.path.parts.some(({ name }) => name.startsWith('$'))))
    throw new ServerError(
      16410,
      "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
    );
  return sort;
}

/**
 * 1 or -1 for `{ $natural: 1 }` or `{ $natural: -1 }`, undefined for an order by fields. @throws BadValue for both
 * together
 */
export function naturalOrder(sort: readonly SortField[]): number | undefined {
  const natural = sort.find((f) => f.path.text === '$natural');
  if (natural === undefined) return undefined;
  if (sort.length > 1) throw badValue("Cannot include '$natural' in compound sort");
  return natural.descending ? -1 : 1;
}

/** Order-preserving key of a document: an array counts as its lowest (descending: highest) element. */
export function sortKey(sort: readonly SortField[], doc: Buffer): Buffer {
  return compoundKey(
    sort.map((f) => representative(f, doc)),
    sort.map((f) => f.descending),
  );
}

const UNDEFINED: Elem = { t: T.undefined, b: Buffer.alloc(0), s: 0, e: 0 };

function representative({ path, descending }: SortField, doc: Buffer): Elem | undefined {
  let best: Elem | undefined;
  let missing = false;
  const consider = (v: Elem): void => {
    if (best === undefined || compareElems(v, best) < 0 !== descending) best = v;
  };
  visit(doc, 0, path, (v) => {
    if (v === undefined) missing = true;
    else if (v.t === T.array) {
      const list = items(v);
      if (list.length === 0) consider(UNDEFINED);
      list.forEach(consider);
    } else consider(v);
    return false;
  });
  if (best === undefined || !missing) return best;
  return descending || orderBelowNull(best) ? best : undefined;
}

const orderBelowNull = (v: Elem): boolean => v.t === T.minKey || v.t === T.undefined;

interface Held<D> {
  readonly key: Buffer;
  readonly item: D;
  readonly at: number;
}

const inOrder = (a: Held<unknown>, b: Held<unknown>): number => a.key.compare(b.key) || a.at - b.at;

/**
 * Sorts documents in memory into `out`; only the first `keep` are held on to. Throws 292 above 100 MB.
 * `docOf` gives the bytes to sort an item by. Passes on the places to pause at.
 */
export function* sortInMemory<D>(
  list: Iterable<D | undefined>,
  out: D[],
  sort: readonly SortField[],
  keep: number,
  docOf: (d: D) => Buffer,
): Generator<undefined, void, undefined> {
  let held: Held<D>[] = [];
  let bytes = 0;
  let at = 0;
  for (const item of list) {
    if (item === undefined) {
      yield undefined;
      continue;
    }
    const key = sortKey(sort, docOf(item));
    held.push({ key, item, at });
    at += 1;
    bytes += key.length + docOf(item).length;
    if (held.length >= keep * 2 + 1000 || (bytes > MAX_SORT_BYTES && held.length > keep)) {
      held = held.sort(inOrder).slice(0, keep);
      bytes = held.reduce((sum, h) => sum + h.key.length + docOf(h.item).length, 0);
    }
    if (bytes > MAX_SORT_BYTES) {
      throw new ServerError(
        292,
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes, but did not opt in to external sorting.`,
      );
    }
  }
  for (const h of held.sort(inOrder).slice(0, keep)) out.push(h.item);
}
