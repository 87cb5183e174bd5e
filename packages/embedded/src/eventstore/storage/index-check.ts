import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { checkAtStart, type Proof } from '../../checking/lmdb-check.js';

/**
 * Removes an index that must not be opened: the database maps its file into memory and trusts it, so a
 * file cut short would end the process. Checks its pages and values, and whether the last start got through.
 */
export function dropUnsoundIndex(path: string, proofs: Readonly<Record<string, Proof>>): void {
  if (existsSync(marker(path)) || checkAtStart(path, proofs) !== undefined) removeIndex(path);
}

export function removeIndex(path: string): void {
  for (const suffix of ['', '-lock']) rmSync(path + suffix, { force: true });
}

/** Notes that a start uses the index. Should the process die of it, the next start builds a new one. */
export function beginStart(path: string): void {
  writeFileSync(marker(path), String(process.pid));
}

export function endStart(path: string): void {
  rmSync(marker(path), { force: true });
}

function marker(path: string): string {
  return `${path}.starting`;
}
