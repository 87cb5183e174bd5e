import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes, by `/proc`. */
export function residentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

/** The part of resident memory that is this process's own, shared pages divided by how many share them. */
export function proportionalBytes(pid: number): number {
  return 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}
