/** BSON type bytes. */
export const T = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  code: 13,
  symbol: 14,
  codeWScope: 15,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal: 19,
  maxKey: 127,
  minKey: 255,
} as const;

/** One value inside a BSON buffer: type byte and the half-open byte range of its content. Nothing is decoded. */
export interface Elem {
  readonly t: number;
  readonly b: Buffer;
  readonly s: number;
  readonly e: number;
}

const FIXED: Readonly<Record<number, number>> = {
  [T.double]: 8,
  [T.undefined]: 0,
  [T.objectId]: 12,
  [T.bool]: 1,
  [T.date]: 8,
  [T.null]: 0,
  [T.int32]: 4,
  [T.timestamp]: 8,
  [T.int64]: 8,
  [T.decimal]: 16,
  [T.maxKey]: 0,
  [T.minKey]: 0,
};

/** Where the value that starts at `s` ends. The buffer must have passed `validate` before. */
export function valueEnd(t: number, b: Buffer, s: number): number {
  switch (t) {
    case T.string:
    case T.symbol:
    case T.code:
      return s + 4 + b.readInt32LE(s);
    case T.object:
    case T.array:
    case T.codeWScope:
      return s + b.readInt32LE(s);
    case T.binary:
      return s + 5 + b.readInt32LE(s);
    case T.regex:
      return b.indexOf(0, b.indexOf(0, s) + 1) + 1;
    case T.dbPointer:
      return s + 4 + b.readInt32LE(s) + 12;
    default:
      return s + (FIXED[t] ?? 0);
  }
}

/** Walks the elements of one document (or array) without decoding them. */
export class Reader {
  t = 0;
  s = 0;
  e: number;
  ns = 0;
  ne = 0;
  readonly b: Buffer;
  readonly #end: number;

  constructor(b: Buffer, off = 0) {
    this.b = b;
    this.e = off + 4;
    this.#end = off + b.readInt32LE(off) - 1;
  }

  next(): boolean {
    const p = this.e;
    if (p >= this.#end) return false;
    const b = this.b;
    this.t = b[p] as number;
    this.ns = p + 1;
    let n = p + 1;
    while (b[n] !== 0) n += 1;
    this.ne = n;
    this.s = n + 1;
    this.e = valueEnd(this.t, b, n + 1);
    return true;
  }

  get name(): string {
    return this.b.toString('utf8', this.ns, this.ne);
  }

  nameIs(name: Buffer): boolean {
    const length = this.ne - this.ns;
    if (length !== name.length) return false;
    const b = this.b;
    for (let i = 0, n = this.ns; i < length; i += 1, n += 1) if (b[n] !== name[i]) return false;
    return true;
  }

  elem(): Elem {
    return { t: this.t, b: this.b, s: this.s, e: this.e };
  }
}

/** The element called `name` of the document at `off`, or undefined. */
export function findField(b: Buffer, off: number, name: Buffer): Elem | undefined {
  const r = new Reader(b, off);
  while (r.next()) if (r.nameIs(name)) return r.elem();
  return undefined;
}

export const docElem = (b: Buffer): Elem => ({ t: T.object, b, s: 0, e: b.length });

export const isNumber = (t: number): boolean => t === T.int32 || t === T.double || t === T.int64 || t === T.decimal;

export const isContainer = (t: number): boolean => t === T.object || t === T.array;

/** Name and value of each element of an object, in order. */
export function entries(v: Elem): [string, Elem][] {
  const out: [string, Elem][] = [];
  const r = new Reader(v.b, v.s);
  while (r.next()) out.push([r.name, r.elem()]);
  return out;
}

/** The values of an array (or object), in order. */
export function items(v: Elem): Elem[] {
  const out: Elem[] = [];
  const r = new Reader(v.b, v.s);
  while (r.next()) out.push(r.elem());
  return out;
}

/** The bytes of an object as a document of its own. */
export const bytesOf = (v: Elem): Buffer => v.b.subarray(v.s, v.e);
