import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkAtStart } from '../../checking/lmdb-check.js';
import { DATA_REMEDY } from '../../checking/finding.js';
import { asServerError, ServerError } from '../bson/errors.js';
import { lockFolder } from '../../folder-lock.js';
import { compact, removeCopies } from './compaction.js';
import {
  commit,
  DATA_FILE,
  openEnvironment,
  PROOFS,
  syncPath,
  TABLES,
  type Environment,
  type TableName,
} from './environment.js';
import { Table } from './table.js';

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
  /**
   * Copies what is committed now into `folder`, which exists, while reads and writes go on; resolves when it is on
   * disk.
   */
  backup(folder: string): Promise<void>;
  /**
   * Moves what is live into a new file, while reads and writes go on; answers how many bytes the file lost. Of what was
   * deleted before, no byte is left.
   */
  compact(): Promise<number>;
  close(): Promise<void>;
}

/** Opens (or creates) the tables in `folder`, which no other process may use at the same time. */
export function openStorage(folder: string): Storage {
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder, 'server.pid');
  try {
    refuseDamage(join(folder, DATA_FILE));
    removeCopies(folder);
    return new Store(folder, openEnvironment(folder), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** lmdb maps its file into memory and trusts it: what is wrong with it must be known before. */
function refuseDamage(file: string): void {
  const found = checkAtStart(file, PROOFS);
  if (found !== undefined) throw new Error(`${found.what} in ${file} at offset ${found.offset}; ${DATA_REMEDY}`);
}

class Store implements Storage {
  readonly folder: string;
  readonly tables: Readonly<Record<TableName, Table>>;
  closing = false;
  readonly #unlock: () => void;
  readonly #hooks: (() => void)[] = [];
  readonly #aborts: (() => void)[] = [];
  #environment: Environment;
  #queue: Task[] = [];
  /** What waits for a moment without a transaction. */
  #alone: { run(): Promise<void>; reject(error: Error): void }[] = [];
  #running: Promise<void> | undefined;
  /** The backup or compaction under way; there is one at a time. */
  #upkeep: Promise<unknown> = Promise.resolve();

  constructor(folder: string, environment: Environment, unlock: () => void) {
    const { docs, index, meta } = environment.tables;
    this.folder = folder;
    this.tables = { docs: new Table(docs), index: new Table(index), meta: new Table(meta) };
    this.#environment = environment;
    this.#unlock = unlock;
  }

  get docs(): Table {
    return this.tables.docs;
  }

  get index(): Table {
    return this.tables.index;
  }

  get meta(): Table {
    return this.tables.meta;
  }

  write<R>(work: () => R): Promise<R> {
    // A long write is many transactions: what is left of it must not begin on a closed file.
    if (this.closing) return Promise.reject(new ServerError(91, 'The server is shutting down'));
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

  alone<R>(work: () => R | Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#alone.push({ reject, run: () => Promise.resolve().then(work).then(resolve, reject) });
      this.#run();
    });
  }

  beforeCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  onAbort(hook: () => void): void {
    this.#aborts.push(hook);
  }

  refresh(): void {
    this.#environment.root.resetReadTxn();
  }

  diskSize(): number {
    const stats = this.#environment.root.getStats() as { mapSize?: number; lastPageNumber?: number; pageSize?: number };
    return (stats.lastPageNumber ?? 0) * (stats.pageSize ?? 4096);
  }

  backup(folder: string): Promise<void> {
    return this.#oneUpkeep(async () => {
      await this.#environment.root.backup(folder, true);
      await syncPath(join(folder, DATA_FILE));
    });
  }

  compact(): Promise<number> {
    return this.#oneUpkeep(async () => {
      const before = this.#environment;
      try {
        return await compact(this);
      } finally {
        if (this.#environment !== before) await before.root.close();
        removeCopies(this.folder, this.#environment.folder);
      }
    });
  }

  moveTo(copy: Environment): void {
    for (const name of TABLES) this.tables[name].moveTo(copy.tables[name]);
    this.#environment = copy;
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.#upkeep;
    await this.#running;
    await this.#environment.root.close();
    removeCopies(this.folder);
    this.#unlock();
  }

  #oneUpkeep<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#upkeep.then(work);
    this.#upkeep = done.catch(() => undefined);
    return done;
  }

  #run(): void {
    this.#running ??= this.#drain().catch((error: unknown) => this.#failAll(asServerError(error)));
  }

  /** One transaction at a time; what arrives meanwhile forms the next one. */
  async #drain(): Promise<void> {
    // Let everything of this turn of the event loop join the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.#queue.length + this.#alone.length > 0) await (this.#alone.shift()?.run() ?? this.#commit());
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(): Promise<void> {
    const done: Task[] = [];
    try {
      await commit(this.#environment, () => this.#runAll(done));
      for (const task of done) task.resolve();
    } catch (error) {
      this.#fail(done, asServerError(error));
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

  /** When even the memory of what is stored could not be read again. */
  #failAll(failure: Error): void {
    for (const waiting of [...this.#alone.splice(0), ...this.#queue.splice(0)]) waiting.reject(failure);
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
