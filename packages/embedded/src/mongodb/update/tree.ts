import { entries, inspect, items, T, toElem, typeName, Writer, type Elem } from '../bson/index.js';
import { badValue, ServerError } from '../bson/errors.js';

/** A value while a document is being changed: untouched bytes, or a container that was opened. */
export type Val = Elem | Obj | Arr;

export interface Obj {
  readonly k: 'obj';
  readonly fields: Map<string, Val>;
}

export interface Arr {
  readonly k: 'arr';
  readonly items: Val[];
}

const MAX_PADDING = 1_500_000;

const isOpen = (v: Val): v is Obj | Arr => 'k' in v;

/** Opens an object or array one level deep; other values stay what they are. */
export function opened(v: Val): Val {
  if (isOpen(v)) return v;
  if (v.t === T.object) return { k: 'obj', fields: new Map<string, Val>(entries(v)) };
  if (v.t === T.array) return { k: 'arr', items: items(v) };
  return v;
}

export function openDocument(v: Elem): Obj {
  return { k: 'obj', fields: new Map<string, Val>(entries(v)) };
}

function write(w: Writer, name: string, v: Val): void {
  if (!isOpen(v)) {
    w.elem(name, v);
    return;
  }
  w.head(v.k === 'obj' ? T.object : T.array, name);
  writeBody(w, v);
}

function writeBody(w: Writer, v: Obj | Arr): void {
  const at = w.open();
  if (v.k === 'obj') for (const [name, item] of v.fields) write(w, name, item);
  else v.items.forEach((item, i) => write(w, String(i), item));
  w.close(at);
}

/** The bytes of a document. `_id` comes first. */
export function serialize(v: Obj): Buffer {
  const w = scratch;
  w.n = 0;
  const at = w.open();
  const id = v.fields.get('_id');
  if (id !== undefined) write(w, '_id', id);
  for (const [name, item] of v.fields) if (name !== '_id') write(w, name, item);
  w.close(at);
  const doc = Buffer.from(w.done());
  if (w.b.length > MAX_SCRATCH) w.b = Buffer.allocUnsafe(4096);
  return doc;
}

/** Documents are put together here and copied out at their exact length. */
const scratch = new Writer(4096);
const MAX_SCRATCH = 1024 * 1024;

/** A value as one element. */
export function closed(v: Val): Elem {
  if (!isOpen(v)) return v;
  const w = new Writer(256);
  writeBody(w, v);
  return { t: v.k === 'obj' ? T.object : T.array, b: w.b, s: 0, e: w.n };
}

export const typeOf = (v: Val): string => (isOpen(v) ? (v.k === 'obj' ? 'object' : 'array') : typeName(v.t));

const NULL = toElem(null);

/** What to put in a field's place: a value, `remove`, or nothing. */
export type Change = Val | 'remove' | undefined;

/** One place in a document: its resolved path, and whether missing parents are made. */
export interface Place {
  readonly parts: readonly string[];
  readonly create: boolean;
}

/** Calls `change` with the value at a place and puts its answer there. Throws PathNotViable (28). */
export function modify(root: Obj, { parts, create }: Place, change: (current: Val | undefined) => Change): void {
  let at: Obj | Arr = root;
  for (let i = 0; i < parts.length - 1; i += 1) {
    const name = parts[i] as string;
    let child = childOf(at, name);
    if (child === undefined) {
      if (!create) return;
      // Nothing is made unless there is something to put into it.
      const value = change(undefined);
      if (value === undefined || value === 'remove') return;
      store(at, name, nest(parts.slice(i + 1), value), parts);
      return;
    }
    child = opened(child);
    if (!isOpen(child)) {
      if (!create) return;
      throw new ServerError(28, `Cannot create field '${parts[i + 1]}' in element {${name}: ${inspect(child)}}`);
    }
    replaceChild(at, name, child);
    at = child;
  }
  const last = parts.at(-1) as string;
  const result = change(childOf(at, last));
  if (result === 'remove') removeChild(at, last);
  else if (result !== undefined) store(at, last, result, parts);
}

function nest(parts: readonly string[], value: Val): Val {
  return parts.reduceRight<Val>((inner, name) => ({ k: 'obj', fields: new Map([[name, inner]]) }), value);
}

const isIndex = (name: string): boolean => /^(0|[1-9]\d*)$/.test(name);

export function childOf(at: Obj | Arr, name: string): Val | undefined {
  if (at.k === 'obj') return at.fields.get(name);
  return isIndex(name) ? at.items[Number(name)] : undefined;
}

function replaceChild(at: Obj | Arr, name: string, v: Val): void {
  if (at.k === 'obj') at.fields.set(name, v);
  else at.items[Number(name)] = v;
}

function store(at: Obj | Arr, name: string, v: Val, parts: readonly string[]): void {
  if (at.k === 'obj') {
    at.fields.set(name, v);
    return;
  }
  if (!isIndex(name)) {
    const holder = parts[parts.indexOf(name) - 1] ?? '';
    throw new ServerError(28, `Cannot create field '${name}' in element {${holder}: ${inspect(closed(at))}}`);
  }
  const index = Number(name);
  if (index - at.items.length > MAX_PADDING) throw badValue(`can't backfill more than ${MAX_PADDING} elements`);
  while (at.items.length < index) at.items.push(NULL);
  at.items[index] = v;
}

/** A removed array element leaves null, as in the server. */
function removeChild(at: Obj | Arr, name: string): void {
  if (at.k === 'obj') at.fields.delete(name);
  else if (isIndex(name) && Number(name) < at.items.length) at.items[Number(name)] = NULL;
}
