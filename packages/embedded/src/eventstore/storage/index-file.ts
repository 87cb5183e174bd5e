import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Database, open, type RootDatabase } from 'lmdb';
import { noProof } from '../../checking/lmdb-check.js';
import { beginStart, dropUnsoundIndex, removeIndex } from './index-check.js';
import { INDEX_REMEDY, StoreDamaged } from './damage.js';
import { decodePositions, encodePositions } from './positions.js';
import { decodeHead, encodeHead, type StreamHead } from './stream-head.js';

const INDEX_VERSION = 3;
const SUM = 4;
const LONGEST_KEY = 1000;
const CHUNK_EVENTS = 512;

/** Up to which log position the index on disk is complete. */
export interface Checkpoint {
  readonly version: number;
  readonly logId: string;
  readonly position: number;
  readonly nextNo: number;
}

/** Log positions of consecutive events of a stream, from revision `first`; 0 where a revision holds nothing. */
export interface Run {
  readonly first: number;
  readonly positions: number[];
}

/** The index on disk. Derived: when it is missing, damaged or another log's, it is built again. */
export class IndexFile {
  private constructor(
    private readonly path: string,
    private readonly root: RootDatabase<Buffer, Buffer>,
    private readonly heads: Database<Buffer, Buffer>,
    private readonly runs: Database<Buffer, Buffer>,
    private readonly meta: Database<Checkpoint, string>,
  ) {}

  /** Opens the index in `path`, dropping one that does not belong to the log. */
  static async open(path: string, logId: string): Promise<IndexFile> {
    dropUnsoundIndex(path, { heads: holds, runs: holds, meta: noProof });
    beginStart(path);
    const file = IndexFile.tryOpen(path);
    const found = file?.checkpoint();
    if (file !== undefined && found?.version === INDEX_VERSION && found.logId === logId) return file;
    await file?.root.close();
    removeIndex(path);
    const fresh = IndexFile.tryOpen(path);
    if (fresh === undefined) throw new Error(`the index ${path} cannot be created`);
    fresh.meta.putSync('checkpoint', { version: INDEX_VERSION, logId, position: 0, nextNo: 1 });
    return fresh;
  }

  /** Opens the index as it is, to look at it; undefined when that cannot be. */
  static openToCheck(path: string): IndexFile | undefined {
    return IndexFile.tryOpen(path, true);
  }

  private static tryOpen(path: string, readOnly = false): IndexFile | undefined {
    try {
      const root = open<Buffer, Buffer>({ path, maxDbs: 4, keyEncoding: 'binary', encoding: 'binary', readOnly });
      const heads = root.openDB<Buffer, Buffer>({ name: 'heads', keyEncoding: 'binary', encoding: 'binary' });
      const runs = root.openDB<Buffer, Buffer>({ name: 'runs', keyEncoding: 'binary', encoding: 'binary' });
      return new IndexFile(
        path,
        root,
        heads,
        runs,
        root.openDB<Checkpoint, string>({ name: 'meta', encoding: 'json' }),
      );
    } catch {
      return undefined;
    }
  }

  checkpoint(): Checkpoint | undefined {
    return this.meta.get('checkpoint');
  }

  head(name: string): StreamHead | undefined {
    const bytes = this.heads.get(nameKey(name));
    return bytes === undefined ? undefined : decodeHead(name, this.opened(nameKey(name), bytes));
  }

  /** Fills `into` (index 0 is revision `from`) with what is known of revisions up to `from + into.length - 1`. */
  fill(no: number, from: number, into: number[]): void {
    const before = this.runs.getKeys({ start: runKey(no, from), end: runKey(no, -1), reverse: true, limit: 1 });
    const [floor] = [...before];
    const start = floor !== undefined && floor.readUInt32BE(0) === no ? floor : runKey(no, from);
    for (const { key, value: bytes } of this.runs.getRange({ start, end: runKey(no, from + into.length) })) {
      const first = key.readUIntBE(4, 6);
      for (const [i, position] of decodePositions(this.opened(key, bytes)).entries()) {
        const at = first + i - from;
        if (at >= 0 && at < into.length) into[at] = position;
      }
    }
  }

  /** Every log position that the index knows, with its revision. */
  *places(): Generator<{ revision: number; position: number }, void, undefined> {
    for (const { key, value: bytes } of this.runs.getRange()) {
      const first = key.readUIntBE(4, 6);
      for (const [i, position] of decodePositions(this.opened(key, bytes)).entries())
        yield { revision: first + i, position };
    }
  }

  /** Writes everything as it is at the call in one transaction; resolves when it is on disk. */
  async write(heads: Iterable<StreamHead>, runs: ReadonlyMap<number, Run>, checkpoint: Checkpoint): Promise<void> {
    const encoded = Array.from(heads, (head) => sealed(nameKey(head.name), encodeHead(head)));
    await this.root.batch(() => {
      for (const [key, value] of encoded) void this.heads.put(key, value);
      for (const [no, run] of runs) this.putRun(no, run);
      void this.meta.put('checkpoint', checkpoint);
    });
    await this.root.flushed;
    this.root.resetReadTxn();
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  /** The value without its checksum. The next start makes a damaged index again. */
  private opened(key: Buffer, bytes: Buffer): Buffer {
    if (holds(key, bytes)) return bytes.subarray(0, -SUM);
    beginStart(this.path);
    throw new StoreDamaged(this.path, 0, 'an entry of the index with a wrong checksum', INDEX_REMEDY);
  }

  private putRun(no: number, run: Run): void {
    for (let at = 0; at < run.positions.length; at += CHUNK_EVENTS) {
      const part = run.positions.slice(at, at + CHUNK_EVENTS);
      const [key, bytes] = sealed(runKey(no, run.first + at), encodePositions(part));
      void this.runs.put(key, bytes);
    }
  }
}

/** A value with a checksum over key and value behind it. */
function sealed(key: Buffer, value: Buffer): readonly [key: Buffer, value: Buffer] {
  const sum = Buffer.allocUnsafe(SUM);
  sum.writeUInt32LE(crc32(value, crc32(key)));
  return [key, Buffer.concat([value, sum])];
}

function holds(key: Buffer, bytes: Buffer): boolean {
  if (bytes.length < SUM) return false;
  const value = bytes.subarray(0, -SUM);
  return crc32(value, crc32(key)) === bytes.readUInt32LE(value.length);
}

function nameKey(name: string): Buffer {
  const bytes = Buffer.from(name, 'utf8');
  if (bytes.length <= LONGEST_KEY) return bytes;
  return Buffer.concat([bytes.subarray(0, 900), createHash('sha256').update(bytes).digest()]);
}

/** Sorts by stream, then revision; -1 gives a key in front of the stream's first run. */
function runKey(no: number, revision: number): Buffer {
  const key = Buffer.allocUnsafe(revision < 0 ? 4 : 10);
  key.writeUInt32BE(no, 0);
  if (revision >= 0) key.writeUIntBE(revision, 4, 6);
  return key;
}
