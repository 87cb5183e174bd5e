import { randomBytes } from 'node:crypto';
import { fdatasync, fsyncSync, ftruncateSync, mkdirSync, readdirSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Segment, syncDirectory } from './segment.js';
import { SEGMENT_HEAD } from './segment-header.js';
import { findLaterBatch, type Walker, walkSegment } from './tail.js';

const datasync = promisify(fdatasync);
const SEGMENT_BYTES = 64 * 1024 * 1024;
const MIN_GROWTH = 1024 * 1024;
const MAX_GROWTH = 8 * 1024 * 1024;

/** The append-only truth: segment files whose concatenation is the log. One writer, any readers. */
export class EventLog {
  /** Log position behind the last durable record; nothing behind it is ever read. */
  end: number;
  private failed: Error | undefined;

  private constructor(
    readonly dir: string,
    readonly segments: Segment[],
    readonly segmentBytes: number,
  ) {
    this.end = this.active.base + SEGMENT_HEAD;
  }

  /** Opens or creates the log in `dir`. Call `recover` before anything else. */
  static open(dir: string, segmentBytes = SEGMENT_BYTES): EventLog {
    mkdirSync(dir, { recursive: true });
    const names = readdirSync(dir).sort();
    for (const name of names.filter((entry) => entry.endsWith('.seg.tmp'))) unlinkSync(join(dir, name));
    const segments = names.filter((entry) => entry.endsWith('.seg')).map((entry) => Segment.open(join(dir, entry)));
    if (segments.length === 0) {
      segments.push(
        Segment.create(dir, { base: 0, compactedEnd: 0, compactedBytes: 0, logId: randomBytes(8).toString('hex') }),
      );
    }
    const needed = dropCovered(segments);
    requireContiguous(needed);
    return new EventLog(dir, needed, segmentBytes);
  }

  get active(): Segment {
    return this.segments[this.segments.length - 1] as Segment;
  }
  get logId(): string {
    return this.active.header.logId;
  }

  /** The segment that holds `position`. */
  segmentAt(position: number): Segment {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.segments[middle] as Segment).base <= position) low = middle;
      else high = middle - 1;
    }
    return this.segments[low] as Segment;
  }

  /**
   * Verifies everything behind `from` (a record boundary, or 0), hands each record to the
   * walker, and cuts a torn tail.
   * @throws StoreDamaged when an intact later commit proves that something acknowledged is unreadable
   */
  async recover(from: number, walker: Walker): Promise<void> {
    for (const segment of this.segments) {
      const isLast = segment === this.active;
      if (!isLast && segment.sealedEnd <= from) continue;
      const start = segment.offsetOf(from);
      const { whole, stopped } = await walkSegment(segment, start, walker);
      if (!isLast && whole !== segment.fileSize) throw segment.damaged(stopped);
      if (isLast) this.settleEnd(segment, whole, stopped, from);
    }
  }

  /** Rolls to a new segment when the active one is full, and makes room for `bytes`. */
  reserve(bytes: number): void {
    if (this.failed !== undefined) throw this.failed;
    const used = this.end - this.active.base;
    if (used > SEGMENT_HEAD && used + bytes > this.segmentBytes) this.roll();
    const segment = this.active;
    const missing = this.end - segment.base + bytes - segment.fileSize;
    if (missing > 0) this.grow(segment, missing);
  }

  /** Writes `bytes` at the end and syncs. On return they are on disk and readable. */
  async append(bytes: Buffer): Promise<void> {
    if (this.failed !== undefined) throw this.failed;
    const segment = this.active;
    this.write(segment, bytes);
    try {
      await datasync(segment.fd);
    } catch (error) {
      // After a failed sync the kernel may have dropped the pages: only a restart knows what is on disk.
      this.failed = new Error('the log could not be synced; restart the server', { cause: error });
      throw this.failed;
    }
    this.end += bytes.length;
  }

  /** Closes the active segment for writing and begins a new one. */
  roll(): void {
    const segment = this.active;
    const used = this.end - segment.base;
    ftruncateSync(segment.fd, used);
    fsyncSync(segment.fd);
    segment.fileSize = used;
    this.segments.push(
      Segment.create(this.dir, { base: this.end, compactedEnd: 0, compactedBytes: 0, logId: this.logId }),
    );
    this.end += SEGMENT_HEAD;
  }

  /**
   * Puts a compacted segment in the place of neighbouring sealed ones. Readers hold no file between two
   * steps, and find their place in the new one by position.
   */
  replace(old: readonly Segment[], compacted: Segment): void {
    const at = this.segments.indexOf(old[0] as Segment);
    this.segments.splice(at, old.length, compacted);
    for (const segment of old) {
      segment.close();
      if (segment.base !== compacted.base) segment.remove();
    }
    syncDirectory(this.dir);
  }

  close(): void {
    for (const segment of this.segments) segment.close();
  }

  private write(segment: Segment, bytes: Buffer): void {
    const at = this.end - segment.base;
    try {
      writeFully(segment.fd, bytes, at);
    } catch (error) {
      // A part of a refused write must not be found behind a later, shorter one.
      ftruncateSync(segment.fd, at);
      fsyncSync(segment.fd);
      segment.fileSize = at;
      throw error;
    }
  }

  private grow(segment: Segment, missing: number): void {
    const step = Math.min(MAX_GROWTH, Math.max(MIN_GROWTH, segment.fileSize));
    const zeros = Buffer.alloc(Math.max(missing, step));
    // Written zeros, not a sparse hole: a sync that also allocates blocks costs twice as much.
    writeFully(segment.fd, zeros, segment.fileSize);
    fsyncSync(segment.fd);
    segment.fileSize += zeros.length;
  }

  private settleEnd(segment: Segment, whole: number, stopped: number, from: number): void {
    const proof = findLaterBatch(segment, stopped);
    if (proof >= 0) throw segment.damaged(stopped);
    if (segment.base + whole < from) throw segment.damaged(whole, 'the log ends before the last checkpoint');
    this.end = segment.base + whole;
    // What stands behind the cut must not be mistaken for records later.
    ftruncateSync(segment.fd, whole);
    fsyncSync(segment.fd);
    segment.fileSize = whole;
  }
}

/** A kill while segments were merged leaves some that the merged one already covers. */
function dropCovered(segments: readonly Segment[]): Segment[] {
  const needed: Segment[] = [];
  for (const segment of segments) {
    const before = needed[needed.length - 1];
    if (before?.isCompacted === true && segment.base < before.sealedEnd) {
      segment.close();
      segment.remove();
    } else needed.push(segment);
  }
  return needed;
}

function requireContiguous(segments: readonly Segment[]): void {
  segments.forEach((segment, i) => {
    const next = segments[i + 1];
    if (next !== undefined && next.base !== segment.sealedEnd) {
      throw segment.damaged(segment.fileSize, 'the log does not go on in the next file: a part is missing');
    }
    if (next !== undefined && next.header.logId !== segment.header.logId) {
      throw next.damaged(0, 'a file of another log');
    }
  });
}

function writeFully(fd: number, bytes: Buffer, offset: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
}
