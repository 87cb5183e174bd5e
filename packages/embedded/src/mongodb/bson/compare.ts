import { keyOf, orderOf } from './key.js';
import { isNumber, T, type Elem } from './view.js';

const plain = (v: Elem): number | undefined => {
  if (v.t === T.int32) return v.b.readInt32LE(v.s);
  if (v.t !== T.double) return undefined;
  const n = v.b.readDoubleLE(v.s);
  return Number.isNaN(n) ? undefined : n;
};

/** MongoDB's comparison order of two values: negative, zero or positive. */
export function compareElems(a: Elem, b: Elem): number {
  const x = plain(a);
  const y = x === undefined ? undefined : plain(b);
  if (x !== undefined && y !== undefined) return x - y;
  const rank = orderOf(a.t) - orderOf(b.t);
  if (rank !== 0) return rank;
  if (a.t === T.string && b.t === T.string) return a.b.compare(b.b, b.s + 4, b.e - 1, a.s + 4, a.e - 1);
  if (a.t === T.objectId || a.t === T.bool) return a.b.compare(b.b, b.s, b.e, a.s, a.e);
  return keyOf(a).compare(keyOf(b));
}

export const sameBytes = (a: Elem, b: Elem): boolean =>
  a.e - a.s === b.e - b.s && a.b.compare(b.b, b.s, b.e, a.s, a.e) === 0;

/** Equality by MongoDB's rules: numbers by value, objects with the same fields in the same order. */
export function equalElems(a: Elem, b: Elem): boolean {
  if (a.t === b.t && sameBytes(a, b)) return true;
  if (isNumber(a.t) ? !isNumber(b.t) : orderOf(a.t) !== orderOf(b.t)) return false;
  if (a.t === T.objectId || a.t === T.string) return a.t !== b.t && keyOf(a).equals(keyOf(b));
  return compareElems(a, b) === 0;
}
