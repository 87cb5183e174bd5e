import { T, type Elem } from '../bson/index.js';
import { badValue } from '../errors.js';
import type { Collection, Index } from '../store/model.js';
import type { SortField } from './sort.js';

/** What a caller may say about the index: a name, a key pattern, `$natural`, or nothing. */
export interface Hint {
  readonly index: Index | undefined;
  readonly naturalReverse: boolean;
}

/** Reads a hint of a command. Throws BadValue when no such index exists. */
export function hintOf(
  c: Collection,
  v: Elem | undefined,
  parse: (v: Elem) => SortField[],
  name: (v: Elem) => string,
): Hint | undefined {
  if (v === undefined) return undefined;
  if (v.t === T.string) return { index: found(c.indexes.find((i) => i.name === name(v))), naturalReverse: false };
  if (v.t !== T.object) throw badValue('hint must be either a string or nested object');
  const fields = parse(v);
  if (fields.length === 0) return undefined;
  if (fields[0]?.path.text === '$natural') return { index: undefined, naturalReverse: fields[0].descending };
  return { index: found(c.indexes.find((i) => samePattern(i, fields))), naturalReverse: false };
}

const samePattern = (index: Index, fields: readonly SortField[]): boolean =>
  index.fields.length === fields.length &&
  index.fields.every((f, i) => f.path.text === fields[i]?.path.text && f.descending === fields[i].descending);

function found(index: Index | undefined): Index {
  if (index === undefined)
    throw badValue(
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  return index;
}
