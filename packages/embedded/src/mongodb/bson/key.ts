import { numberKey } from './number-key.js';
import { isNumber, Reader, T, type Elem } from './view.js';

/**
 * First byte of a value's key: MongoDB's canonical type order. Always within 0x02..0x7f, also inverted never 00 or ff.
 */
const ORDER: Readonly<Record<number, number>> = {
  [T.minKey]: 0x02,
  [T.undefined]: 0x08,
  [T.null]: 0x0a,
  [T.double]: 0x0f,
  [T.int32]: 0x0f,
  [T.int64]: 0x0f,
  [T.decimal]: 0x0f,
  [T.string]: 0x14,
  [T.symbol]: 0x14,
  [T.object]: 0x19,
  [T.array]: 0x1e,
  [T.binary]: 0x23,
  [T.objectId]: 0x28,
  [T.bool]: 0x2d,
  [T.date]: 0x32,
  [T.timestamp]: 0x34,
  [T.regex]: 0x37,
  [T.dbPointer]: 0x3c,
  [T.code]: 0x41,
  [T.codeWScope]: 0x46,
  [T.maxKey]: 0x7f,
};

const NAN_BYTE = 0x0e;

/** MongoDB's canonical rank of a type. Numbers share one, string and symbol share one. */
export const orderOf = (t: number): number => ORDER[t] ?? 0x7e;

/** Writes order-preserving keys into one reused buffer. */
class KeyWriter {
  b = Buffer.allocUnsafe(4096);
  n = 0;

  need(bytes: number): void {
    if (this.n + bytes <= this.b.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.b.length * 2, this.n + bytes));
    this.b.copy(grown, 0, 0, this.n);
    this.b = grown;
  }

  byte(v: number): void {
    this.need(1);
    this.b[this.n] = v;
    this.n += 1;
  }

  copy(b: Buffer, s: number, e: number): void {
    this.need(e - s);
    b.copy(this.b, this.n, s, e);
    this.n += e - s;
  }

  /** Bytes with 00 written as 00 ff, closed by 00. */
  escaped(b: Buffer, s: number, e: number): void {
    this.need((e - s) * 2 + 1);
    const out = this.b;
    let n = this.n;
    for (let i = s; i < e; i += 1) {
      const c = b[i] as number;
      out[n] = c;
      n += 1;
      if (c === 0) {
        out[n] = 0xff;
        n += 1;
      }
    }
    out[n] = 0;
    this.n = n + 1;
  }
}

const scratch = new KeyWriter();

function putNumber(w: KeyWriter, v: Elem): void {
  const { double, tail } = numberKey(v);
  if (Number.isNaN(double)) {
    w.byte(NAN_BYTE);
    return;
  }
  w.byte(0x0f);
  w.need(8);
  const at = w.n;
  w.n = w.b.writeDoubleBE(double === 0 ? 0 : double, at);
  if ((w.b[at] as number) & 0x80) for (let i = at; i < at + 8; i += 1) w.b[i] = 255 - (w.b[i] as number);
  else w.b[at] = (w.b[at] as number) | 0x80;
  if (tail === undefined) w.byte(0);
  else w.copy(tail, 0, tail.length);
}

function putInt64(w: KeyWriter, v: Elem, signed: boolean): void {
  w.need(8);
  for (let i = 7; i >= 0; i -= 1) {
    w.b[w.n] = v.b[v.s + i] as number;
    w.n += 1;
  }
  if (signed) w.b[w.n - 8] = (w.b[w.n - 8] as number) ^ 0x80;
}

function putObject(w: KeyWriter, v: Elem, named: boolean): void {
  const r = new Reader(v.b, v.s);
  while (r.next()) {
    if (named) {
      // MongoDB compares type, then name, then value of each field.
      w.byte(orderOf(r.t));
      w.copy(r.b, r.ns, r.ne + 1);
    }
    putValue(w, r.elem());
  }
  w.byte(0);
}

function putBinary(w: KeyWriter, v: Elem): void {
  w.need(4);
  w.n = w.b.writeUInt32BE(v.b.readInt32LE(v.s), w.n);
  w.copy(v.b, v.s + 4, v.e);
}

function putValue(w: KeyWriter, v: Elem): void {
  if (isNumber(v.t)) {
    putNumber(w, v);
    return;
  }
  w.byte(orderOf(v.t));
  switch (v.t) {
    case T.string:
    case T.symbol:
    case T.code:
      w.escaped(v.b, v.s + 4, v.e - 1);
      break;
    case T.object:
      putObject(w, v, true);
      break;
    case T.array:
      putObject(w, v, false);
      break;
    case T.binary:
      putBinary(w, v);
      break;
    case T.date:
      putInt64(w, v, true);
      break;
    case T.timestamp:
      putInt64(w, v, false);
      break;
    case T.regex:
    case T.dbPointer:
    case T.codeWScope:
      w.escaped(v.b, v.s, v.e);
      break;
    default:
      w.copy(v.b, v.s, v.e);
  }
}

/**
 * Key bytes of one value; bytewise order is MongoDB's comparison order, equal values have equal bytes. No key is a
 * prefix of another.
 */
export function keyOf(v: Elem): Buffer {
  scratch.n = 0;
  putValue(scratch, v);
  return Buffer.from(scratch.b.subarray(0, scratch.n));
}

/** Key of several fields of an index: missing counts as null, a descending field is inverted. */
export function compoundKey(values: readonly (Elem | undefined)[], descending: readonly boolean[]): Buffer {
  const w = scratch;
  w.n = 0;
  for (let i = 0; i < values.length; i += 1) {
    const v = values[i];
    const from = w.n;
    if (v === undefined) w.byte(orderOf(T.null));
    else putValue(w, v);
    if (descending[i] === true) for (let at = from; at < w.n; at += 1) w.b[at] = 255 - (w.b[at] as number);
  }
  return Buffer.from(w.b.subarray(0, w.n));
}
