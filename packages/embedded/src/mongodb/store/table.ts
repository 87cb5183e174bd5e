import type * as Lmdb from 'lmdb';

type Db = Lmdb.Database<Buffer, Buffer>;

/**
 * One table of the data, in whichever file it stands at present: while `changes` collects, the keys of a transaction
 * are noted, so that a copy that is being made can follow; `moveTo` puts the table onto that copy.
 */
export class Table {
  #db: Db;
  #changes: Set<string> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  get(key: Buffer): Buffer | undefined {
    return this.#db.get(key);
  }

  getBinary(key: Buffer): Buffer | undefined {
    return this.#db.getBinary(key);
  }

  doesExist(key: Buffer): boolean {
    return this.#db.doesExist(key);
  }

  getRange(options: Lmdb.RangeOptions): Iterable<{ key: Buffer; value: Buffer }> {
    return this.#db.getRange(options) as Iterable<{ key: Buffer; value: Buffer }>;
  }

  getKeys(options?: Lmdb.RangeOptions): Iterable<Buffer> {
    return this.#db.getKeys(options) as Iterable<Buffer>;
  }

  getCount(options: Lmdb.RangeOptions): number {
    return this.#db.getCount(options);
  }

  /** Only inside a write transaction, whose end tells of failures. */
  put(key: Buffer, value: Buffer): void {
    this.#changes?.add(key.toString('latin1'));
    void this.#db.put(key, value);
  }

  /** Only inside a write transaction, whose end tells of failures. */
  remove(key: Buffer): void {
    this.#changes?.add(key.toString('latin1'));
    void this.#db.remove(key);
  }

  putSync(key: Buffer, value: Buffer): void {
    this.#db.putSync(key, value);
  }

  /** Begins to note which keys change, or ends it. */
  note(changes: boolean): void {
    this.#changes = changes ? new Set() : undefined;
  }

  /** The keys that changed since they were last asked for. Only between two transactions. */
  takeChanges(): Buffer[] {
    const changed = [...(this.#changes ?? [])].map((key) => Buffer.from(key, 'latin1'));
    this.#changes?.clear();
    return changed;
  }

  get changed(): number {
    return this.#changes?.size ?? 0;
  }

  moveTo(db: Db): void {
    this.#db = db;
    this.#changes = undefined;
  }
}
