import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../folder-lock.js';
import { type Written } from './batch.js';
import { Committer, type CommitterHooks } from './committer.js';
import { copyLog } from './copy-log.js';
import { BackwardCursor, ForwardCursor, Scratch, type Visit, visitAt } from './cursor.js';
import { EventLog } from './log.js';
import { openIndex, type StoreOptions } from './open-index.js';
import { RecentIds } from './recent-ids.js';
import { type ProposedEvent, type RecordView } from './record.js';
import { isMetastream, type StreamHead } from './stream-head.js';
import { Scavenge, type ScavengeResult } from './scavenge.js';
import { type StreamIndex } from './stream-index.js';
import { Watchers } from './watchers.js';
import { type WriteRequest, type WriteResult } from './write-request.js';

const WARM_IDS = 5_000;
const PAGE = 512;

/** Log, index and committer of one data folder. */
export class EventStore implements CommitterHooks {
  private readonly recentIds = new RecentIds();
  private readonly scratch = new Scratch();
  /** For single events read while a page is being visited. */
  private readonly innerScratch = new Scratch();
  private readonly committer: Committer;
  private readonly watchers = new Watchers();
  /** Metadata put into the batch under way. */
  private readonly plannedMetadata = new Map<string, Buffer>();
  private scavenging: Promise<unknown> = Promise.resolve();
  private closing = false;
  readonly now: () => number;

  private constructor(
    private readonly log: EventLog,
    private readonly index: StreamIndex,
    private readonly unlock: () => void,
    now: () => number,
  ) {
    this.now = now;
    this.committer = new Committer(log, this);
  }

  /**
   * Opens the store, verifying the log behind the index's checkpoint. @throws StoreDamaged, or when another process
   * owns the folder
   */
  static async open(options: StoreOptions): Promise<EventStore> {
    mkdirSync(options.dataDir, { recursive: true });
    const unlock = lockFolder(options.dataDir, 'owner.lock');
    let log: EventLog | undefined;
    try {
      log = EventLog.open(join(options.dataDir, 'log'), options.segmentBytes);
      const index = await openIndex(options, log);
      const store = new EventStore(log, index, unlock, options.now ?? Date.now);
      store.warmIds(options.logger);
      return store;
    } catch (error) {
      log?.close();
      unlock();
      throw error;
    }
  }

  /** Log position behind the last event. */
  get end(): number {
    return this.log.end;
  }

  submit(request: WriteRequest): Promise<WriteResult> {
    return this.committer.submit(request);
  }

  /** Physically removes what nobody can read any more; one run at a time, the others wait for it and run again. */
  scavenge(): Promise<ScavengeResult> {
    const scavenge = new Scavenge({
      log: this.log,
      find: (stream) => this.index.find(stream),
      now: this.now,
      hold: () => this.committer.hold(),
      isClosing: () => this.closing,
    });
    const result = this.scavenging.then(() => scavenge.run());
    this.scavenging = result.catch(() => undefined);
    return result;
  }

  /**
   * Copies the log as it is now into `folder`; files that a scavenge would replace stay until then. @returns the
   * position it ends at
   */
  backup(folder: string): Promise<number> {
    const result = this.scavenging.then(() => copyLog(this.log, () => this.committer.hold(), folder));
    this.scavenging = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing is waiting to be written. */
  idle(): Promise<void> {
    return this.committer.idle();
  }

  find(stream: string): StreamHead | undefined {
    return this.index.find(stream);
  }

  forward(from: number): ForwardCursor {
    return new ForwardCursor(this.log, this.scratch, from);
  }

  backward(before: number): BackwardCursor {
    return new BackwardCursor(this.log, this.scratch, before);
  }

  /**
   * Visits up to one page of a stream's events, upwards from or downwards to `from`, inclusive.
   * @returns the revision to go on with; Infinity or -1 when there is nothing further
   */
  page(head: StreamHead, from: number, direction: 1 | -1, visit: Visit): number {
    const [low, high] =
      direction === 1
        ? [from, Math.min(head.last, from + PAGE - 1)]
        : [Math.max(0, from - PAGE + 1), Math.min(head.last, from)];
    let next = direction === 1 ? high + 1 : low - 1;
    if (low > high) return direction === 1 ? Infinity : -1;
    const positions = this.index.positions(head, low, high).filter((position) => position > 0);
    visitAt(this.log, this.scratch, direction === 1 ? positions : positions.reverse(), (record) => {
      const goOn = visit(record);
      if (!goOn) next = record.revision + direction;
      return goOn;
    });
    return direction === 1 && next > head.last ? Infinity : next;
  }

  /** One event of a stream. */
  visitOne(head: StreamHead, revision: number, visit: (record: RecordView) => void): boolean {
    const position = this.positionOf(head, revision);
    if (position === undefined) return false;
    visitAt(this.log, this.innerScratch, [position], (record) => {
      visit(record);
      return false;
    });
    return true;
  }

  /** Calls back after each commit, or each commit to `stream`. Returns what ends that. */
  watch(stream: string | undefined, listener: () => void): () => void {
    return this.watchers.add(stream, listener);
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.scavenging;
    await this.committer.idle();
    try {
      await this.index.close(this.log.end);
    } finally {
      this.log.close();
      this.unlock();
    }
  }

  recent(head: StreamHead, id: Buffer): number | undefined {
    return this.recentIds.find(id, head.name);
  }

  hasIdAt(head: StreamHead, revision: number, id: Buffer): boolean {
    if (this.recentIds.find(id, head.name) === revision) return true;
    let same = false;
    this.visitOne(head, revision, (record) => {
      same = record.buffer.compare(id, 0, 16, record.idAt, record.idAt + 16) === 0;
    });
    return same;
  }

  hasMetadata(head: StreamHead): boolean {
    return (this.index.find(`$$${head.name}`)?.planned ?? -1) >= 0;
  }

  head(stream: string): StreamHead {
    return this.index.findOrCreate(stream);
  }

  metadataOf(stream: string): Buffer | undefined {
    const planned = this.plannedMetadata.get(stream);
    if (planned !== undefined) return planned;
    const head = this.index.find(`$$${stream}`);
    let json: Buffer | undefined;
    if (head !== undefined) {
      this.visitOne(head, head.last, (record) => {
        json = Buffer.from(record.data);
      });
    }
    return json;
  }

  positionOf(head: StreamHead, revision: number): number | undefined {
    if (revision < 0 || revision > head.last) return undefined;
    const [position] = this.index.positions(head, revision, revision);
    return position === undefined || position === 0 ? undefined : position;
  }

  noteId(id: Buffer, head: StreamHead, revision: number, event: ProposedEvent): void {
    this.index.touch(head);
    this.recentIds.add(id, head.name, revision);
    if (!isMetastream(head.name)) return;
    const described = head.name.slice(2);
    this.index.touch(this.index.findOrCreate(described));
    this.plannedMetadata.set(described, Buffer.from(event.data));
  }

  committed(written: readonly Written[]): void {
    this.plannedMetadata.clear();
    const touched = new Set<string>();
    for (const { head, revision, position, tombstone } of written) {
      touched.add(head.name);
      if (tombstone) continue;
      head.last = revision;
      this.index.add(head, revision, position);
    }
    this.index.maybeFlush(this.log.end);
    this.watchers.call(touched);
  }

  discarded(ids: readonly Buffer[]): void {
    this.plannedMetadata.clear();
    for (const id of ids) this.recentIds.remove(id);
  }

  private warmIds(logger: (line: string) => void): void {
    const cursor = this.backward(this.log.end);
    const found: [Buffer, string, number][] = [];
    const take = (record: RecordView): boolean => {
      found.push([Buffer.from(record.buffer.subarray(record.idAt, record.idAt + 16)), record.stream, record.revision]);
      return found.length < WARM_IDS;
    };
    try {
      while (cursor.step(take)) continue;
    } catch (error) {
      // Reported here, and again to whoever reads that place; the rest of the log stays usable.
      logger(String(error));
    }
    for (const [id, stream, revision] of found.reverse()) this.recentIds.add(id, stream, revision);
  }
}
