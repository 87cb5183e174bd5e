import { asServerError } from '../errors.js';
import { lockFolder } from './lock.js';
import { copyTables, openTables, removeUnfinishedCopy, replaceByCopy, type Table, type Tables } from './tables.js';

export type { Table } from './tables.js';

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
  /**
   * Removes the bytes of what was deleted from disk; answers by how many bytes the file became smaller. Reads go on, writes
   * wait. A process that dies meanwhile leaves the old file or the new one.
   */
  compact(): Promise<number>;
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
    removeUnfinishedCopy(folder);
    return new Store(folder, openTables(folder), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

class Store implements Storage {
  readonly #folder: string;
  readonly #unlock: () => void;
  readonly #hooks: (() => void)[] = [];
  readonly #aborts: (() => void)[] = [];
  #tables: Tables;
  #queue: Task[] = [];
  /** Work that no transaction may run beside. */
  readonly #alone: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #copying: Promise<void> | undefined;
  #compacting: Promise<number> | undefined;

  constructor(folder: string, tables: Tables, unlock: () => void) {
    this.#folder = folder;
    this.#tables = tables;
    this.#unlock = unlock;
  }

  get docs(): Table {
    return this.#tables.docs;
  }

  get index(): Table {
    return this.#tables.index;
  }

  get meta(): Table {
    return this.#tables.meta;
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
      this.#run();
    });
  }

  beforeCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  onAbort(hook: () => void): void {
    this.#aborts.push(hook);
  }

  diskSize(): number {
    const stats = this.#tables.env.getStats() as { mapSize?: number; lastPageNumber?: number; pageSize?: number };
    return (stats.lastPageNumber ?? 0) * (stats.pageSize ?? 4096);
  }

  async backup(folder: string): Promise<void> {
    await this.#compacting?.catch(() => undefined);
    const copy = copyTables(this.#tables, folder);
    this.#copying = copy.catch(() => undefined);
    await copy;
  }

  compact(): Promise<number> {
    this.#compacting ??= new Promise<number>((resolve, reject) => {
      this.#alone.push(() => this.#compact().then(resolve, (error: unknown) => reject(asServerError(error))));
      this.#run();
    }).finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  async #compact(): Promise<number> {
    await this.#copying;
    const [before, old] = [this.diskSize(), this.#tables];
    this.#tables = await replaceByCopy(old, this.#folder);
    await old.env.close();
    return before - this.diskSize();
  }

  async close(): Promise<void> {
    await this.#copying;
    await this.#running;
    await this.#tables.env.close();
    this.#unlock();
  }

  #run(): void {
    this.#running ??= this.#drain().catch((error: unknown) => this.#fail(this.#queue.splice(0), asServerError(error)));
  }

  /** One transaction at a time; what arrives meanwhile forms the next one. */
  async #drain(): Promise<void> {
    // Let everything of this turn of the event loop join the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      for (;;) {
        const alone = this.#alone.shift();
        if (alone !== undefined) await alone();
        else if (this.#queue.length > 0) await this.#commit();
        else return;
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(): Promise<void> {
    const done: Task[] = [];
    try {
      await this.#tables.env.transaction(() => this.#runAll(done));
      await this.#tables.env.flushed;
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
