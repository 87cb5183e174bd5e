import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../folder-lock.js';
import { type CheckReport, Findings } from '../checking/finding.js';
import { IndexCheck } from './storage/check-index.js';
import { checkSegment } from './storage/check-segment.js';
import { LOG_REMEDY, StoreDamaged } from './storage/damage.js';
import { Segment } from './storage/segment.js';

/**
 * Checks every record of the log in `dataDir` (lengths, CRC-32, order of positions), every page of the index, and that
 * both agree. Changes nothing. Reads one file of the log (64 MiB) at a time.
 * @throws Error naming the pid of the process that uses the folder, or when there is no log
 */
export async function verifyEventStore(dataDir: string): Promise<CheckReport> {
  if (!existsSync(join(dataDir, 'log'))) throw new Error(`there is no event log in ${dataDir}`);
  const unlock = lockFolder(dataDir, 'owner.lock');
  const findings = new Findings();
  const segments = openSegments(join(dataDir, 'log'), findings);
  let index: IndexCheck | undefined;
  try {
    index = await IndexCheck.open(join(dataDir, 'index.lmdb'), segments[0]?.header.logId, findings);
    let end = 0;
    for (const segment of segments) {
      const whole = checkSegment({
        segment,
        isLast: segment === segments.at(-1),
        findings,
        record: (record) => index?.record(record),
      });
      end = segment.isCompacted ? segment.sealedEnd : segment.base + whole;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const last = segments.at(-1);
    if (index !== undefined && last !== undefined && end < index.complete) {
      findings.add({
        file: last.path,
        offset: end - last.base,
        what: `the log ends before the position ${String(index.complete)} that the index has reached`,
        remedy: LOG_REMEDY,
      });
    }
    index?.places(segments);
  } finally {
    await index?.close();
    for (const segment of segments) segment.close();
    unlock();
  }
  return findings.report();
}

/** Opens the files of the log that can be, and checks that they follow each other. */
function openSegments(dir: string, findings: Findings): Segment[] {
  const opened: Segment[] = [];
  for (const name of readdirSync(dir)
    .filter((entry) => entry.endsWith('.seg'))
    .sort()) {
    findings.count('files');
    try {
      take(Segment.open(join(dir, name)), opened, findings);
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      findings.add({ file: error.file, offset: error.offset, what: error.what, remedy: LOG_REMEDY });
    }
  }
  return opened;
}

function take(segment: Segment, opened: Segment[], findings: Findings): void {
  const before = opened.at(-1);
  if (before?.isCompacted === true && segment.base < before.sealedEnd) {
    findings.notes.push(`${segment.path}: its events stand in ${before.path}, too; the next start removes it`);
    segment.close();
    return;
  }
  const wrong = (file: string, offset: number, what: string): void => {
    findings.add({ file, offset, what, remedy: LOG_REMEDY });
  };
  if (before === undefined && segment.base !== 0)
    wrong(segment.path, 0, 'the log does not begin with this file: an earlier one is missing');
  if (before !== undefined && segment.base !== before.sealedEnd)
    wrong(before.path, before.fileSize, 'the log does not go on in the next file: a part is missing');
  if (before !== undefined && segment.header.logId !== before.header.logId)
    wrong(segment.path, 0, 'a file of another log');
  opened.push(segment);
}
