import { createHash } from 'node:crypto';
import { compoundKey, findField, items, keyOf, T, type Elem } from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { matches } from '../filter/match.js';
import type { Index, IndexField } from './model.js';

/** Longest `_id` part and longest value part of a key; together with prefixes they fit lmdb's limit of 1,978 bytes. */
const MAX_ID_KEY = 512;
/** Keys of this length on may stand for more than one `_id`-prefix; shorter ones are exact. */
export const CUT_ID_KEY = MAX_ID_KEY;
export const MAX_VALUE_KEY = 1200;
const HASH_BYTES = 32;
const MAX_ARRAY_KEYS = 100_000;

/** Entries a document has in an index. */
export interface IndexKeys {
  readonly keys: readonly Buffer[];
  readonly multikey: readonly boolean[] | undefined;
  readonly truncated: boolean;
}

/** How far a field's path has been followed. `done` when nothing more can be followed. */
interface Cursor {
  readonly v: Elem | undefined;
  readonly from: number;
}

const cut = (key: Buffer, max: number): Buffer =>
  Buffer.concat([key.subarray(0, max - HASH_BYTES), createHash('sha256').update(key).digest()]);

/** Key of a document in its collection: from its `_id`, cut to a prefix and a hash when very long. */
export function idKeyOf(id: Elem): Buffer {
  const key = keyOf(id);
  return key.length <= MAX_ID_KEY ? key : cut(key, MAX_ID_KEY);
}

const NONE: IndexKeys = { keys: [], multikey: undefined, truncated: false };

/** The keys (without prefix and `_id` part) under which `index` lists `doc`. Throws 171 on parallel arrays. */
export function indexKeys(index: Index, doc: Buffer): IndexKeys {
  if (index.partial !== undefined && !matches(index.partial, doc)) return NONE;
  const single = simpleKeys(index, doc);
  return single ?? arrayKeys(index, doc);
}

/** The common case: top-level fields without arrays. */
function simpleKeys(index: Index, doc: Buffer): IndexKeys | undefined {
  const values: (Elem | undefined)[] = [];
  let missing = 0;
  for (const { path } of index.fields) {
    const v = findField(doc, 0, path.parts[0]?.bytes as Buffer);
    if (v !== undefined && (v.t === T.array || path.parts.length > 1)) return undefined;
    if (v === undefined) missing += 1;
    values.push(v);
  }
  if (index.sparse && missing === values.length) return NONE;
  return finish([compoundKey(values, index.descending)], undefined);
}

function finish(keys: Buffer[], multikey: readonly boolean[] | undefined): IndexKeys {
  let truncated = false;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as Buffer;
    if (key.length <= MAX_VALUE_KEY) continue;
    keys[i] = cut(key, MAX_VALUE_KEY);
    truncated = true;
  }
  return { keys, multikey, truncated };
}

function arrayKeys(index: Index, doc: Buffer): IndexKeys {
  const { fields } = index;
  const multikey = new Array<boolean>(fields.length).fill(false);
  const found = new Map<string, Buffer>();
  const root: Elem = { t: T.object, b: doc, s: 0, e: doc.length };
  expand(
    fields.map((f) => follow({ v: root, from: 0 }, f)),
    fields,
    multikey,
    (values) => {
      if (index.sparse && values.every((v) => v === undefined)) return;
      const key = compoundKey(values, index.descending);
      found.set(key.toString('latin1'), key);
      if (found.size > MAX_ARRAY_KEYS)
        throw new ServerError(17280, `too many index keys in one document, index ${index.name}`);
    },
  );
  return finish([...found.values()], multikey.includes(true) ? multikey : undefined);
}

const DONE = Number.MAX_SAFE_INTEGER;

/** Follows a path through objects until a value, an array or nothing is met. */
function follow(at: Cursor, field: IndexField): Cursor {
  let { v, from } = at;
  const { parts } = field.path;
  while (v !== undefined && from < parts.length) {
    const part = parts[from] as (typeof parts)[number];
    if (v.t === T.array && part.index < 0) return { v, from };
    if (v.t !== T.object && v.t !== T.array) return { v: undefined, from: DONE };
    const next = findField(v.b, v.s, part.bytes);
    if (next === undefined && v.t === T.array) return { v, from };
    v = next;
    from += 1;
  }
  return v?.t === T.array ? { v, from } : { v, from: DONE };
}

function expand(
  cursors: Cursor[],
  fields: readonly IndexField[],
  multikey: boolean[],
  emit: (values: (Elem | undefined)[]) => void,
): void {
  const array = cursors.find((c) => c.from !== DONE)?.v;
  if (array === undefined) {
    emit(cursors.map((c) => c.v));
    return;
  }
  cursors.forEach((c, i) => {
    if (c.from === DONE) return;
    if (c.v?.s !== array.s)
      throw new ServerError(
        171,
        `cannot index parallel arrays [${nameAt(fields, i)}] [${nameAt(
          fields,
          cursors.findIndex((o) => o.v === array),
        )}]`,
      );
    multikey[i] = true;
  });
  const members = arrayItems(array);
  for (const item of members) {
    expand(
      cursors.map((c, i) => (c.from === DONE ? c : step(c, item, fields[i] as IndexField))),
      fields,
      multikey,
      emit,
    );
  }
}

const nameAt = (fields: readonly IndexField[], i: number): string => fields[i]?.path.parts.at(-1)?.name ?? '';

/** One array element under a field: the element itself at the end of the path, else what the path finds in it. */
function step(c: Cursor, item: Elem | 'empty', field: IndexField): Cursor {
  const last = c.from >= field.path.parts.length;
  if (item === 'empty') return { v: last ? UNDEFINED : undefined, from: DONE };
  if (last) return { v: item, from: DONE };
  return item.t === T.object ? follow({ v: item, from: c.from }, field) : { v: undefined, from: DONE };
}

/** What an empty array is listed as. */
const UNDEFINED: Elem = { t: T.undefined, b: Buffer.alloc(0), s: 0, e: 0 };

function arrayItems(array: Elem): (Elem | 'empty')[] {
  const out = items(array);
  return out.length === 0 ? ['empty'] : out;
}
