import { decimalToNumber, readDecimal, type Decimal } from './decimal.js';
import { T, type Elem } from './view.js';

/**
 * Order-preserving bytes of a number, the same for equal numbers of different types: the largest double that is not
 * above it (8 bytes), then 00 when that double is the number, else 01 and the distance in 2^-120 of the gap to the
 * next double, or 02 and decimal digits when no double reaches that far.
 */
export interface NumberKey {
  readonly double: number;
  readonly tail: Buffer | undefined;
}

const view = Buffer.alloc(8);

const neighbour = (d: number, step: bigint): number => {
  view.writeDoubleBE(d);
  const bits = view.readBigInt64BE() + (d < 0 ? -step : step);
  view.writeBigInt64BE(bits);
  return view.readDoubleBE();
};

const above = (d: number): number => (d === 0 ? 5e-324 : neighbour(d, 1n));
const below = (d: number): number => (d === 0 ? -5e-324 : neighbour(d, -1n));

/** A double as numerator / 2^shift. */
function exact(d: number): { numerator: bigint; shift: bigint } {
  if (Number.isInteger(d)) return { numerator: BigInt(d), shift: 0n };
  view.writeDoubleBE(d);
  const bits = view.readBigUInt64BE();
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & ((1n << 52n) - 1n)) | (exponent === 0 ? 0n : 1n << 52n);
  return { numerator: d < 0 ? -mantissa : mantissa, shift: BigInt(1075 - Math.max(exponent, 1)) };
}

/** Compares and measures numerator / denominator against the doubles around it. */
function fromRatio(numerator: bigint, denominator: bigint, nearest: number): NumberKey {
  let d = nearest;
  let at = exact(d);
  if (at.numerator * denominator > numerator << at.shift) {
    d = below(d);
    at = exact(d);
  }
  const rest = (numerator << at.shift) - at.numerator * denominator;
  if (rest === 0n) return { double: d, tail: undefined };
  const next = exact(above(d));
  const shift = at.shift > next.shift ? at.shift : next.shift;
  const gap = (next.numerator << (shift - next.shift)) - (at.numerator << (shift - at.shift));
  const fraction = (rest << (120n + shift - at.shift)) / (denominator * gap);
  const tail = Buffer.alloc(16);
  tail[0] = 1;
  tail.write((fraction === 0n ? 1n : fraction).toString(16).padStart(30, '0'), 1, 'hex');
  return { double: d, tail };
}

function beyond(d: Decimal): NumberKey {
  const digits = d.coefficient.toString();
  const tail = Buffer.alloc(18);
  tail.writeUInt16BE(digits.length + d.exponent, 1);
  tail.write(BigInt(digits.padEnd(34, '0')).toString(16).padStart(30, '0'), 3, 'hex');
  if (d.negative) for (let i = 1; i < tail.length; i += 1) tail[i] = 255 - (tail[i] as number);
  tail[0] = 2;
  return { double: d.negative ? -Infinity : Number.MAX_VALUE, tail };
}

function fromDecimal(d: Decimal): NumberKey {
  const nearest = decimalToNumber(d);
  if (d.kind !== 'finite' || d.coefficient === 0n) return { double: nearest, tail: undefined };
  if (!Number.isFinite(nearest)) return beyond(d);
  const c = d.negative ? -d.coefficient : d.coefficient;
  if (d.exponent >= 0) return fromRatio(c * 10n ** BigInt(d.exponent), 1n, nearest);
  return fromRatio(c, 10n ** BigInt(-d.exponent), nearest);
}

/** The key parts of a numeric element. */
export function numberKey(v: Elem): NumberKey {
  switch (v.t) {
    case T.int32:
      return { double: v.b.readInt32LE(v.s), tail: undefined };
    case T.double:
      return { double: v.b.readDoubleLE(v.s), tail: undefined };
    case T.int64: {
      const big = v.b.readBigInt64LE(v.s);
      const near = Number(big);
      return Number.isSafeInteger(near) ? { double: near, tail: undefined } : fromRatio(big, 1n, near);
    }
    default:
      return fromDecimal(readDecimal(v.b, v.s));
  }
}
