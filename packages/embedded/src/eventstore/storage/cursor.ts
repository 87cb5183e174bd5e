import { type EventLog } from './log.js';
import {
  FLAG_STUB,
  MAX_RECORD,
  MIN_RECORD,
  parseRecord,
  RECORD_HEAD,
  recordLength,
  type RecordView,
} from './record.js';
import { type Segment } from './segment.js';
import { SEGMENT_HEAD } from './segment-header.js';

const CHUNK = 128 * 1024;

/** Returns false to stop behind this record. The view is valid only during the call. */
export type Visit = (record: RecordView) => boolean;

/**
 * Bytes that the readers of one store share: visits are synchronous, so nobody sees another's as long as none begins
 * inside one.
 */
export class Scratch {
  readonly bytes: Buffer = Buffer.allocUnsafe(CHUNK);

  /** A buffer of at least `length` bytes; larger ones are not kept. */
  room(length: number): Buffer {
    return length <= this.bytes.length ? this.bytes : Buffer.allocUnsafe(length);
  }
}

/** Walks the log in its order, any number of steps later too: live readers step again when the log has grown. */
export class ForwardCursor {
  /** Position of the next record to visit. */
  next: number;

  /** @param from the first position to visit; not a record's own is allowed: the next record behind it then */
  constructor(
    private readonly log: EventLog,
    private readonly scratch: Scratch,
    from: number,
  ) {
    this.next = align(log, scratch, from);
  }

  /** True when everything durable has been visited. */
  get atEnd(): boolean {
    return this.next >= this.log.end;
  }

  /** Visits the records of up to one chunk (128 KiB or one record). Returns false when it stopped or is at the end. */
  step(visit: Visit): boolean {
    if (this.atEnd) return false;
    const segment = this.log.segmentAt(this.next);
    const offset = segment.offsetOf(this.next);
    const available = segment.usedUntil(this.log.end) - offset;
    if (available > 0) return this.visitChunk(segment, offset, available, visit);
    this.next = segment === this.log.active ? this.log.end : segment.sealedEnd;
    return !this.atEnd;
  }

  private visitChunk(segment: Segment, offset: number, available: number, visit: Visit): boolean {
    let bytes: Buffer = this.scratch.bytes;
    let filled = segment.read(bytes, Math.min(bytes.length, available), offset);
    let at = 0;
    for (;;) {
      const record = parseRecord(bytes, at, filled, segment.expects(offset + at));
      if (record === 'invalid') throw segment.damaged(offset + at);
      if ('need' in record) {
        if (at > 0) return !this.atEnd;
        if (record.need > available) throw segment.damaged(offset);
        bytes = this.scratch.room(record.need);
        filled = segment.read(bytes, record.need, offset);
        continue;
      }
      at += record.length;
      this.next = segment.positionBehind(record, offset + at);
      if (!isStub(record) && !visit(record)) return false;
    }
  }
}

/** Walks the log towards its beginning. */
export class BackwardCursor {
  /** Records in front of this position are still to be visited. */
  before: number;

  /** @param before visits records whose position is lower than this */
  constructor(
    private readonly log: EventLog,
    private readonly scratch: Scratch,
    before: number,
  ) {
    this.before = align(log, scratch, before);
  }

  /** Visits up to one chunk. Returns false when it stopped or is at the beginning. */
  step(visit: Visit): boolean {
    const segment = this.log.segmentAt(this.before - 1);
    const used = segment.usedUntil(this.log.end);
    const end = this.before >= segment.base + used && !segment.isCompacted ? used : segment.offsetOf(this.before);
    if (end > SEGMENT_HEAD) return this.visitChunk(segment, end, visit);
    this.before = segment.base;
    return segment.base > 0;
  }

  private visitChunk(segment: Segment, end: number, visit: Visit): boolean {
    const wanted = Math.min(end - SEGMENT_HEAD, Math.max(this.scratch.bytes.length, lastLength(segment, end)));
    const bytes = this.scratch.room(wanted);
    const from = end - wanted;
    segment.read(bytes, wanted, from);
    let at = wanted;
    while (at >= MIN_RECORD) {
      const length = recordLength(bytes, at - 4);
      if (length === 'invalid') throw segment.damaged(from + at - 4);
      if (length > at) break;
      const record = parseRecord(bytes, at - length, at, segment.expects(from + at - length));
      if (record === 'invalid' || 'need' in record) throw segment.damaged(from + at - length);
      at -= length;
      this.before = record.position;
      if (!isStub(record) && !visit(record)) return false;
    }
    return true;
  }
}

/** The position itself when a record begins there, otherwise that of the next record (clients may send any number). */
function align(log: EventLog, scratch: Scratch, position: number): number {
  if (position >= log.end) return log.end;
  const segment = log.segmentAt(position);
  const offset = segment.offsetOf(position);
  if (segment.isCompacted || offset <= SEGMENT_HEAD) return position;
  const head = scratch.bytes;
  if (segment.read(head, RECORD_HEAD, offset) === RECORD_HEAD && head.readUIntLE(8, 6) === position) return position;
  const walk = new ForwardCursor(log, scratch, segment.base);
  let found = log.end;
  const search = (record: RecordView): boolean => {
    if (record.position < position) return true;
    found = record.position;
    return false;
  };
  while (walk.step(search)) continue;
  return found;
}

function isStub(record: RecordView): boolean {
  return (record.flags & FLAG_STUB) !== 0;
}

function lastLength(segment: Segment, end: number): number {
  const suffix = Buffer.allocUnsafe(4);
  segment.read(suffix, 4, end - 4);
  const length = suffix.readUInt32LE(0);
  if (length < MIN_RECORD || length > MAX_RECORD || length > end - SEGMENT_HEAD) throw segment.damaged(end - 4);
  return length;
}

/** Visits the records at the given positions (each the exact position of a record), in their order. */
export function visitAt(log: EventLog, scratch: Scratch, positions: readonly number[], visit: Visit): void {
  let segment: Segment | undefined;
  let from = 0;
  let filled = 0;
  let bytes: Buffer = scratch.bytes;
  for (const [i, position] of positions.entries()) {
    const home = log.segmentAt(position);
    const offset = home.offsetOf(position);
    if (offset >= home.fileSize) continue;
    let record =
      home === segment && offset >= from
        ? parseRecord(bytes, offset - from, filled, home.isCompacted ? -1 : position)
        : { need: RECORD_HEAD };
    while (record !== 'invalid' && 'need' in record) {
      const want = Math.max(record.need, spanOf(positions, i));
      bytes = scratch.room(want);
      const got = home.read(bytes, want, offset);
      if (got < record.need) throw home.damaged(offset);
      segment = home;
      from = offset;
      filled = got;
      record = parseRecord(bytes, 0, filled, home.isCompacted ? -1 : position);
    }
    if (record === 'invalid') throw home.damaged(offset);
    // In a compacted segment the next record stands where a removed one would be.
    if (record.position === position && !isStub(record) && !visit(record)) return;
  }
}

/** How much to read for the i-th position so that near neighbours come along; 4 KiB for a lone one. */
function spanOf(positions: readonly number[], i: number): number {
  const start = positions[i] ?? 0;
  let span = 4096;
  for (let next = i + 1; next < positions.length; next += 1) {
    const distance = (positions[next] ?? 0) - start;
    if (distance < 0 || distance + 4096 > CHUNK || distance > span + 16_384) break;
    span = distance + 4096;
  }
  return span;
}
