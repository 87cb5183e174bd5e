import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync, fsyncSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CompactedMap } from './compacted-map.js';
import { StoreDamaged } from './damage.js';
import { encodeHeader, readHeader, SEGMENT_HEAD, type SegmentHeader } from './segment-header.js';

/** One file of the log. Records of a plain segment stand at `position - base`. */
export class Segment {
  private map: CompactedMap | undefined;

  private constructor(
    readonly path: string,
    readonly fd: number,
    readonly header: SegmentHeader,
    /** Bytes in the file, including space that was allocated ahead. */
    public fileSize: number,
  ) {}

  static open(path: string): Segment {
    const fd = openSync(path, 'r+');
    try {
      const segment = new Segment(path, fd, readHeader(path, fd), fstatSync(fd).size);
      if (segment.isCompacted && segment.fileSize !== segment.header.compactedBytes) {
        throw segment.damaged(segment.fileSize, 'a compacted file of the wrong size');
      }
      return segment;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Creates the file durably: a crash leaves either no segment or one with an intact header. */
  static create(dir: string, header: SegmentHeader): Segment {
    const path = join(dir, segmentName(header.base));
    const temporary = `${path}.tmp`;
    const fd = openSync(temporary, 'w+');
    writeSync(fd, encodeHeader(header), 0, SEGMENT_HEAD, 0);
    fsyncSync(fd);
    closeSync(fd);
    renameSync(temporary, path);
    syncDirectory(dir);
    return Segment.open(path);
  }

  get base(): number {
    return this.header.base;
  }
  get isCompacted(): boolean {
    return this.header.compactedEnd > 0;
  }
  /** Log position behind a sealed segment. */
  get sealedEnd(): number {
    return this.isCompacted ? this.header.compactedEnd : this.base + this.fileSize;
  }

  /** Bytes of the file that hold records, when the log ends at `logEnd`. */
  usedUntil(logEnd: number): number {
    return this.isCompacted ? this.fileSize : Math.min(this.fileSize, logEnd - this.base);
  }

  /** Where the record at `position` stands; in a compacted segment the first one at or behind it. */
  offsetOf(position: number): number {
    if (!this.isCompacted) return Math.max(SEGMENT_HEAD, position - this.base);
    this.map ??= new CompactedMap(this);
    return this.map.offsetOf(position);
  }

  /** The position that a record at `offset` must carry; -1 when any may stand there. */
  expects(offset: number): number {
    return this.isCompacted ? -1 : this.base + offset;
  }

  /** Log position to go on with behind a record that ends at file offset `end`. */
  positionBehind(record: { readonly position: number; readonly length: number }, end: number): number {
    // A compacted record is shorter than the place it had: only the position behind it is sure.
    return this.isCompacted ? record.position + 1 : this.base + end;
  }

  /** Reads into `target`; returns how many bytes there were (fewer at the end of the file). */
  read(target: Buffer, length: number, offset: number): number {
    let done = 0;
    while (done < length) {
      const got = readSync(this.fd, target, done, length - done, offset + done);
      if (got === 0) break;
      done += got;
    }
    return done;
  }

  damaged(offset: number, what = 'damaged record'): StoreDamaged {
    return new StoreDamaged(this.path, offset, what);
  }

  close(): void {
    closeSync(this.fd);
  }

  remove(): void {
    unlinkSync(this.path);
  }
}

/** File name of the segment that begins at `base`; names sort in log order. */
export function segmentName(base: number): string {
  return `${base.toString(16).padStart(12, '0')}.seg`;
}

/** Makes created, renamed and removed names durable. */
export function syncDirectory(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
