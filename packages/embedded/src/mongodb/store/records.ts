import { crc32 } from 'node:zlib';
import { findField, inspect, valueAt, type Elem } from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { idKeyOf, indexKeys, type IndexKeys } from './index-keys.js';
import { prefixOf, type Collection, type Index } from './model.js';
import { checksumHolds, documentIn, entryOf, isKnownFormat, recordOf } from './record-bytes.js';
import type { Storage } from './storage.js';

/** A stored document: its key in the collection and its BSON. */
export interface Stored {
  readonly idKey: Buffer;
  readonly doc: Buffer;
}

const ID = Buffer.from('_id');

/** The `_id` of a document that has one. */
export const idOf = (doc: Buffer): Elem => findField(doc, 0, ID) as Elem;

/** Documents and their index entries. All writing functions belong inside `storage.write`. */
export class Records {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The document under a key; throws when its checksum does not hold. */
  get(c: Collection, idKey: Buffer): Buffer | undefined {
    const record = this.#storage.docs.getBinary(Buffer.concat([c.prefix, idKey]));
    return record === undefined ? undefined : unpack(c, idKey, record);
  }

  /** Stores a new document. Throws E11000 before anything is written. */
  insert(c: Collection, doc: Buffer): void {
    const id = idOf(doc);
    const idKey = idKeyOf(id);
    const key = Buffer.concat([c.prefix, idKey]);
    if (this.#storage.docs.doesExist(key)) throw duplicateId(c, id);
    const entries = this.#entriesOf(c, doc);
    this.#checkUnique(c, entries, idKey, doc);
    for (const e of entries) this.#addEntries(e, idKey, e.keys.keys);
    this.#put(key, doc);
    c.count += 1;
    c.size += doc.length;
    c.dirty = true;
  }

  /** Replaces a document by one with the same `_id`. Throws E11000 before anything is written. */
  replace(c: Collection, old: Stored, doc: Buffer): void {
    const changed: Change[] = [];
    for (const index of c.indexes) {
      if (index.name === '_id_') continue;
      const before = indexKeys(index, old.doc).keys;
      const keys = indexKeys(index, doc);
      const added = minus(keys.keys, before);
      changed.push({ index, keys: { ...keys, keys: added }, removed: minus(before, keys.keys) });
    }
    this.#checkUnique(c, changed, old.idKey, doc);
    for (const change of changed) {
      this.#removeEntries(change.index, old.idKey, change.removed ?? []);
      this.#addEntries(change, old.idKey, change.keys.keys);
    }
    this.#put(Buffer.concat([c.prefix, old.idKey]), doc);
    c.size += doc.length - old.doc.length;
    c.dirty = true;
  }

  remove(c: Collection, old: Stored): void {
    for (const { index, keys } of this.#entriesOf(c, old.doc)) this.#removeEntries(index, old.idKey, keys.keys);
    this.#storage.docs.remove(Buffer.concat([c.prefix, old.idKey]));
    c.count -= 1;
    c.size -= old.doc.length;
    c.dirty = true;
  }

  /** Lists one stored document in a new index. Throws E11000. */
  addToIndex(c: Collection, index: Index, stored: Stored): void {
    const entry = { index, keys: indexKeys(index, stored.doc) };
    this.#checkUnique(c, [entry], stored.idKey, stored.doc);
    this.#addEntries(entry, stored.idKey, entry.keys.keys);
  }

  #put(key: Buffer, doc: Buffer): void {
    this.#storage.docs.put(key, recordOf(key, doc));
  }

  #entriesOf(c: Collection, doc: Buffer): Change[] {
    const out: Change[] = [];
    for (const index of c.indexes) if (index.name !== '_id_') out.push({ index, keys: indexKeys(index, doc) });
    return out;
  }

  #checkUnique(c: Collection, changes: readonly Change[], idKey: Buffer, doc: Buffer): void {
    for (const { index, keys } of changes) {
      if (!index.unique) continue;
      for (const key of keys.keys) {
        const start = Buffer.concat([prefixOf(index.id), key]);
        const range = this.#storage.index.getRange({ start, end: Buffer.concat([start, LAST]), limit: 2 });
        for (const entry of range) {
          const at = entry.key.length - entry.value.readUInt16BE(0);
          if (!entry.key.subarray(at).equals(idKey)) throw duplicate(c, index, doc);
        }
      }
    }
  }

  #addEntries({ index, keys }: Change, idKey: Buffer, added: readonly Buffer[]): void {
    const prefix = prefixOf(index.id);
    for (const key of added) {
      const whole = Buffer.concat([prefix, key, idKey]);
      this.#storage.index.put(whole, entryOf(whole, idKey.length));
    }
    keys.multikey?.forEach((multi, i) => {
      if (multi) index.multikey[i] = true;
    });
    if (keys.truncated) index.truncated = true;
  }

  #removeEntries(index: Index, idKey: Buffer, removed: readonly Buffer[]): void {
    const prefix = prefixOf(index.id);
    for (const key of removed) this.#storage.index.remove(Buffer.concat([prefix, key, idKey]));
  }
}

interface Change {
  readonly index: Index;
  readonly keys: IndexKeys;
  readonly removed?: readonly Buffer[];
}

/** Sorts behind every type byte. */
const LAST = Buffer.from([0xff]);

/** The keys of `a` that are not in `b`. */
function minus(a: readonly Buffer[], b: readonly Buffer[]): readonly Buffer[] {
  if (a.length * b.length <= 64) return a.filter((x) => !b.some((y) => x.equals(y)));
  const known = new Set(b.map((y) => y.toString('latin1')));
  return a.filter((x) => !known.has(x.toString('latin1')));
}

/** The BSON inside a stored record. Throws an error that names the document when its checksum does not hold. */
export function unpack(c: Collection, idKey: Buffer, record: Buffer): Buffer {
  const doc = documentIn(record);
  if (checksumHolds(record, doc, () => crc32(idKey, crc32(c.prefix)))) return doc;
  const where = `the document of ${c.ns} under key ${idKey.toString('hex')}`;
  if (!isKnownFormat(record))
    throw new ServerError(
      8,
      `Unknown record format ${record[0]}: ${where} was written by another version or is damaged`,
    );
  throw new ServerError(8, `Checksum mismatch: ${where} is damaged in data.mdb; restore it from a backup`);
}

function duplicateId(c: Collection, id: Elem): ServerError {
  const message = `E11000 duplicate key error collection: ${c.ns} index: _id_ dup key: { _id: ${inspect(id)} }`;
  return new ServerError(11000, message, { keyPattern: { _id: 1 }, keyValue: { _id: id } });
}

function duplicate(c: Collection, index: Index, doc: Buffer): ServerError {
  const pattern: Record<string, number> = {};
  const value: Record<string, Elem | null> = {};
  for (const { path, descending } of index.fields) {
    pattern[path.text] = descending ? -1 : 1;
    value[path.text] = valueAt(doc, 0, path) ?? null;
  }
  const shown = Object.entries(value).map(([name, v]) => `${name}: ${inspect(v ?? undefined)}`);
  const message = `E11000 duplicate key error collection: ${c.ns} index: ${index.name} dup key: { ${shown.join(', ')} }`;
  return new ServerError(11000, message, { keyPattern: pattern, keyValue: value });
}
