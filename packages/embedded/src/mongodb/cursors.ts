import { Slices } from './drain.js';
import { ServerError } from './errors.js';
import { MAX_DOCUMENT } from './wire.js';

/** Documents on their way to a client; `undefined` marks a place to pause at. */
export type Documents = Iterator<Buffer | undefined, void, undefined>;

interface Cursor {
  readonly id: bigint;
  readonly ns: string;
  readonly documents: Documents;
  readonly noTimeout: boolean;
  /** A document that did not fit the last batch. */
  waiting: Buffer | undefined;
  lastUsed: number;
}

/** One batch and the id to ask for more with; 0 when there is no more. */
export interface Batch {
  readonly id: bigint;
  readonly docs: Buffer[];
}

/** How much a batch may hold and how long filling it may take. */
export interface BatchLimits {
  readonly size: number;
  readonly maxTimeMS?: number | undefined;
  readonly single?: boolean;
}

const IDLE_MS = 10 * 60_000;
const MAX_CURSORS = 10_000;

/** Open cursors: bounded in number, closed after ten minutes without use. */
export class Cursors {
  readonly #open = new Map<bigint, Cursor>();
  readonly #timer = setInterval(() => this.#expire(), 30_000).unref();
  #last = BigInt(Date.now()) << 16n;

  get count(): number {
    return this.#open.size;
  }

  /** Fills the first batch and keeps a cursor when documents remain. */
  async first(ns: string, documents: Documents, limits: BatchLimits, noTimeout = false): Promise<Batch> {
    const cursor: Cursor = { id: this.#nextId(), ns, documents, noTimeout, waiting: undefined, lastUsed: Date.now() };
    const batch = await fill(cursor, limits);
    if (!batch.more || limits.single === true) return { id: 0n, docs: batch.docs };
    if (this.#open.size >= MAX_CURSORS) this.#evict();
    this.#open.set(cursor.id, cursor);
    return { id: cursor.id, docs: batch.docs };
  }

  /** The next batch. Throws CursorNotFound (43), or 13 when the cursor belongs to another collection. */
  async next(id: bigint, ns: string, limits: BatchLimits): Promise<Batch> {
    const cursor = this.#open.get(id);
    if (cursor === undefined) throw new ServerError(43, `cursor id ${id} not found`);
    if (cursor.ns !== ns)
      throw new ServerError(
        13,
        `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
      );
    this.#open.delete(id);
    const batch = await fill(cursor, limits);
    if (!batch.more) return { id: 0n, docs: batch.docs };
    cursor.lastUsed = Date.now();
    this.#open.set(id, cursor);
    return { id, docs: batch.docs };
  }

  /** Closes a cursor; answers whether it was open on that collection. */
  kill(id: bigint, ns: string): boolean {
    const cursor = this.#open.get(id);
    if (cursor?.ns !== ns) return false;
    return this.#open.delete(id);
  }

  /** Closes all cursors of a dropped collection. */
  killAll(ns: string): void {
    for (const cursor of this.#open.values()) if (cursor.ns === ns) this.#open.delete(cursor.id);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#open.clear();
  }

  #nextId(): bigint {
    this.#last += BigInt(1 + Math.floor(Math.random() * 1000));
    return this.#last;
  }

  /** The map is in order of use. */
  #evict(): void {
    const oldest = this.#open.keys().next();
    if (oldest.done !== true) this.#open.delete(oldest.value);
  }

  #expire(): void {
    const before = Date.now() - IDLE_MS;
    for (const cursor of this.#open.values())
      if (!cursor.noTimeout && cursor.lastUsed < before) this.#open.delete(cursor.id);
  }
}

/** Takes documents until the batch is full; gives way to other clients every few milliseconds. */
async function fill(cursor: Cursor, { size, maxTimeMS }: BatchLimits): Promise<{ docs: Buffer[]; more: boolean }> {
  const docs: Buffer[] = [];
  let bytes = 0;
  const clock = new Slices(maxTimeMS);
  for (;;) {
    const doc = cursor.waiting ?? advance(cursor.documents);
    cursor.waiting = undefined;
    if (doc === DONE) return { docs, more: false };
    if (doc !== undefined) {
      if (docs.length >= size || (docs.length > 0 && bytes + doc.length > MAX_DOCUMENT)) {
        cursor.waiting = doc;
        return { docs, more: true };
      }
      docs.push(doc);
      bytes += doc.length;
      continue;
    }
    if (clock.isOver()) await clock.pause();
  }
}

const DONE = Symbol('done');

function advance(documents: Documents): Buffer | undefined | typeof DONE {
  const next = documents.next();
  return next.done === true ? DONE : next.value;
}
