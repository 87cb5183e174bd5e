import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Owner {
  readonly pid: number;
  readonly started: string;
}

/**
 * When a process started, in a form that tells a reused pid from the first one; empty where the system does not say.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return pid === process.pid ? String(performance.timeOrigin) : '';
  }
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return now === '' || started === '' || now === started;
}

function readOwner(file: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner>;
    return typeof owner.pid === 'number' ? { pid: owner.pid, started: String(owner.started ?? '') } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes this process the only owner of a data folder; answers the function that gives it up.
 * Throws an Error naming the owner's pid when another server (also one of this process) uses the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'server.pid');
  const mine = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }));
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      if (tryLink(mine, file)) return () => rmSync(file, { force: true });
      const owner = readOwner(file);
      if (owner !== undefined && isRunning(owner)) break;
      discard(file, owner);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new Error(`The data folder ${folder} is in use by process ${readOwner(file)?.pid ?? 'unknown'}`);
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

/** Takes a dead owner's file away; if someone locked the folder in between, the file goes back. */
function discard(file: string, dead: Owner | undefined): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved?.pid !== dead?.pid || moved?.started !== dead?.started) {
    if (!existsSync(file)) renameSync(aside, file);
    return;
  }
  rmSync(aside, { force: true });
}
