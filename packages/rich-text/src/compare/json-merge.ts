import { isObject, ownValue } from '../model/json.js';
import { sameJson } from '../model/same.js';
import { type Data, type Json } from '../model/types.js';
import { mergeOrder } from './order.js';

/**
 * How values that only the caller understands are merged; undefined when it is not such a value, null when it cannot
 * be.
 */
export type MergeSpecial = (base: Json | undefined, ours: Json, theirs: Json) => Json | null | undefined;
export type JsonMerge = { value: Json | undefined; conflict: boolean };

const isList = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length;
const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameJson(a, b));

/**
 * Three-way merge of plain values, property by property; lists of distinct words as ordered sets. On conflict ours
 * stays.
 */
export function mergeJson(
  base: Json | undefined,
  ours: Json | undefined,
  theirs: Json | undefined,
  special: MergeSpecial = () => undefined,
): JsonMerge {
  if (same(ours, theirs) || same(base, theirs)) return { value: ours, conflict: false };
  if (same(base, ours)) return { value: theirs, conflict: false };
  if (ours === undefined || theirs === undefined) return { value: ours ?? theirs, conflict: true };
  return mergeChanged(base, ours, theirs, special);
}

/** Both sides changed the value, each in its own way. */
function mergeChanged(base: Json | undefined, ours: Json, theirs: Json, special: MergeSpecial): JsonMerge {
  const own = special(base, ours, theirs);
  if (own !== undefined) return own === null ? { value: ours, conflict: true } : { value: own, conflict: false };
  if (isObject(ours) && isObject(theirs)) return mergeObjects(isObject(base) ? base : {}, ours, theirs, special);
  if (isList(ours) && isList(theirs)) return mergeLists(isList(base) ? base : [], ours, theirs);
  return { value: ours, conflict: true };
}

function mergeObjects(base: Data, ours: Data, theirs: Data, special: MergeSpecial): JsonMerge {
  const names = mergeOrder(
    Object.keys(base),
    Object.keys(ours),
    Object.keys(theirs),
    new Set([...Object.keys(ours), ...Object.keys(theirs)]),
  ).order;
  const value: Data = {};
  let conflict = false;
  for (const name of names) {
    const merged = mergeJson(ownValue(base, name), ownValue(ours, name), ownValue(theirs, name), special);
    conflict ||= merged.conflict;
    if (merged.value !== undefined) value[name] = merged.value;
  }
  return { value, conflict };
}

function mergeLists(base: string[], ours: string[], theirs: string[]): JsonMerge {
  const [o, a, b] = [new Set(base), new Set(ours), new Set(theirs)];
  const members = new Set([...ours, ...theirs].filter((item) => (a.has(item) && b.has(item)) || !o.has(item)));
  const { order, conflict } = mergeOrder(base, ours, theirs, members);
  return { value: order, conflict };
}
