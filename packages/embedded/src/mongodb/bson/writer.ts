import { T, type Elem } from './view.js';

/** A reply in JavaScript terms. A Buffer is a finished BSON document; an element is copied as it is. */
export type Out =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Buffer
  | Elem
  | Wrapped
  | readonly Out[]
  | { readonly [name: string]: Out };

/**
 * A value whose BSON type JavaScript cannot tell: a double that is whole, an id of binary subtype 4, other binary data.
 */
export type Wrapped = { readonly $double: number } | { readonly $uuid: Buffer } | { readonly $binary: Buffer };

const indexNames: Buffer[] = [];

const indexName = (i: number): Buffer => {
  if (i >= 4096) return Buffer.from(String(i));
  return (indexNames[i] ??= Buffer.from(String(i)));
};

const isElem = (v: object): v is Elem => 't' in v && 'b' in v && 's' in v && 'e' in v;

/** A growing buffer that BSON is written into. */
export class Writer {
  b: Buffer;
  n = 0;

  constructor(size = 512) {
    this.b = Buffer.allocUnsafe(size);
  }

  need(bytes: number): void {
    if (this.n + bytes <= this.b.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.b.length * 2, this.n + bytes));
    this.b.copy(grown, 0, 0, this.n);
    this.b = grown;
  }

  /** Starts a document; the answer goes to `close`. */
  open(): number {
    this.need(5);
    this.n += 4;
    return this.n - 4;
  }

  close(at: number): void {
    this.need(1);
    this.b[this.n] = 0;
    this.n += 1;
    this.b.writeInt32LE(this.n - at, at);
  }

  head(t: number, name: string | Buffer): void {
    if (typeof name === 'string') {
      this.need(2 + name.length * 3);
      this.b[this.n] = t;
      this.n += 1 + this.b.write(name, this.n + 1, 'utf8');
    } else {
      this.need(2 + name.length);
      this.b[this.n] = t;
      name.copy(this.b, this.n + 1);
      this.n += 1 + name.length;
    }
    this.b[this.n] = 0;
    this.n += 1;
  }

  raw(b: Buffer, s: number, e: number): void {
    this.need(e - s);
    b.copy(this.b, this.n, s, e);
    this.n += e - s;
  }

  elem(name: string | Buffer, v: Elem): void {
    this.head(v.t, name);
    this.raw(v.b, v.s, v.e);
  }

  text(name: string | Buffer, v: string): void {
    this.head(T.string, name);
    this.need(5 + v.length * 3);
    const length = this.b.write(v, this.n + 4, 'utf8');
    this.b.writeInt32LE(length + 1, this.n);
    this.b[this.n + 4 + length] = 0;
    this.n += 5 + length;
  }

  int32(name: string | Buffer, v: number): void {
    this.head(T.int32, name);
    this.need(4);
    this.n = this.b.writeInt32LE(v, this.n);
  }

  double(name: string | Buffer, v: number): void {
    this.head(T.double, name);
    this.need(8);
    this.n = this.b.writeDoubleLE(v, this.n);
  }

  int64(name: string | Buffer, v: bigint, t: number = T.int64): void {
    this.head(t, name);
    this.need(8);
    this.n = this.b.writeBigInt64LE(v, this.n);
  }

  number(name: string | Buffer, v: number): void {
    if (Number.isInteger(v) && v >= -2147483648 && v <= 2147483647) this.int32(name, v);
    else this.double(name, v);
  }

  value(name: string | Buffer, v: Out): void {
    if (v === undefined) return;
    if (typeof v === 'string') this.text(name, v);
    else if (typeof v === 'number') this.number(name, v);
    else if (typeof v === 'boolean') {
      this.head(T.bool, name);
      this.need(1);
      this.b[this.n] = v ? 1 : 0;
      this.n += 1;
    } else if (typeof v === 'bigint') this.int64(name, v);
    else if (v === null) this.head(T.null, name);
    else this.object(name, v);
  }

  private object(name: string | Buffer, v: Exclude<Out, string | number | boolean | bigint | null | undefined>): void {
    if (Buffer.isBuffer(v)) {
      this.head(T.object, name);
      this.raw(v, 0, v.length);
    } else if (v instanceof Date) this.int64(name, BigInt(v.getTime()), T.date);
    else if (Array.isArray(v)) this.array(name, v as readonly Out[]);
    else if (isElem(v)) this.elem(name, v);
    else if ('$double' in v) this.double(name, v.$double as number);
    else if ('$uuid' in v) this.binary(name, v.$uuid as Buffer, 4);
    else if ('$binary' in v) this.binary(name, v.$binary as Buffer, 0);
    else {
      this.head(T.object, name);
      this.document(v as { readonly [name: string]: Out });
    }
  }

  private binary(name: string | Buffer, bytes: Buffer, subtype: number): void {
    this.head(T.binary, name);
    this.need(5);
    this.n = this.b.writeInt32LE(bytes.length, this.n);
    this.b[this.n] = subtype;
    this.n += 1;
    this.raw(bytes, 0, bytes.length);
  }

  private array(name: string | Buffer, v: readonly Out[]): void {
    this.head(T.array, name);
    const at = this.open();
    for (let i = 0; i < v.length; i += 1) this.value(indexName(i), v[i] ?? null);
    this.close(at);
  }

  document(v: { readonly [name: string]: Out }): void {
    const at = this.open();
    for (const name of Object.keys(v)) this.value(name, v[name]);
    this.close(at);
  }

  /** What was written, without a copy; the writer must not be used any more. */
  done(): Buffer {
    return this.b.subarray(0, this.n);
  }
}

/** One document of its own. */
export function toBson(v: { readonly [name: string]: Out }): Buffer {
  const w = new Writer(256);
  w.document(v);
  return w.done();
}

/** One value as an element of its own. */
export function toElem(v: Out): Elem {
  const w = new Writer(64);
  w.value('', v);
  return { t: w.b[0] as number, b: w.b, s: 2, e: w.n };
}
