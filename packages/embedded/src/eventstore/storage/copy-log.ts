import { mkdir, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type EventLog } from './log.js';
import { type Segment, syncDirectory } from './segment.js';

const CHUNK = 1024 * 1024;

/**
 * Copies the log up to the position that it has between two commits into `folder/log`. What stands in front of that
 * position never changes, so commits go on meanwhile; no file may be replaced until it is done.
 * @returns that position
 */
export async function copyLog(log: EventLog, hold: () => Promise<() => void>, folder: string): Promise<number> {
  const release = await hold();
  const position = log.end;
  const parts = log.segments.map((segment) => ({ segment, bytes: segment.usedUntil(position) }));
  release();
  const dir = join(folder, 'log');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const { segment, bytes } of parts) await copySegment(segment, bytes, join(dir, basename(segment.path)));
  syncDirectory(dir);
  return position;
}

async function copySegment(segment: Segment, bytes: number, path: string): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes));
  const file = await open(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes;) {
      const got = segment.read(chunk, Math.min(chunk.length, bytes - at), at);
      if (got === 0) throw segment.damaged(at, 'the file ends too early');
      await file.write(chunk, 0, got, at);
      at += got;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
