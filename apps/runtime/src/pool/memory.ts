import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:process';

/** Resident bytes by process. A process that has ended is left out. */
export type ReadMemory = (pids: readonly number[]) => Promise<ReadonlyMap<number, number>>;

export const readMemory: ReadMemory = platform === 'linux' ? fromProc : fromPs;

export async function fromProc(pids: readonly number[]): Promise<Map<number, number>> {
  const read = async (pid: number): Promise<[number, number][]> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? [] : [[pid, Number(kilobytes) * 1024]];
  };
  return new Map((await Promise.all(pids.map(read))).flat());
}

export function fromPs(pids: readonly number[]): Promise<Map<number, number>> {
  if (pids.length === 0) return Promise.resolve(new Map<number, number>());
  return new Promise((resolve) => {
    // It fails where one of them has ended, and tells about the others all the same.
    execFile('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], { timeout: 2_000 }, (_error, told) => {
      const lines = told
        .trim()
        .split('\n')
        .filter((line) => line !== '');
      resolve(
        new Map(lines.map((line) => line.trim().split(/\s+/).map(Number)).map(([pid = 0, kb = 0]) => [pid, kb * 1024])),
      );
    });
  });
}
