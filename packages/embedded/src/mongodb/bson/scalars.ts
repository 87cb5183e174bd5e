import { T, type Elem } from './view.js';
import { decimalToNumber, readDecimal } from './decimal.js';

/** Text of a string, symbol or code. */
export const textOf = (v: Elem): string => v.b.toString('utf8', v.s + 4, v.e - 1);

/** The number as a JavaScript number (nearest double); undefined for other types. */
export function numberOf(v: Elem | undefined): number | undefined {
  switch (v?.t) {
    case T.int32:
      return v.b.readInt32LE(v.s);
    case T.double:
      return v.b.readDoubleLE(v.s);
    case T.int64:
      return Number(v.b.readBigInt64LE(v.s));
    case T.decimal:
      return decimalToNumber(readDecimal(v.b, v.s));
    default:
      return undefined;
  }
}

/** MongoDB's notion of true: everything except false, null, undefined, missing and zero. */
export function truthy(v: Elem | undefined): boolean {
  if (v === undefined || v.t === T.null || v.t === T.undefined) return false;
  if (v.t === T.bool) return v.b[v.s] === 1;
  const n = numberOf(v);
  return n === undefined || n !== 0;
}

/** Pattern and flags of a regular expression. */
export function regexOf(v: Elem): { pattern: string; flags: string } {
  const end = v.b.indexOf(0, v.s);
  return { pattern: v.b.toString('utf8', v.s, end), flags: v.b.toString('utf8', end + 1, v.e - 1) };
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  [T.double]: 'double',
  [T.string]: 'string',
  [T.object]: 'object',
  [T.array]: 'array',
  [T.binary]: 'binData',
  [T.undefined]: 'undefined',
  [T.objectId]: 'objectId',
  [T.bool]: 'bool',
  [T.date]: 'date',
  [T.null]: 'null',
  [T.regex]: 'regex',
  [T.dbPointer]: 'dbPointer',
  [T.code]: 'javascript',
  [T.symbol]: 'symbol',
  [T.codeWScope]: 'javascriptWithScope',
  [T.int32]: 'int',
  [T.timestamp]: 'timestamp',
  [T.int64]: 'long',
  [T.decimal]: 'decimal',
  [T.minKey]: 'minKey',
  [T.maxKey]: 'maxKey',
};

/** MongoDB's alias of a type byte, as `$type` knows it. */
export const typeName = (t: number): string => TYPE_NAMES[t] ?? 'unknown';

/** Type bytes that a `$type` alias stands for; undefined for an unknown alias. */
export function typesNamed(alias: string): number[] | undefined {
  if (alias === 'number') return [T.double, T.int32, T.int64, T.decimal];
  const found = Object.entries(TYPE_NAMES).find(([, name]) => name === alias);
  return found === undefined ? undefined : [Number(found[0])];
}
