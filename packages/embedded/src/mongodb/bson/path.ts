import { findField, isContainer, Reader, T, type Elem } from './view.js';

/** A dotted path, split and encoded once. */
export interface Path {
  readonly text: string;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly name: string;
  readonly bytes: Buffer;
  /** The position meant inside an array, or -1. */
  readonly index: number;
}

const cache = new Map<string, Path>();
const CACHED_PATHS = 5000;

/** Splits `a.0.b`; paths are cached, a bounded number of them. */
export function parsePath(text: string): Path {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parts = text.split('.').map((name) => ({
    name,
    bytes: Buffer.from(name),
    index: /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : -1,
  }));
  const path = { text, parts };
  if (cache.size >= CACHED_PATHS) cache.clear();
  cache.set(text, path);
  return path;
}

/** Asks about one value at the end of a path; undefined stands for "the field is missing". */
export type Leaf = (v: Elem | undefined) => boolean;

/**
 * Visits the values a path reaches, descending into the objects of arrays on the way as queries do.
 * Stops and answers true as soon as `leaf` does. An array at the end is handed over as it is.
 */
export function visit(b: Buffer, off: number, path: Path, leaf: Leaf, from = 0): boolean {
  const part = path.parts[from] as Part;
  const v = findField(b, off, part.bytes);
  if (v === undefined || from === path.parts.length - 1) return leaf(v);
  return descend(v, path, leaf, from + 1);
}

function descend(v: Elem, path: Path, leaf: Leaf, from: number): boolean {
  if (v.t === T.object) return visit(v.b, v.s, path, leaf, from);
  if (v.t !== T.array) return leaf(undefined);
  const part = path.parts[from] as Part;
  const last = from === path.parts.length - 1;
  const r = new Reader(v.b, v.s);
  for (let i = 0; r.next(); i += 1) {
    if (i === part.index) {
      const item = r.elem();
      if (last ? leaf(item) : isContainer(item.t) && descend(item, path, leaf, from + 1)) return true;
    }
    if (r.t === T.object && visit(r.b, r.s, path, leaf, from)) return true;
  }
  return false;
}

/** The one value at a path that meets no array on its way (positions count); undefined when there is none. */
export function valueAt(b: Buffer, off: number, path: Path): Elem | undefined {
  let v: Elem | undefined = { t: T.object, b, s: off, e: 0 };
  for (const part of path.parts) {
    if (v === undefined || !isContainer(v.t)) return undefined;
    v = findField(v.b, v.s, part.bytes);
  }
  return v;
}
