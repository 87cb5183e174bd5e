import { closeSync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { FLAG_APPEND_END, FLAG_BATCH_START, FLAG_STUB, MIN_RECORD, RECORD_HEAD, type RecordView } from './record.js';
import { Segment, segmentName, syncDirectory } from './segment.js';
import { encodeHeader, SEGMENT_HEAD, type SegmentHeader } from './segment-header.js';

const sync = promisify(fsync);
const CHUNK = 1024 * 1024;

/**
 * Writes a compacted segment beside the ones it will replace; until `finish` it is a temporary file that a start
 * removes.
 */
export class CompactedFile {
  private readonly path: string;
  private readonly fd: number;
  private parts: Buffer[] = [];
  private held = 0;
  /** bytes written or held */
  size = 0;

  constructor(
    private readonly dir: string,
    private readonly header: SegmentHeader,
  ) {
    this.path = join(dir, segmentName(header.base));
    this.fd = openSync(`${this.path}.tmp`, 'w');
    this.push(encodeHeader(header));
  }

  /** Keeps a record as it is. Every one counts as a whole append from now on: its neighbours may be gone. */
  keep(record: RecordView): void {
    const bytes = Buffer.from(record.buffer.subarray(record.at, record.at + record.length));
    this.push(sealed(bytes, (record.flags | FLAG_APPEND_END) & ~FLAG_BATCH_START));
  }

  /** Keeps that the stream had this revision, and nothing else of the event. */
  keepStub(record: RecordView): void {
    const length = MIN_RECORD + record.streamLength;
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(length, 0);
    record.buffer.copy(bytes, 8, record.at + 8, record.at + 25);
    bytes.writeUInt16LE(record.streamLength, 41);
    record.buffer.copy(bytes, RECORD_HEAD, record.streamAt, record.typeAt);
    bytes.writeUInt32LE(length, length - 4);
    this.push(sealed(bytes, FLAG_APPEND_END | FLAG_STUB));
  }

  /** Writes out everything, without holding up others. */
  async settle(): Promise<void> {
    this.flush();
    writeSync(this.fd, encodeHeader({ ...this.header, compactedBytes: this.size }), 0, SEGMENT_HEAD, 0);
    await sync(this.fd);
  }

  /** After `settle`: gives the file its final name, in place of the segment with the same base. */
  finish(): Segment {
    closeSync(this.fd);
    renameSync(`${this.path}.tmp`, this.path);
    syncDirectory(this.dir);
    return Segment.open(this.path);
  }

  abandon(): void {
    closeSync(this.fd);
    unlinkSync(`${this.path}.tmp`);
  }

  private push(bytes: Buffer): void {
    this.parts.push(bytes);
    this.held += bytes.length;
    this.size += bytes.length;
    if (this.held >= CHUNK) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.concat(this.parts, this.held);
    for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done);
    this.parts = [];
    this.held = 0;
  }
}

function sealed(record: Buffer, flags: number): Buffer {
  record[14] = flags;
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}
