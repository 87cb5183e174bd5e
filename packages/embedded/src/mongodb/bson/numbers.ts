import { addDecimal, multiplyDecimal, readDecimal, toDecimal, writeDecimal, type Decimal } from './decimal.js';
import { T, type Elem } from './view.js';
import { toElem } from './writer.js';

const MAX64 = (1n << 63n) - 1n;
const MIN64 = -(1n << 63n);

const decimalOf = (v: Elem): Decimal => {
  if (v.t === T.decimal) return readDecimal(v.b, v.s);
  return toDecimal(v.t === T.double ? v.b.readDoubleLE(v.s) : integerOf(v));
};

const integerOf = (v: Elem): bigint => (v.t === T.int32 ? BigInt(v.b.readInt32LE(v.s)) : v.b.readBigInt64LE(v.s));

const doubleOf = (v: Elem): number => (v.t === T.double ? v.b.readDoubleLE(v.s) : Number(integerOf(v)));

const decimalElem = (d: Decimal): Elem => ({ t: T.decimal, b: writeDecimal(d), s: 0, e: 16 });

/** Calculates with the wider of the two types; undefined when a 64-bit result overflows. */
function calculate(a: Elem, b: Elem, ops: Operation): Elem | undefined {
  if (a.t === T.decimal || b.t === T.decimal) return decimalElem(ops.decimal(decimalOf(a), decimalOf(b)));
  if (a.t === T.double || b.t === T.double) return toElem({ $double: ops.double(doubleOf(a), doubleOf(b)) });
  const result = ops.integer(integerOf(a), integerOf(b));
  if (result > MAX64 || result < MIN64) return undefined;
  const narrow = a.t === T.int32 && b.t === T.int32 && result <= 2147483647n && result >= -2147483648n;
  return narrow ? toElem(Number(result)) : toElem(result);
}

interface Operation {
  decimal(a: Decimal, b: Decimal): Decimal;
  double(a: number, b: number): number;
  integer(a: bigint, b: bigint): bigint;
}

/** a + b as the server adds them: int32 widens to int64, then double, then decimal. */
export const add = (a: Elem, b: Elem): Elem | undefined =>
  calculate(a, b, { decimal: addDecimal, double: (x, y) => x + y, integer: (x, y) => x + y });

/** a x b, with the same widening. */
export const multiply = (a: Elem, b: Elem): Elem | undefined =>
  calculate(a, b, { decimal: multiplyDecimal, double: (x, y) => x * y, integer: (x, y) => x * y });
