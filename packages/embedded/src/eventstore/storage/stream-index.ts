import { type Checkpoint, IndexFile, type Run } from './index-file.js';
import { FLAG_APPEND_END, FLAG_STUB, FLAG_TOMBSTONE, type RecordView } from './record.js';
import { applyMetadata, isMetastream, newHead, type StreamHead } from './stream-head.js';

const FLUSH_EVENTS = 3_000;
const CACHED_HEADS = 20_000;

interface Fresh {
  readonly heads: Map<string, StreamHead>;
  readonly runs: Map<number, Run>;
  events: number;
  /** log position up to which this and everything before it is complete; known when it is about to be written */
  end: number;
}

interface Replayed {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly flags: number;
  /** of an event in a metadata stream */
  readonly metadata: Buffer | undefined;
}

/** Finds streams and their events: the index on disk plus, in memory, what was committed since its checkpoint. */
export class StreamIndex {
  private fresh: Fresh = emptyFresh();
  /** On its way to disk, or waiting for another attempt after one failed. */
  private flushing: Fresh | undefined;
  private flushed: Promise<void> | undefined;
  private readonly cache = new Map<string, StreamHead>();
  private nextNo: number;
  private replayed: Replayed[] = [];

  private constructor(
    private readonly file: IndexFile,
    private readonly checkpoint: Checkpoint,
    private readonly onFlushError: (error: unknown) => void,
  ) {
    this.nextNo = checkpoint.nextNo;
  }

  static async open(path: string, logId: string, onFlushError: (error: unknown) => void): Promise<StreamIndex> {
    const file = await IndexFile.open(path, logId);
    const checkpoint = file.checkpoint();
    if (checkpoint === undefined) throw new Error(`the index ${path} has no checkpoint`);
    return new StreamIndex(file, checkpoint, onFlushError);
  }

  /** Everything in front of this log position is in the index on disk. */
  get position(): number {
    return this.checkpoint.position;
  }

  find(name: string): StreamHead | undefined {
    const known = this.fresh.heads.get(name) ?? this.flushing?.heads.get(name) ?? this.cache.get(name);
    if (known !== undefined) return known;
    const stored = this.file.head(name);
    if (stored !== undefined) this.addToCache(stored);
    return stored;
  }

  findOrCreate(name: string): StreamHead {
    const found = this.find(name);
    if (found !== undefined) return found;
    const head = newHead(name, this.nextNo);
    this.nextNo += 1;
    this.addToCache(head);
    return head;
  }

  /** Keeps the head in memory until its state is on disk. Call before changing it. */
  touch(head: StreamHead): void {
    this.fresh.heads.set(head.name, head);
  }

  /** Notes a durable event; `head.last` has already been set to its revision. */
  add(head: StreamHead, revision: number, position: number): void {
    this.touch(head);
    const run = this.fresh.runs.get(head.no);
    if (run === undefined) this.fresh.runs.set(head.no, { first: revision, positions: [position] });
    else {
      while (run.first + run.positions.length < revision) run.positions.push(0);
      run.positions.push(position);
    }
    this.fresh.events += 1;
  }

  /** Log positions of revisions `from` to `to` inclusive (0 where there is none). Ask for at most a few thousand. */
  positions(head: StreamHead, from: number, to: number): number[] {
    const into = new Array<number>(to - from + 1).fill(0);
    const inMemory = Math.min(
      this.flushing?.runs.get(head.no)?.first ?? Infinity,
      this.fresh.runs.get(head.no)?.first ?? Infinity,
    );
    if (from < inMemory) this.file.fill(head.no, from, into);
    for (const run of [this.flushing?.runs.get(head.no), this.fresh.runs.get(head.no)]) {
      if (run === undefined) continue;
      for (
        let revision = Math.max(from, run.first);
        revision <= to && revision - run.first < run.positions.length;
        revision += 1
      ) {
        into[revision - from] = run.positions[revision - run.first] ?? 0;
      }
    }
    return into;
  }

  /**
   * Moves what memory holds to disk when it has become much. Only between two group commits: heads are
   * written as they are now. `end`: the durable end of the log.
   */
  maybeFlush(end: number): void {
    if (this.fresh.events >= FLUSH_EVENTS) this.startFlush(end);
  }

  /** Takes a record found behind the checkpoint at start; it counts once its append is whole. */
  replay(record: RecordView): void {
    const stream = record.stream;
    const metadata = isMetastream(stream) ? Buffer.from(record.data) : undefined;
    this.replayed.push({ stream, revision: record.revision, position: record.position, flags: record.flags, metadata });
    if ((record.flags & FLAG_APPEND_END) === 0) return;
    for (const entry of this.replayed) this.replayOne(entry);
    this.replayed = [];
  }

  /** During replay: keeps memory bounded while a long tail, or the whole log, is read again. */
  async spill(end: number): Promise<void> {
    if (this.fresh.events < FLUSH_EVENTS || this.replayed.length > 0) return;
    this.startFlush(end);
    await this.flushed;
  }

  async close(end: number): Promise<void> {
    await this.flushed;
    // Twice: an earlier attempt may have left something in front of what is new.
    for (let attempt = 0; attempt < 2 && this.fresh.heads.size > 0; attempt += 1) {
      this.startFlush(end);
      await this.flushed;
    }
    await this.file.close();
  }

  /** Closes without writing: the log could not be read. */
  async abandon(): Promise<void> {
    await this.flushed;
    await this.file.close();
  }

  private replayOne(entry: Replayed): void {
    const head = this.findOrCreate(entry.stream);
    this.touch(head);
    if ((entry.flags & FLAG_TOMBSTONE) !== 0) {
      head.tombstoned = true;
      return;
    }
    head.last = entry.revision;
    head.planned = entry.revision;
    if ((entry.flags & FLAG_STUB) !== 0) return;
    this.add(head, entry.revision, entry.position);
    if (entry.metadata === undefined) return;
    const target = this.findOrCreate(entry.stream.slice(2));
    this.touch(target);
    applyMetadata(target, entry.metadata);
  }

  private startFlush(end: number): void {
    if (this.flushed !== undefined) return;
    if (this.flushing === undefined) {
      this.flushing = { ...this.fresh, end };
      this.fresh = emptyFresh();
    }
    this.flushed = this.flush(this.flushing).then(
      () => {
        this.flushed = undefined;
      },
      (error: unknown) => {
        this.flushed = undefined;
        this.onFlushError(error);
      },
    );
  }

  private async flush(batch: Fresh): Promise<void> {
    await this.file.write(batch.heads.values(), batch.runs, {
      ...this.checkpoint,
      position: batch.end,
      nextNo: this.nextNo,
    });
    for (const head of batch.heads.values()) this.addToCache(head);
    this.flushing = undefined;
  }

  private addToCache(head: StreamHead): void {
    this.cache.set(head.name, head);
    if (this.cache.size <= CACHED_HEADS) return;
    const oldest = this.cache.keys().next();
    if (oldest.done !== true) this.cache.delete(oldest.value);
  }
}

function emptyFresh(): Fresh {
  return { heads: new Map(), runs: new Map(), events: 0, end: 0 };
}
