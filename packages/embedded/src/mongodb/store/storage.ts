import { open as openFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Lmdb from 'lmdb';
import { join } from 'node:path';
import { checkAtStart, noProof } from '../../checking/lmdb-check.js';
import { DATA_REMEDY } from '../../checking/finding.js';
import { asServerError } from '../errors.js';
import { lockFolder } from './lock.js';
import { isWhole, isWholeEntry } from './record-bytes.js';

// The CommonJS build: the ESM one cannot be loaded twice in one process, which test runners do.
const { open } = createRequire(import.meta.url)('lmdb') as typeof Lmdb;

export type Table = Lmdb.Database<Buffer, Buffer>;

interface Task {
  run(): void;
  resolve(): void;
  reject(error: Error): void;
}

const MAX_BATCH_MS = 25;

/** The tables on disk and the one queue through which all writes go. */
export interface Storage {
  readonly docs: Table;
  readonly index: Table;
  readonly meta: Table;
  /**
   * Runs `work` inside the next write transaction; resolves after that transaction is on disk. Works of one transaction
   * run one after the other, each synchronously. A `work` that throws must not have written anything yet.
   */
  write<R>(work: () => R): Promise<R>;
  /** Called inside every transaction after its works. */
  beforeCommit(hook: () => void): void;
  /** Called when a transaction could not be committed: what is in memory must be read again. */
  onAbort(hook: () => void): void;
  diskSize(): number;
  /** Copies what is committed now into `folder`, which exists, while reads and writes go on; resolves when it is on disk. */
  backup(folder: string): Promise<void>;
  close(): Promise<void>;
}

/** lmdb rejects a failed commit with an error whose reason is another promise, which nobody else waits for. */
async function reasonOf(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<unknown> }).commitError;
  if (reason === undefined) return error;
  try {
    return await reason;
  } catch (cause) {
    // A page that could not be written (5, or 28 from the system) means that the disk is full or broken.
    return (cause as { code?: number }).code === 5 ? new Error('No space left on device') : cause;
  }
}

/** Opens (or creates) the tables in `folder`, which no other process may use at the same time. */
export function openStorage(folder: string): Storage {
  const unlock = lockFolder(folder);
  try {
    refuseDamage(join(folder, 'data.mdb'));
    const env = open<Buffer, Buffer>({
      path: folder,
      maxDbs: 4,
      keyEncoding: 'binary',
      encoding: 'binary',
      cache: false,
      separateFlushed: true,
      // Works are gathered here; lmdb's own gathering leaves a rejection that nobody can catch when a commit fails.
      eventTurnBatching: false,
    });
    const table = (name: string): Table => env.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' });
    return new Store(env, table('docs'), table('index'), table('meta'), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** lmdb maps its file into memory and trusts it: what is wrong with it must be known before. */
function refuseDamage(file: string): void {
  const found = checkAtStart(file, { docs: isWhole, index: isWholeEntry, meta: noProof });
  if (found !== undefined) throw new Error(`${found.what} in ${file} at offset ${found.offset}; ${DATA_REMEDY}`);
}

async function syncFile(path: string): Promise<void> {
  const file = await openFile(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

class Store implements Storage {
  readonly docs: Table;
  readonly index: Table;
  readonly meta: Table;
  readonly #env: Lmdb.RootDatabase<Buffer, Buffer>;
  readonly #unlock: () => void;
  readonly #hooks: (() => void)[] = [];
  readonly #aborts: (() => void)[] = [];
  #queue: Task[] = [];
  #running: Promise<void> | undefined;
  #copying: Promise<void> | undefined;

  constructor(env: Lmdb.RootDatabase<Buffer, Buffer>, docs: Table, index: Table, meta: Table, unlock: () => void) {
    this.#env = env;
    this.docs = docs;
    this.index = index;
    this.meta = meta;
    this.#unlock = unlock;
  }

  write<R>(work: () => R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      let result: R;
      this.#queue.push({
        run: () => {
          result = work();
        },
        resolve: () => resolve(result),
        reject,
      });
      this.#running ??= this.#drain().catch((error: unknown) => this.#fail(this.#queue.splice(0), asServerError(error)));
    });
  }

  beforeCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  onAbort(hook: () => void): void {
    this.#aborts.push(hook);
  }

  diskSize(): number {
    const stats = this.#env.getStats() as { mapSize?: number; lastPageNumber?: number; pageSize?: number };
    return (stats.lastPageNumber ?? 0) * (stats.pageSize ?? 4096);
  }

  async backup(folder: string): Promise<void> {
    const copy = this.#env.backup(folder, true).then(() => syncFile(join(folder, 'data.mdb')));
    this.#copying = copy.catch(() => undefined);
    await copy;
  }

  async close(): Promise<void> {
    await this.#copying;
    await this.#running;
    await this.#env.close();
    this.#unlock();
  }

  /** One transaction at a time; what arrives meanwhile forms the next one. */
  async #drain(): Promise<void> {
    // Let everything of this turn of the event loop join the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.#queue.length > 0) await this.#commit();
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(): Promise<void> {
    const done: Task[] = [];
    try {
      await this.#env.transaction(() => this.#runAll(done));
      await this.#env.flushed;
      for (const task of done) task.resolve();
    } catch (error) {
      this.#fail(done, asServerError(await reasonOf(error)));
    }
  }

  /** Rejects what was part of a failed transaction; all that waits, when no transaction could be begun. */
  #fail(done: readonly Task[], failure: Error): void {
    const failed = done.length > 0 ? done : this.#queue.splice(0);
    try {
      for (const hook of this.#aborts) hook();
    } finally {
      for (const task of failed) task.reject(failure);
    }
  }

  #runAll(done: Task[]): void {
    const until = performance.now() + MAX_BATCH_MS;
    let taken = 0;
    do {
      const task = this.#queue[taken] as Task;
      taken += 1;
      try {
        task.run();
        done.push(task);
      } catch (error) {
        task.reject(asServerError(error));
      }
    } while (taken < this.#queue.length && performance.now() < until);
    this.#queue = this.#queue.slice(taken);
    for (const hook of this.#hooks) hook();
  }
}
