import { existsSync } from 'node:fs';
import { type Findings } from '../../checking/finding.js';
import { checkLmdb } from '../../checking/lmdb-check.js';
import { INDEX_REMEDY } from './damage.js';
import { IndexFile } from './index-file.js';
import { FLAG_STUB, FLAG_TOMBSTONE, type RecordView } from './record.js';
import { type Segment } from './segment.js';
import { type StreamHead } from './stream-head.js';

const AHEAD = 256;
const nothing = (): void => undefined;
/** The most positions in the cache. Each stream counts as `STREAM_COST` more. */
const MOST_CACHED = 2_000_000;
const STREAM_COST = 16;

/** A stream of the index. `positions` are those of its revisions from `from` on. */
interface CachedStream {
  readonly head: StreamHead;
  readonly from: number;
  readonly positions: number[];
}

/** Compares the index of a store that is not running with its log, both ways. */
export class IndexCheck {
  private readonly streamCache = new Map<string, CachedStream>();
  private cachedCount = 0;

  private constructor(
    private readonly path: string,
    private readonly findings: Findings,
    private readonly file: IndexFile,
    /** Log position up to which the index must be complete. */
    readonly complete: number,
  ) {}

  /**
   * Opens the index when there is one that can be compared; a missing or foreign one is no damage, since a start makes
   * it again.
   */
  static async open(path: string, logId: string | undefined, findings: Findings): Promise<IndexCheck | undefined> {
    if (!existsSync(path) || existsSync(`${path}.starting`)) {
      findings.notes.push(`${path}: there is no finished index; the next start makes it from the log`);
      return undefined;
    }
    if (!checkLmdb(path, findings, { remedy: INDEX_REMEDY, trees: { heads: nothing, runs: nothing, meta: nothing } }))
      return undefined;
    const file = IndexFile.openToCheck(path);
    const checkpoint = file?.checkpoint();
    if (file !== undefined && checkpoint?.logId === logId)
      return new IndexCheck(path, findings, file, checkpoint?.position ?? 0);
    await file?.close();
    findings.notes.push(`${path}: the index belongs to another log; the next start makes it again`);
    return undefined;
  }

  /** Whether the index knows a record of the log and what it says. */
  record(record: RecordView): void {
    if (record.position >= this.complete) return;
    const { stream, revision, flags } = record;
    const known = this.cached(stream, revision);
    const where = `the record at log position ${String(record.position)}`;
    if (known === undefined) return this.complain(`${where} is of a stream that the index does not know`);
    if ((flags & FLAG_TOMBSTONE) !== 0) {
      if (!known.head.tombstoned) this.complain(`${where} ends a stream that the index shows as open`);
    } else if (revision > known.head.last)
      this.complain(`${where} is behind the end that the index has for its stream`);
    else if ((flags & FLAG_STUB) === 0 && known.positions[revision - known.from] !== record.position)
      this.complain(`${where} is not found under its stream and revision`);
  }

  /**
   * Whether at every position that the index names there is such a record. In compacted files it may rightly be gone.
   */
  places(segments: readonly Segment[]): void {
    const head = Buffer.alloc(19);
    for (const { revision, position } of this.file.places()) {
      if (position === 0) continue;
      const home = segments.findLast(({ base }) => base <= position);
      if (home === undefined || home.isCompacted) continue;
      const found = home.read(head, head.length, position - home.base) === head.length;
      if (!found || head.readUIntLE(8, 6) !== position || head.readUInt32LE(15) !== revision)
        this.complain(
          `it names log position ${String(position)} for a revision ${String(revision)} that does not stand there`,
        );
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** A stream with its positions from about `revision` on: from the cache, otherwise from the index. */
  private cached(stream: string, revision: number): CachedStream | undefined {
    const before = this.streamCache.get(stream);
    if (before !== undefined && revision >= before.from && revision < before.from + before.positions.length)
      return before;
    const head = before?.head ?? this.file.head(stream);
    if (head === undefined) return undefined;
    const positions = new Array<number>(Math.max(0, Math.min(AHEAD, head.last - revision + 1))).fill(0);
    if (positions.length > 0) this.file.fill(head.no, revision, positions);
    const made = { head, from: revision, positions };
    if (this.cachedCount > MOST_CACHED) {
      this.streamCache.clear();
      this.cachedCount = 0;
    }
    this.cachedCount += positions.length + STREAM_COST;
    this.streamCache.set(stream, made);
    return made;
  }

  private complain(what: string): void {
    this.findings.add({ file: this.path, offset: 0, what, remedy: INDEX_REMEDY });
  }
}
