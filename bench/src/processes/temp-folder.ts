import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.js';

/** A new folder that is gone when the run ends. */
export async function tempFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
