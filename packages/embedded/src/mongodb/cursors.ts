import { Slices } from './drain.js';
import { ServerError } from './bson/errors.js';
import { MAX_DOCUMENT } from './wire.js';

/** Documents on their way to a client; `undefined` marks a place to pause at. */
export type Documents = Iterator<Buffer | undefined, void, undefined>;

interface Cursor {
  readonly id: bigint;
  readonly ns: string;
  readonly documents: Documents;
  readonly noTimeout: boolean;
  /** The session it was opened in. */
  readonly session: string | undefined;
  /** What is left of the time that finding its documents may take, in ms. */
  timeLeft: number | undefined;
  /** A document that did not fit the last batch. */
  waiting: Buffer | undefined;
  lastUsed: number;
}

/** One batch and the id to ask for more with; 0 when there is no more. */
export interface Batch {
  readonly id: bigint;
  readonly docs: Buffer[];
}

/** How much the first batch may hold, and what counts for the cursor. */
export interface CursorOptions {
  readonly size: number;
  /** How long it may take to find the documents of all batches together, in ms. */
  readonly maxTimeMS?: number | undefined;
  readonly single?: boolean;
  readonly noTimeout?: boolean;
  readonly session?: string | undefined;
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
  async first(ns: string, documents: Documents, options: CursorOptions): Promise<Batch> {
    const cursor: Cursor = {
      id: this.#nextId(),
      ns,
      documents,
      noTimeout: options.noTimeout === true,
      session: options.session,
      timeLeft: options.maxTimeMS === 0 ? undefined : options.maxTimeMS,
      waiting: undefined,
      lastUsed: Date.now(),
    };
    const batch = await fill(cursor, options.size);
    if (!batch.more || options.single === true) return { id: 0n, docs: batch.docs };
    if (this.#open.size >= MAX_CURSORS) this.#evict();
    this.#open.set(cursor.id, cursor);
    return { id: cursor.id, docs: batch.docs };
  }

  /**
   * The next batch of at most `size` documents.
   * @throws CursorNotFound (43), 13 when the cursor belongs to another collection, 50736 to 50738 when it belongs to
   * another session
   */
  async next(id: bigint, ns: string, size: number, session: string | undefined): Promise<Batch> {
    const cursor = this.#open.get(id);
    if (cursor === undefined) throw new ServerError(43, `cursor id ${id} not found`);
    if (cursor.ns !== ns)
      throw new ServerError(
        13,
        `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
      );
    checkSession(cursor, session);
    this.#open.delete(id);
    const batch = await fill(cursor, size);
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

  /** Closes the cursors of some sessions, or of all. */
  killSessions(sessions: ReadonlySet<string> | undefined): void {
    for (const { id, session } of this.#open.values())
      if (session !== undefined && sessions?.has(session) !== false) this.#open.delete(id);
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

function checkSession({ id, session }: Cursor, asking: string | undefined): void {
  if (session === asking) return;
  const cannot = `Cannot run getMore on cursor ${id}, which was`;
  if (session === undefined) throw new ServerError(50736, `${cannot} not created in a session, in a session`);
  if (asking === undefined) throw new ServerError(50737, `${cannot} created in a session, without an lsid`);
  throw new ServerError(50738, `${cannot} created in another session`);
}

/** Fills a batch in what is left of the cursor's time. */
async function fill(cursor: Cursor, size: number): Promise<{ docs: Buffer[]; more: boolean }> {
  if (cursor.timeLeft === undefined) return take(cursor, size, undefined);
  const begun = performance.now();
  try {
    return await take(cursor, size, cursor.timeLeft);
  } finally {
    // No limit is what zero would mean.
    cursor.timeLeft = Math.max(cursor.timeLeft - (performance.now() - begun), Number.MIN_VALUE);
  }
}

/** Takes documents until the batch is full; gives way to other clients every few milliseconds. */
async function take(
  cursor: Cursor,
  size: number,
  maxTimeMS: number | undefined,
): Promise<{ docs: Buffer[]; more: boolean }> {
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
