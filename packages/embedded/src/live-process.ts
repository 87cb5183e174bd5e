import { readFileSync } from 'node:fs';

/** A process as the system shows it. */
interface Shown {
  /** All its threads have ended, and it only waits for its parent to take note. */
  readonly ended: boolean;
  readonly mark: string | undefined;
}

/**
 * A mark that no other process of this machine ever has: the id of the boot and the clock ticks until the start of the
 * process. Undefined if the process does not exist or the system does not tell (only Linux does); this process has a
 * mark everywhere.
 */
export function startMark(pid: number): string | undefined {
  return lookAt(pid)?.mark ?? (pid === process.pid ? `origin/${String(performance.timeOrigin)}` : undefined);
}

/**
 * Whether the process that recorded `pid` and `mark` still runs. Process ids are reused, after a restart of a container
 * even at once: the mark tells the processes apart. Without marks, a live process with the id counts as the same one. A
 * process that was killed and that nobody has waited for is not alive: in a container without an init it stays for
 * ever.
 */
export function isAlive(pid: number, mark: string | undefined): boolean {
  if (pid === process.pid) return mark !== undefined && isSameStart(mark, startMark(pid) ?? '');
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const shown = lookAt(pid);
  if (shown?.ended === true) return false;
  return mark === undefined || shown?.mark === undefined || isSameStart(mark, shown.mark);
}

/** Marks of the first versions have no id of the boot. */
function isSameStart(recorded: string, now: string): boolean {
  return recorded === now || (!recorded.includes('/') && now.endsWith(`/${recorded}`));
}

function lookAt(pid: number): Shown | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    // The second field is the program's name in brackets, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    // The first thread can end, or be killed, before the others, which may still be writing.
    const ended = (state === 'Z' || state === 'X') && threads <= 1;
    return { ended, mark: ticks === undefined ? undefined : `${bootId()}/${ticks}` };
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}
