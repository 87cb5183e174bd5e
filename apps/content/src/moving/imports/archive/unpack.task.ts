import { constants, crc32, inflateRawSync } from 'node:zlib';
import { bytesBegin, type Entry } from '../entry.js';
import { unfit } from '../refusal.js';

/**
 * The bytes of a file, from its part of the archive. Never more than the archive says.
 * @throws AppError `content_change_invalid` for what is damaged
 */
export function unpack(path: string, entry: Entry, part: Uint8Array): Uint8Array {
  if (entry.method === 'whole') return part;
  const start = bytesBegin(part);
  const packed = start === undefined ? undefined : part.subarray(start, start + entry.packed);
  if (packed?.length !== entry.packed) throw unfit(path, 'The archive is damaged here');
  const bytes = entry.method === 'stored' ? packed : inflated(path, packed, entry.size);
  if (bytes.length !== entry.size) throw unfit(path, 'It is not as long as the archive says');
  if (crc32(bytes) !== entry.crc) throw unfit(path, 'The archive is damaged here');
  return bytes;
}

function inflated(path: string, packed: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw unfit(path, 'It cannot be unpacked, or is longer than the archive says');
  }
}

/** The text of a file. @throws AppError `content_change_invalid` for what is not UTF-8 */
export function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unfit(path, 'It is not UTF-8');
  }
}

/** Bytes that the beginning of a file can become, and characters of it that are read. */
const [mostHeadBytes, longestHead] = [4 * 1024 * 1024, 16 * 1024];

/** The beginning of the text of a file, of a part that may end before the file does; empty for what cannot be read. */
export function headOf(entry: Entry, part: Uint8Array): string {
  const start = entry.method === 'whole' ? 0 : bytesBegin(part);
  if (start === undefined) return '';
  const packed = part.subarray(start, start + entry.packed);
  try {
    const bytes = entry.method === 'deflated' ? inflatedHead(packed) : packed;
    return new TextDecoder().decode(bytes.subarray(0, longestHead));
  } catch {
    return '';
  }
}

function inflatedHead(packed: Uint8Array): Uint8Array {
  return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostHeadBytes });
}
