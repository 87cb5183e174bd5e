import { crc32 } from 'node:zlib';
import { DATA_REMEDY, type Findings } from '../../checking/finding.js';
import { findField, validate } from '../bson/index.js';
import { indexKeys, idKeyOf } from './index-keys.js';
import { collectionFrom, indexFrom, readStored, type StoredCollection } from './catalog.js';
import type { Collection } from './model.js';
import { ID_LENGTH_BYTES, idLengthOf, isWholeEntry } from './record-bytes.js';
import { unpack } from './records.js';

const META_PREFIX = 'c:';
const DROPPED_PREFIX = 'd:';

/** A sum over entries in any order, and their number: two sets of entries agree when both do. */
interface Sum {
  count: number;
  sum: number;
}

interface Checked {
  readonly collection: Collection;
  readonly stored: StoredCollection;
  documents: number;
  bytes: number;
  /** By number of the index: the entries that the documents should have, less those found. */
  readonly sums: ReadonlyMap<number, Sum>;
}

/**
 * Checks what stands in the pages: that each document has the bytes that were written and stands under its own `_id`,
 * that every index has the entries its documents have and no other, and the counts of each collection. Give it the
 * entries of the trees `meta`, `docs`, `index`, in this order, then call `finish`.
 */
export class CollectionsCheck {
  private readonly byPrefix = new Map<number, Checked>();
  private readonly byIndex = new Map<number, Checked>();
  private readonly dropped = new Set<number>();

  constructor(
    private readonly file: string,
    private readonly findings: Findings,
  ) {}

  meta(key: Buffer, value: Buffer, offset: number): void {
    const name = key.toString();
    if (name.startsWith(DROPPED_PREFIX)) this.dropped.add(Number(name.slice(DROPPED_PREFIX.length)));
    if (!name.startsWith(META_PREFIX)) return;
    try {
      this.collection(name.slice(META_PREFIX.length), readStored(key, value));
    } catch (error) {
      this.complain(offset, error instanceof Error ? error.message : String(error));
    }
  }

  document(key: Buffer, record: Buffer, offset: number): void {
    const id = prefixIn(key);
    const checked = this.byPrefix.get(id);
    if (checked === undefined) return this.stray(id, offset, 'a document');
    this.findings.count('documents');
    const idKey = key.subarray(4);
    try {
      const doc = unpack(checked.collection, idKey, record);
      if (validate(doc, 0, doc.length) !== doc.length) throw new Error('the document is shorter than its record');
      checkId(doc, idKey);
      checked.documents += 1;
      checked.bytes += doc.length;
      for (const index of checked.collection.indexes) {
        const sum = checked.sums.get(index.id);
        if (sum === undefined) continue;
        for (const entry of indexKeys(index, doc).keys)
          add(sum, crc32(idLengthOf(idKey.length), crc32(idKey, crc32(entry))), 1);
      }
    } catch (error) {
      this.complain(offset, `${checked.collection.ns}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  entry(key: Buffer, value: Buffer, offset: number): void {
    const id = prefixIn(key);
    const sum = this.byIndex.get(id)?.sums.get(id);
    if (sum === undefined) return this.stray(id, offset, 'an index entry');
    this.findings.count('index entries');
    if (!isWholeEntry(key, value)) this.complain(offset, 'an index entry with a wrong checksum');
    // Its checksum is over the key alone: the length of the `_id` in it is compared with the document's.
    else add(sum, crc32(value.subarray(0, ID_LENGTH_BYTES), crc32(key.subarray(4))), -1);
  }

  finish(): void {
    for (const { collection, stored, documents, bytes, sums } of this.byPrefix.values()) {
      this.findings.count('collections');
      if (documents !== stored.count)
        this.complain(
          0,
          `${collection.ns} has ${String(documents)} readable documents and says ${String(stored.count)}`,
        );
      else if (bytes !== stored.size)
        this.complain(
          0,
          `the documents of ${collection.ns} have ${String(bytes)} bytes and it says ${String(stored.size)}`,
        );
      for (const index of collection.indexes) {
        const sum = sums.get(index.id);
        if (sum === undefined || (sum.count === 0 && sum.sum === 0)) continue;
        this.complain(
          0,
          `the index ${index.name} of ${collection.ns} does not list what its documents hold (${describe(sum.count)})`,
        );
      }
    }
  }

  private collection(ns: string, stored: StoredCollection): void {
    const indexes = stored.indexes.map(indexFrom);
    const collection = collectionFrom(ns, stored, indexes);
    const sums = new Map(
      indexes.filter(({ name }) => name !== '_id_').map((index) => [index.id, { count: 0, sum: 0 }]),
    );
    const checked: Checked = { collection, stored, documents: 0, bytes: 0, sums };
    this.byPrefix.set(stored.id, checked);
    for (const index of sums.keys()) this.byIndex.set(index, checked);
  }

  private stray(id: number, offset: number, what: string): void {
    if (!this.dropped.has(id)) this.complain(offset, `${what} of a collection that is not known`);
  }

  private complain(offset: number, what: string): void {
    this.findings.add({ file: this.file, offset, what, remedy: DATA_REMEDY });
  }
}

const MODULUS = 2 ** 48;

/** Adds an entry's number, spread over 48 bits, to a sum that does not depend on the order. */
function add(sum: Sum, hash: number, sign: 1 | -1): void {
  sum.count += sign;
  const spread = (hash * 40_503) % MODULUS;
  sum.sum = (sum.sum + (sign === 1 ? spread : MODULUS - spread)) % MODULUS;
}

const prefixIn = (key: Buffer): number => (key.length < 4 ? -1 : key.readUInt32BE(0));

function checkId(doc: Buffer, idKey: Buffer): void {
  const id = findField(doc, 0, Buffer.from('_id'));
  if (id === undefined || !idKeyOf(id).equals(idKey)) throw new Error('a document stands under the key of another _id');
}

const describe = (missing: number): string =>
  missing === 0
    ? 'as many entries, but others'
    : missing > 0
      ? `${String(missing)} missing`
      : `${String(-missing)} too many`;
