import { T, textOf, type Elem } from '../bson/index.js';
import { badValue } from '../bson/errors.js';
import type { Collection, Index } from '../store/model.js';
import { naturalOrder, parseSort, type SortField } from './sort.js';

/** What a caller may say about the index: a name, a key pattern, `$natural`, or nothing. */
export interface Hint {
  readonly index: Index | undefined;
  readonly naturalReverse: boolean;
}

/** Reads a hint of a command. Throws BadValue when no such index exists, or when it is hidden. */
export function hintOf(c: Collection, v: Elem | undefined): Hint | undefined {
  if (v === undefined) return undefined;
  if (v.t === T.string) {
    const name = textOf(v);
    return { index: found(c.indexes.find((i) => i.name === name)), naturalReverse: false };
  }
  const fields = parseSort(v);
  if (fields.length === 0) return undefined;
  const natural = naturalOrder(fields);
  if (natural !== undefined) return { index: undefined, naturalReverse: natural < 0 };
  return { index: found(c.indexes.find((i) => samePattern(i, fields))), naturalReverse: false };
}

const samePattern = (index: Index, fields: readonly SortField[]): boolean =>
  index.fields.length === fields.length &&
  index.fields.every((f, i) => f.path.text === fields[i]?.path.text && f.descending === fields[i].descending);

function found(index: Index | undefined): Index {
  if (index === undefined || index.hidden)
    throw badValue(
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  return index;
}
