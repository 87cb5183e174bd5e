import { type Findings } from '../../checking/finding.js';
import { LOG_REMEDY } from './damage.js';
import { FLAG_APPEND_END, MIN_RECORD, parseRecord, recordLength, type RecordView } from './record.js';
import { type Segment } from './segment.js';
import { SEGMENT_HEAD } from './segment-header.js';
import { findLaterBatch } from './tail.js';

export interface SegmentCheck {
  readonly segment: Segment;
  /** The last one may end in a write that was never acknowledged. */
  readonly isLast: boolean;
  readonly findings: Findings;
  record(record: RecordView, offset: number): void;
}

/**
 * Reads every record of one file of the log, also behind damaged places. @returns the offset behind the last whole
 * append
 */
export function checkSegment(check: SegmentCheck): number {
  const { segment, isLast, findings } = check;
  const bytes = Buffer.allocUnsafe(segment.fileSize);
  const filled = segment.read(bytes, segment.fileSize, 0);
  let at = SEGMENT_HEAD;
  let whole = at;
  let last = -1;
  while (at < filled) {
    const record = parseRecord(bytes, at, filled, segment.expects(at));
    if (record === 'invalid' || 'need' in record) {
      if (isLast && findLaterBatch(segment, at) < 0) break;
      const next = nextRecord(bytes, at + 1, segment);
      complain(
        check,
        at,
        next < 0
          ? 'damaged record, and nothing readable behind it'
          : `damaged record; what can be read goes on at offset ${String(next)}`,
      );
      if (next < 0) return whole;
      at = next;
      whole = next;
      continue;
    }
    if (record.position <= last || record.position < segment.base) complain(check, at, 'a record out of order');
    last = record.position;
    findings.count('records');
    check.record(record, at);
    at += record.length;
    if ((record.flags & FLAG_APPEND_END) !== 0) whole = at;
  }
  if (whole < filled && isLast) noteTail(check, bytes, whole);
  else if (whole < filled) complain(check, whole, 'the file ends inside an append');
  return whole;
}

function complain({ segment, findings }: SegmentCheck, offset: number, what: string): void {
  findings.add({ file: segment.path, offset, what, remedy: LOG_REMEDY });
}

/** Space allocated ahead is zeros; anything else is the beginning of a write that nobody was told of. */
function noteTail({ segment, findings }: SegmentCheck, bytes: Buffer, whole: number): void {
  const rest = bytes.subarray(whole);
  if (rest.every((byte) => byte === 0)) return;
  findings.notes.push(
    `${segment.path} at offset ${String(whole)}: a write that was not finished, nor acknowledged; the next start removes it`,
  );
}

/** The next place from `from` on where an intact record stands; -1 when there is none. */
function nextRecord(bytes: Buffer, from: number, segment: Segment): number {
  for (let at = from; at + MIN_RECORD <= bytes.length; at += 1) {
    const length = recordLength(bytes, at);
    // The length stands twice: that rules out nearly every place before a checksum is made.
    if (length === 'invalid' || at + length > bytes.length || bytes.readUInt32LE(at + length - 4) !== length) continue;
    const record = parseRecord(bytes, at, bytes.length, segment.expects(at));
    if (record !== 'invalid' && !('need' in record)) return at;
  }
  return -1;
}
