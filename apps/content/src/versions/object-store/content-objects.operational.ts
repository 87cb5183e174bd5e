import type { Part, Parts } from '@scriptorium/tree';
import { AppError } from '@scriptorium/contracts';
import { createKeyedQueue, type KeyedQueue } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import type { FileStore } from '../files/index.js';
import type { ComputedResults } from './computed-results.process.js';
import {
  dropObjects,
  findObjects,
  insertObjects,
  listObjects,
  removeObjects,
  type NamedText,
} from './objects.operational.js';

/** Bytes of the texts of objects that a replica keeps in memory. Parsed they take about three times as much. */
const cachedBytes = 48 * 1024 * 1024;

const bytesOfEntry = 200;
/** A longer object is not cached when it is stored, in characters. */
const cachedWhenStored = 65_536;

/** Entries of everything that is derived from objects and kept: about 100 bytes each. */
const derivedEntries = 400_000;

/** Bytes of the texts of objects that were made for reads, and are not stored. */
const madeBytes = 32 * 1024 * 1024;

/** Requests that wait until one thing is derived. Further ones are refused. */
const mostWaiting = 500;

/**
 * The objects of content: documents, and the parts of trees. They never change, so what was read once is kept in memory
 * and is never stale. A pool is the space in which a history began; its duplicates read from the same pool.
 */
export class ContentObjects {
  /** Who derives the same thing at the same time waits for the first one here. */
  readonly deriving: KeyedQueue = createKeyedQueue(mostWaiting);
  readonly #context: Pick<ServiceContext, 'database' | 'now'>;
  readonly #known = new LRUCache<string, { value: object; bytes: number }>({
    maxSize: cachedBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  /** Objects that no revision names: they are made again when they are needed. */
  readonly #made = new LRUCache<string, string>({
    maxSize: madeBytes,
    sizeCalculation: (text) => bytesOfEntry + text.length,
  });

  /** What was derived from objects, by a name that says from what. It is never stale, as they never change. */
  readonly derived = new LRUCache<string, object>({ maxSize: derivedEntries });

  /** The bytes of files in the same pools. */
  readonly files: FileStore;

  /** What scripts have computed for the spaces of the same pools. */
  readonly computed: ComputedResults;

  constructor(context: Pick<ServiceContext, 'database' | 'now'>, files: FileStore, computed: ComputedResults) {
    this.#context = context;
    this.files = files;
    this.computed = computed;
  }

  /** Those of these objects that are there, by name. Callers must not change them. */
  async read(pool: string, names: readonly string[]): Promise<Map<string, object>> {
    const found = new Map<string, object>();
    const missing: string[] = [];
    for (const name of new Set(names)) {
      const cached = this.#known.get(`${pool}/${name}`);
      if (cached === undefined) missing.push(name);
      else found.set(name, cached.value);
    }
    if (missing.length === 0) return found;
    for (const [name, text] of await this.texts(pool, missing)) {
      const value = JSON.parse(text) as object;
      this.#keep(pool, name, { value, bytes: text.length });
      found.set(name, value);
    }
    return found;
  }

  /** The texts of those of these objects that are there, by name, for work that reads many of them once. */
  async texts(pool: string, names: readonly string[]): Promise<Map<string, string>> {
    const made = new Map<string, string>();
    for (const name of names) {
      const text = this.#made.get(`${pool}/${name}`);
      if (text !== undefined) made.set(name, text);
    }
    if (made.size === 0) return findObjects(this.#context, pool, names);
    const stored = names.filter((name) => !made.has(name));
    return new Map([...made, ...(await findObjects(this.#context, pool, stored))]);
  }

  /** Keeps objects in memory that were made for reads, as long as there is room. They read as if they were stored. */
  keepMade(pool: string, texts: readonly NamedText[]): void {
    for (const { name, text } of texts) this.#made.set(`${pool}/${name}`, text);
  }

  /** Whether all of these are kept. */
  hasMade(pool: string, names: readonly string[]): boolean {
    // Every object is looked up, so that objects that are used at the same time also leave the cache at the same time.
    return names.filter((name) => this.#made.get(`${pool}/${name}`) === undefined).length === 0;
  }

  /** One object. @throws AppError `unexpected` when it is missing, which means that data was lost */
  async require(pool: string, name: string): Promise<object> {
    const object = (await this.read(pool, [name])).get(name);
    if (object !== undefined) return object;
    throw new AppError('unexpected', [], { message: `The object ${name} of the pool ${pool} is missing` });
  }

  /** Stores objects. They are durable when this resolves. */
  async store(pool: string, texts: readonly NamedText[]): Promise<void> {
    await insertObjects(this.#context, pool, texts, this.#context.now());
    this.keep(pool, texts);
  }

  /**
   * Keeps objects in memory that are about to be stored, or just were, as long as there is room. They read as if they
   * were stored.
   */
  keep(pool: string, texts: readonly NamedText[]): void {
    for (const { name, text } of texts)
      // A long object is parsed when it is first read, so that the present request need not wait for it.
      if (text.length <= cachedWhenStored && !this.#known.has(`${pool}/${name}`))
        this.#keep(pool, name, { value: JSON.parse(text) as object, bytes: text.length });
  }

  /** The parts of the trees of a pool. */
  partsOf(pool: string): Parts {
    return {
      get: async (names) => (await this.read(pool, names)) as Map<string, Part>,
    };
  }

  /** Names of the objects of a pool, in their order, behind a name. */
  list(pool: string, slice: { after: string; limit: number }): Promise<string[]> {
    return listObjects(this.#context, pool, slice);
  }

  /** Deletes objects that nothing refers to, unless they were stored since `before` (ms). @returns how many */
  async remove(pool: string, which: { names: readonly string[]; before: number }): Promise<number> {
    for (const name of which.names) this.#known.delete(`${pool}/${name}`);
    return removeObjects(this.#context, pool, which);
  }

  /** The present moment, in ms. */
  now(): number {
    return this.#context.now();
  }

  /**
   * Deletes everything in a pool, with the bytes of its files, until `isOver`. Safe to repeat. @returns whether nothing
   * is left
   */
  async dropPool(pool: string, isOver: () => boolean = () => false): Promise<boolean> {
    if (!(await this.files.dropPool(pool, isOver))) return false;
    for (const kept of [this.#known, this.#made])
      for (const key of kept.keys()) if (key.startsWith(`${pool}/`)) kept.delete(key);
    await this.computed.dropPool(pool);
    while (await dropObjects(this.#context, pool)) if (isOver()) return false;
    return true;
  }

  #keep(pool: string, name: string, entry: { value: object; bytes: number }): void {
    this.#known.set(`${pool}/${name}`, { ...entry, bytes: Math.max(1, entry.bytes) });
  }
}
