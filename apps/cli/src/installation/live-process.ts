import { readFileSync } from 'node:fs';

/**
 * When a process began, as a mark that no other process of this machine ever has: boot and clock ticks since.
 * Undefined where the system does not tell (only Linux does) or there is no such process.
 */
export function startMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // The second field is the program's name in brackets and may hold anything; the 22nd is the start.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? undefined : `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that left `pid` and `mark` still runs. Numbers of processes come again, after a restart of a
 * container even the same ones: the mark tells them apart; without marks a live number counts as the same process.
 */
export function isAlive(pid: number, mark: string | undefined): boolean {
  if (pid === process.pid) return mark !== undefined && mark === startMark(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startMark(pid);
  return mark === undefined || now === undefined || now === mark;
}
