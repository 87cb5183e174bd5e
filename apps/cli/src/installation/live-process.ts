import { readFileSync } from 'node:fs';

/**
 * A mark that no other process of this machine ever has: the id of the boot and the clock ticks until the start of the
 * process. Undefined if the process does not exist or the system does not tell (only Linux does).
 */
export function startMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // The second field is the program's name in brackets, which may contain anything. The 22nd is the start.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? undefined : `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that recorded `pid` and `mark` still runs. Process ids are reused, after a restart of a container
 * even at once. The mark tells the processes apart. Without marks, a live process with the id counts as the same one.
 */
export function isAlive(pid: number, mark: string | undefined): boolean {
  if (pid === process.pid) return mark !== undefined && mark === startMark(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startMark(pid);
  return mark === undefined || now === undefined || now === mark;
}
