import { objectIdSource, type Elem } from './bson/index.js';
import { Cursors } from './cursors.js';
import { asServerError } from './bson/errors.js';
import type { ScramAccount } from './scram.js';
import { plan } from './query/planner.js';
import { scan } from './query/scan.js';
import { Catalog } from './store/catalog.js';
import { prefixOf, type Collection } from './store/model.js';
import { Records, type Stored } from './store/records.js';
import { openStorage, type Storage } from './store/storage.js';
import type { Table } from './store/table.js';

/** Everything the commands of one server share. */
export interface Engine {
  /** The user that clients have to be; absent when everybody may use the server. */
  readonly account: ScramAccount | undefined;
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly records: Records;
  readonly cursors: Cursors;
  readonly startedAt: number;
  /** Number of the newest connection. */
  lastConnection: number;
  /** Open connections, for serverStatus. */
  connections: number;
  readonly port: () => number;
  newId(): Elem;
  /** Every document of a collection, in `_id` order. */
  allDocuments(c: Collection): Generator<Stored, void, undefined>;
  /** Deletes in the background what dropped collections and indexes left behind. */
  sweep(): void;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly folder: string;
  readonly account: ScramAccount | undefined;
  readonly port: () => number;
  readonly log: (line: string) => void;
}

/** Opens a data folder. Throws when another process uses it. */
export function openEngine({ folder, account, port, log }: EngineOptions): Engine {
  const storage = openStorage(folder);
  const catalog = new Catalog(storage);
  const records = new Records(storage);
  const cursors = new Cursors();
  const sweeper = new Sweeper(storage, catalog, log);
  sweeper.start();
  return {
    account,
    storage,
    catalog,
    records,
    cursors,
    startedAt: Date.now(),
    lastConnection: 0,
    connections: 0,
    port,
    newId: objectIdSource(),
    *allDocuments(c) {
      const all = plan(c, { k: 'and', nodes: [] }, []);
      for (const stored of scan(storage, records, all, { keys: 0, docs: 0 })) if (stored !== undefined) yield stored;
    },
    sweep: () => sweeper.start(),
    close: async () => {
      cursors.stop();
      await sweeper.stop();
      await storage.close();
    },
  };
}

const SWEEP_CHUNK = 2000;

/** Removes the entries of dropped prefixes, a chunk per transaction. */
class Sweeper {
  readonly #storage: Storage;
  readonly #catalog: Catalog;
  readonly #log: (line: string) => void;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(storage: Storage, catalog: Catalog, log: (line: string) => void) {
    this.#storage = storage;
    this.#catalog = catalog;
    this.#log = log;
  }

  start(): void {
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = this.#run()
      .catch((error: unknown) => this.#log(`sweep failed: ${asServerError(error).message}`))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let ids = this.#catalog.dropped(); ids.length > 0 && !this.#stopped; ids = this.#catalog.dropped()) {
      for (const id of ids) while (!this.#stopped && (await this.#storage.write(() => this.#removeSome(id))));
    }
  }

  /** Answers whether there is more to remove. */
  #removeSome(id: number): boolean {
    const prefix = prefixOf(id);
    const range = { start: prefix, end: Buffer.concat([prefix, Buffer.from([0xff])]), limit: SWEEP_CHUNK };
    const remove = (table: Table): number => {
      const keys = [...table.getKeys(range)];
      for (const key of keys) table.remove(key);
      return keys.length;
    };
    if (remove(this.#storage.docs) + remove(this.#storage.index) > 0) return true;
    this.#catalog.swept(id);
    return false;
  }
}
