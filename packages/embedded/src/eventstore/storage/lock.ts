import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'owner.lock';

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with the same pid; empty where the system does not say. */
  readonly started: string;
}

/**
 * Makes this process the only owner of `dir`. A lock left by a process that is gone is taken over.
 * @returns a function that gives the folder back
 * @throws Error naming the pid of the owner
 */
export function lockFolder(dir: string): () => void {
  const path = join(dir, NAME);
  const mine = `${path}.${String(process.pid)}.${String(process.hrtime.bigint())}`;
  const owner: Owner = { pid: process.pid, started: startOf(process.pid) };
  writeFileSync(mine, JSON.stringify(owner));
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (tryLink(mine, path)) return () => rmSync(path, { force: true });
      const found = readOwner(path);
      if (found !== undefined && isRunning(found)) throw inUse(dir, found.pid);
      dropStale(path, found);
    }
    throw new Error(`the data folder ${dir} is being taken by another process`);
  } finally {
    rmSync(mine, { force: true });
  }
}

function inUse(dir: string, pid: number): Error {
  return new Error(`the data folder ${dir} is in use by process ${String(pid)}; stop it first`);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale lock aside; if another process has just replaced it by its own, puts that back. */
function dropStale(path: string, stale: Owner | undefined): void {
  const aside = `${path}.stale.${String(process.pid)}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved !== undefined && moved.pid !== stale?.pid) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readOwner(path: string): Owner | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>;
    return typeof value.pid === 'number' ? { pid: value.pid, started: value.started ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = startOf(owner.pid);
  return started === '' || owner.started === '' || started === owner.started;
}

/** Start time of a process in the kernel's ticks since boot, with the boot's id; empty where /proc is missing. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The command's name may hold spaces and brackets: count fields behind the last bracket.
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return '';
  }
}
