import {
  FLAG_APPEND_END,
  FLAG_BATCH_START,
  MIN_RECORD,
  parseRecord,
  recordLength,
  RECORD_HEAD,
  type RecordView,
} from './record.js';
import { type Segment } from './segment.js';

const CHUNK = 1024 * 1024;

export interface Walker {
  /** Each record in order; the view is valid only during the call. */
  record(record: RecordView): void;
  /** Between two chunks: time to write down what has gathered. `end`: the log position behind the last whole append. */
  pause(end: number): Promise<void>;
}

/**
 * Walks a segment from `offset`, verifying every record.
 * @returns the offset behind the last whole append, and the offset where reading stopped: the same unless the log ends
 * inside an append or in something that is no record.
 */
export async function walkSegment(
  segment: Segment,
  offset: number,
  walker: Walker,
): Promise<{ whole: number; stopped: number }> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  let whole = offset;
  let at = offset;
  for (;;) {
    const filled = segment.read(buffer, buffer.length, at);
    const step = walkChunk(segment, at, buffer.subarray(0, filled), walker);
    whole = step.whole >= 0 ? at + step.whole : whole;
    at += step.used;
    if (step.need === 0 || at + step.need > segment.fileSize) return { whole, stopped: at };
    await walker.pause(segment.base + whole);
    if (step.need > buffer.length) buffer = Buffer.allocUnsafe(step.need);
  }
}

function walkChunk(
  segment: Segment,
  offset: number,
  buffer: Buffer,
  walker: Walker,
): { whole: number; used: number; need: number } {
  let whole = -1;
  let at = 0;
  for (;;) {
    const record = parseRecord(buffer, at, buffer.length, segment.expects(offset + at));
    if (record === 'invalid') return { whole, used: at, need: 0 };
    if ('need' in record) return { whole, used: at, need: record.need };
    walker.record(record);
    at += record.length;
    if ((record.flags & FLAG_APPEND_END) !== 0) whole = at;
  }
}

/**
 * Decides what an unreadable place in the last segment is. A group commit is written only after the
 * one before it was synced, so an intact batch start behind the place proves that the place had been
 * acknowledged: that is damage. Without one it is the torn end of the last write.
 * @returns the offset of the proof, or -1 for a torn end
 */
export function findLaterBatch(segment: Segment, from: number): number {
  const length = Math.max(0, segment.fileSize - from);
  const rest = Buffer.allocUnsafe(length);
  const filled = segment.read(rest, length, from);
  for (let at = 1; at + MIN_RECORD <= filled; at += 1) {
    if (!looksLikeRecord(rest, at, segment.base + from + at)) continue;
    const record = parseRecord(rest, at, filled, segment.base + from + at);
    if (record !== 'invalid' && !('need' in record) && (record.flags & FLAG_BATCH_START) !== 0) return from + at;
  }
  return -1;
}

function looksLikeRecord(bytes: Buffer, at: number, position: number): boolean {
  // The position's low byte first: it rules out all but one in 256 places without a function call.
  if (bytes[at + 8] !== position % 256) return false;
  if (at + RECORD_HEAD > bytes.length || recordLength(bytes, at) === 'invalid') return false;
  return bytes.readUIntLE(at + 8, 6) === position;
}
