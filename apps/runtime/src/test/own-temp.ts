import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary directory for one spec: others that run beside it have theirs. */
export function ownTemp(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'rt-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
