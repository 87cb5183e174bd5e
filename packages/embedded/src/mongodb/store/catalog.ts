import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DATA_REMEDY } from '../../checking/finding.js';
import { readSpec } from './index-spec.js';
import { prefixOf, type Collection, type Index } from './model.js';
import type { Storage } from './storage.js';

interface StoredIndex {
  readonly id: number;
  readonly spec: string;
  readonly multikey: boolean[];
  readonly truncated: boolean;
}

export interface StoredCollection {
  readonly id: number;
  readonly uuid: string;
  readonly count: number;
  readonly size: number;
  readonly indexes: StoredIndex[];
}

const COUNTER = Buffer.from('next-id');
const FORMAT = Buffer.from('format');
const FORMAT_VERSION = '1';
const collectionKey = (ns: string): Buffer => Buffer.from(`c:${ns}`);
const dropKey = (id: number): Buffer => Buffer.from(`d:${id}`);

/** A description with its checksum, over key and text, in front: eight hexadecimal digits. */
const sealed = (key: Buffer, text: string): Buffer => Buffer.from(checksum(key, text) + text);

const checksum = (key: Buffer, text: string): string => crc32(text, crc32(key)).toString(16).padStart(8, '0');

/**
 * What is stored of a collection. Throws when it is not what was written. Older ones have no checksum and begin with a
 * brace.
 */
export function readStored(key: Buffer, value: Buffer): StoredCollection {
  const text = value.toString();
  if (text.startsWith('{')) return JSON.parse(text) as StoredCollection;
  const json = text.slice(8);
  if (text.slice(0, 8) !== checksum(key, json))
    throw new Error(
      `Checksum mismatch: the description of the collection ${key.toString().slice(2)} is damaged in data.mdb; restore it from a backup`,
    );
  return JSON.parse(json) as StoredCollection;
}

/** An index as its stored entry describes it. */
export const indexFrom = ({ id, spec, multikey, truncated }: StoredIndex): Index => ({
  ...readSpec(Buffer.from(spec, 'base64')),
  id,
  multikey,
  truncated,
  ready: true,
});

/** A collection as its stored entry describes it. */
export function collectionFrom(ns: string, { id, uuid, count, size }: StoredCollection, indexes: Index[]): Collection {
  const dot = ns.indexOf('.');
  return {
    id,
    db: ns.slice(0, dot),
    name: ns.slice(dot + 1),
    ns,
    uuid,
    prefix: prefixOf(id),
    indexes,
    count,
    size,
    dirty: false,
  };
}

function checkKeys(keys: readonly string[]): void {
  const strange = keys.find(
    (key) => key !== COUNTER.toString() && key !== FORMAT.toString() && !/^(c:|d:\d+$)/.test(key),
  );
  if (strange !== undefined || (keys.length > 0 && !keys.includes(FORMAT.toString())))
    throw new Error(`The list of collections is damaged in data.mdb; ${DATA_REMEDY}`);
}

/** All collections and indexes: in memory, with a copy on disk that is written in the transaction that changes it. */
export class Catalog {
  readonly collections = new Map<string, Collection>();
  readonly #storage: Storage;
  #nextId = 1;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#load();
    storage.beforeCommit(() => this.#save());
    storage.onAbort(() => this.#load());
  }

  get(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  /** Collections of one database, by name. */
  ofDatabase(db: string): Collection[] {
    return [...this.collections.values()].filter((c) => c.db === db).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Creates a collection; only inside a write transaction. */
  create(db: string, name: string, idSpec: Buffer): Collection {
    const stored = { id: this.#takeId(), uuid: randomUUID(), count: 0, size: 0, indexes: [] };
    const index: Index = {
      ...readSpec(idSpec),
      id: this.#takeId(),
      multikey: [false],
      truncated: false,
      ready: true,
    };
    const ns = `${db}.${name}`;
    const created = { ...collectionFrom(ns, stored, [index]), dirty: true };
    this.collections.set(ns, created);
    return created;
  }

  /** Adds an index that queries may use once `ready` is set; only inside a write transaction. */
  addIndex(collection: Collection, spec: Buffer): Index {
    const id = this.#takeId();
    const described = readSpec(spec);
    const multikey = described.fields.map(() => false);
    const index: Index = { ...described, id, multikey, truncated: false, ready: false };
    collection.indexes.push(index);
    collection.dirty = true;
    return index;
  }

  removeIndex(collection: Collection, index: Index): void {
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    collection.dirty = true;
    this.#markDropped(index.id);
  }

  /** Forgets a collection; its entries are swept away later, piece by piece. */
  remove(collection: Collection): void {
    this.collections.delete(collection.ns);
    this.#storage.meta.remove(collectionKey(collection.ns));
    this.#markDropped(collection.id);
    for (const index of collection.indexes) this.#markDropped(index.id);
  }

  rename(collection: Collection, db: string, name: string): void {
    this.collections.delete(collection.ns);
    this.#storage.meta.remove(collectionKey(collection.ns));
    const ns = `${db}.${name}`;
    this.collections.set(ns, { ...collection, db, name, ns, dirty: true });
  }

  /** Prefixes whose entries are still to be deleted. */
  dropped(): number[] {
    const range = this.#storage.meta.getKeys({ start: Buffer.from('d:'), end: Buffer.from('d;') });
    return [...range].map((key) => Number(key.toString().slice(2)));
  }

  swept(id: number): void {
    this.#storage.meta.remove(dropKey(id));
  }

  #markDropped(id: number): void {
    this.#storage.meta.put(dropKey(id), Buffer.from('1'));
  }

  #takeId(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#storage.meta.put(COUNTER, Buffer.from(String(this.#nextId)));
    return id;
  }

  #save(): void {
    for (const c of this.collections.values()) {
      if (!c.dirty) continue;
      const stored: StoredCollection = {
        id: c.id,
        uuid: c.uuid,
        count: c.count,
        size: c.size,
        indexes: c.indexes.map(({ id, spec, multikey, truncated }) => ({
          id,
          spec: spec.toString('base64'),
          multikey,
          truncated,
        })),
      };
      const key = collectionKey(c.ns);
      this.#storage.meta.put(key, sealed(key, JSON.stringify(stored)));
      c.dirty = false;
    }
  }

  #load(): void {
    const { meta } = this.#storage;
    const format = meta.get(FORMAT)?.toString();
    if (format !== undefined && format !== FORMAT_VERSION)
      throw new Error(`The data folder has format ${format}; this version reads ${FORMAT_VERSION}`);
    checkKeys([...meta.getKeys()].map((key) => key.toString()));
    if (format === undefined) meta.putSync(FORMAT, Buffer.from(FORMAT_VERSION));
    this.#nextId = Number(meta.get(COUNTER)?.toString() ?? '1');
    this.collections.clear();
    for (const { key, value } of meta.getRange({ start: Buffer.from('c:'), end: Buffer.from('c;') })) {
      const ns = key.toString().slice(2);
      const stored = readStored(key, value);
      this.collections.set(ns, collectionFrom(ns, stored, stored.indexes.map(indexFrom)));
    }
    this.#checkIds();
  }

  /** A number must not be given twice, nor may what is in use be swept away. */
  #checkIds(): void {
    const used = [...this.collections.values()].flatMap((c) => [c.id, ...c.indexes.map(({ id }) => id)]);
    const swept = new Set(this.dropped());
    const wrong =
      [...used, ...swept].some((id) => !(id < this.#nextId)) ||
      used.some((id) => swept.has(id)) ||
      new Set(used).size < used.length;
    if (wrong) throw new Error(`The numbers of collections and indexes are damaged in data.mdb; ${DATA_REMEDY}`);
  }
}
