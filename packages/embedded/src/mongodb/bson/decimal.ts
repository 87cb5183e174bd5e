/** A decoded Decimal128: sign x coefficient x 10^exponent, or one of the special values. */
export interface Decimal {
  readonly kind: 'finite' | 'infinity' | 'nan';
  readonly negative: boolean;
  readonly coefficient: bigint;
  readonly exponent: number;
}

const BIAS = 6176;
const MAX_EXPONENT = 6111;
const MAX_COEFFICIENT = 10n ** 34n - 1n;
const LOW49 = (1n << 49n) - 1n;

/** Decodes the 16 bytes at `s` (IEEE 754-2008, binary integer decimal, little endian). */
export function readDecimal(b: Buffer, s: number): Decimal {
  const low = b.readBigUInt64LE(s);
  const high = b.readBigUInt64LE(s + 8);
  const negative = high >> 63n === 1n;
  const top = Number((high >> 58n) & 31n);
  if (top === 31) return { kind: 'nan', negative: false, coefficient: 0n, exponent: 0 };
  if (top === 30) return { kind: 'infinity', negative, coefficient: 0n, exponent: 0 };
  // The second form of the exponent only exists for coefficients above the maximum, which count as zero.
  if (top >> 3 === 3)
    return { kind: 'finite', negative, coefficient: 0n, exponent: Number((high >> 47n) & 0x3fffn) - BIAS };
  const coefficient = ((high & LOW49) << 64n) | low;
  const exponent = Number((high >> 49n) & 0x3fffn) - BIAS;
  return { kind: 'finite', negative, coefficient: coefficient > MAX_COEFFICIENT ? 0n : coefficient, exponent };
}

/** Encodes into 16 bytes, rounding half to even to 34 digits. */
export function writeDecimal(d: Decimal): Buffer {
  const out = Buffer.alloc(16);
  const sign = d.negative ? 1n << 63n : 0n;
  if (d.kind !== 'finite') {
    out.writeBigUInt64LE((d.kind === 'nan' ? 31n << 58n : 30n << 58n) | sign, 8);
    return out;
  }
  const { coefficient, exponent } = fit(d.coefficient, d.exponent);
  if (exponent > MAX_EXPONENT) return writeDecimal({ ...d, kind: 'infinity' });
  out.writeBigUInt64LE(coefficient & 0xffffffffffffffffn, 0);
  out.writeBigUInt64LE(sign | (BigInt(exponent + BIAS) << 49n) | (coefficient >> 64n), 8);
  return out;
}

function fit(c: bigint, e: number): { coefficient: bigint; exponent: number } {
  let coefficient = c;
  let exponent = e;
  while (coefficient > MAX_COEFFICIENT || exponent < -BIAS) {
    const drop = coefficient > MAX_COEFFICIENT ? Math.max(1, coefficient.toString().length - 34) : -BIAS - exponent;
    const unit = 10n ** BigInt(Math.min(drop, 40));
    const rest = coefficient % unit;
    coefficient /= unit;
    if (rest * 2n > unit || (rest * 2n === unit && coefficient % 2n === 1n)) coefficient += 1n;
    exponent += Math.min(drop, 40);
  }
  while (exponent > MAX_EXPONENT && coefficient !== 0n && coefficient * 10n <= MAX_COEFFICIENT) {
    coefficient *= 10n;
    exponent -= 1;
  }
  return { coefficient, exponent: coefficient === 0n ? Math.min(exponent, MAX_EXPONENT) : exponent };
}

/** Nearest double. */
export function decimalToNumber(d: Decimal): number {
  if (d.kind === 'nan') return NaN;
  const magnitude = d.kind === 'infinity' ? Infinity : Number(`${d.coefficient}e${d.exponent}`);
  return d.negative ? -magnitude : magnitude;
}

/** A number as a Decimal; doubles become 15 significant digits, as the server converts them. */
export function toDecimal(n: number | bigint): Decimal {
  if (typeof n === 'bigint') return { kind: 'finite', negative: n < 0n, coefficient: n < 0n ? -n : n, exponent: 0 };
  if (Number.isNaN(n)) return { kind: 'nan', negative: false, coefficient: 0n, exponent: 0 };
  if (!Number.isFinite(n)) return { kind: 'infinity', negative: n < 0, coefficient: 0n, exponent: 0 };
  const [mantissa = '0', exponent = '0'] = Math.abs(n).toExponential(14).split('e');
  return {
    kind: 'finite',
    negative: n < 0,
    coefficient: BigInt(mantissa.replace('.', '')),
    exponent: Number(exponent) - 14,
  };
}

const signed = (d: Decimal): bigint => (d.negative ? -d.coefficient : d.coefficient);

/** Exact sum (rounded when written). */
export function addDecimal(a: Decimal, b: Decimal): Decimal {
  if (a.kind !== 'finite') return b.kind === 'infinity' && b.negative !== a.negative ? toDecimal(NaN) : a;
  if (b.kind !== 'finite') return b;
  if (Math.abs(a.exponent - b.exponent) > 80) return decimalToNumber(a) === 0 || a.exponent < b.exponent ? b : a;
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = signed(a) * 10n ** BigInt(a.exponent - exponent) + signed(b) * 10n ** BigInt(b.exponent - exponent);
  return { kind: 'finite', negative: sum < 0n, coefficient: sum < 0n ? -sum : sum, exponent };
}

/** Exact product (rounded when written). */
export function multiplyDecimal(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.kind === 'nan' || b.kind === 'nan') return toDecimal(NaN);
  if (a.kind === 'infinity' || b.kind === 'infinity') {
    const zero = (a.kind === 'finite' && a.coefficient === 0n) || (b.kind === 'finite' && b.coefficient === 0n);
    return zero ? toDecimal(NaN) : { kind: 'infinity', negative, coefficient: 0n, exponent: 0 };
  }
  return { kind: 'finite', negative, coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}
