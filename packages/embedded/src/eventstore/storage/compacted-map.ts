import { parseRecord, RECORD_HEAD } from './record.js';
import { SEGMENT_HEAD } from './segment-header.js';

const SPACING = 4096;
const CHUNK = 1024 * 1024;
const WINDOW = 2 * SPACING;

/** The file of a compacted segment. */
export interface CompactedFile {
  readonly fileSize: number;
  /** Bytes read into `target` from `offset`. */
  read(target: Buffer, length: number, offset: number): number;
  /** The error that names the file and the offset. */
  damaged(offset: number): Error;
}

/** Where the records of a compacted segment stand: one mark every 4 KiB, the rest by walking from it. */
export class CompactedMap {
  private readonly positions: number[] = [];
  private readonly offsets: number[] = [];
  private readonly window = Buffer.allocUnsafe(WINDOW);

  /** Walks and verifies the whole file once. */
  constructor(private readonly segment: CompactedFile) {
    let bytes = Buffer.allocUnsafe(CHUNK);
    let offset = SEGMENT_HEAD;
    while (offset < segment.fileSize) {
      const filled = segment.read(bytes, bytes.length, offset);
      let at = 0;
      for (;;) {
        const record = parseRecord(bytes, at, filled, -1);
        if (record === 'invalid') throw segment.damaged(offset + at);
        if ('need' in record) {
          if (offset + at < segment.fileSize && offset + at + record.need > segment.fileSize)
            throw segment.damaged(offset + at);
          if (at === 0 && record.need > bytes.length) bytes = Buffer.allocUnsafe(record.need);
          break;
        }
        this.mark(record.position, offset + at);
        at += record.length;
      }
      offset += at;
    }
  }

  /** File offset of the first record at or behind `position`; the file's size when there is none. */
  offsetOf(position: number): number {
    let offset = this.offsets[this.floor(position)] ?? SEGMENT_HEAD;
    let from = offset;
    let filled = this.segment.read(this.window, WINDOW, from);
    while (offset < this.segment.fileSize) {
      if (offset + RECORD_HEAD > from + filled) {
        from = offset;
        filled = this.segment.read(this.window, WINDOW, from);
        if (filled < RECORD_HEAD) throw this.segment.damaged(offset);
      }
      if (this.window.readUIntLE(offset - from + 8, 6) >= position) return offset;
      offset += Math.max(RECORD_HEAD, this.window.readUInt32LE(offset - from));
    }
    return this.segment.fileSize;
  }

  private mark(position: number, offset: number): void {
    const last = this.offsets[this.offsets.length - 1];
    if (last !== undefined && offset - last < SPACING) return;
    this.positions.push(position);
    this.offsets.push(offset);
  }

  private floor(position: number): number {
    let low = 0;
    let high = this.positions.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.positions[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
