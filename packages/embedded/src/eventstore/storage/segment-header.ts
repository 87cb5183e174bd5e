import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { StoreDamaged } from './damage.js';

/** Bytes in front of the first record; they count in log positions, so that no event stands at 0. */
export const SEGMENT_HEAD = 64;
export const FORMAT_VERSION = 1;
const MAGIC = 'SCRESLOG';

export interface SegmentHeader {
  /** Log position of the file's first byte. */
  readonly base: number;
  /** Same in all segments of one log; an index that names another one is not this log's. */
  readonly logId: string;
  /**
   * Log position behind the last byte for a compacted segment, 0 for one whose records stand where they were written.
   */
  readonly compactedEnd: number;
  /** Size a compacted file must have, 0 for a plain one: a shorter file would look like fewer events. */
  readonly compactedBytes: number;
}

/** The header's bytes. */
export function encodeHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEAD);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt16LE(FORMAT_VERSION, 8);
  bytes.writeUIntLE(header.base, 16, 6);
  bytes.writeUIntLE(header.compactedEnd, 24, 6);
  bytes.write(header.logId, 32, 16, 'latin1');
  bytes.writeUIntLE(header.compactedBytes, 48, 6);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Reads and verifies the header of an open file. */
export function readHeader(path: string, fd: number): SegmentHeader {
  const bytes = Buffer.alloc(SEGMENT_HEAD);
  const got = readSync(fd, bytes, 0, SEGMENT_HEAD, 0);
  if (
    got < SEGMENT_HEAD ||
    bytes.toString('latin1', 0, 8) !== MAGIC ||
    crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)
  ) {
    throw new StoreDamaged(path, 0, 'damaged segment header');
  }
  const version = bytes.readUInt16LE(8);
  if (version > FORMAT_VERSION) {
    throw new Error(`${path} has format ${String(version)}; this version reads up to ${String(FORMAT_VERSION)}`);
  }
  return {
    base: bytes.readUIntLE(16, 6),
    compactedEnd: bytes.readUIntLE(24, 6),
    logId: bytes.toString('latin1', 32, 48),
    compactedBytes: bytes.readUIntLE(48, 6),
  };
}
