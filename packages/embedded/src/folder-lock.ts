import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startMark } from './live-process.js';

/** The file that names the owner, in the folders of the two stores. */
export type OwnerFile = 'owner.lock' | 'server.pid';

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with the same pid; undefined where the system did not say. */
  readonly started: string | undefined;
}

/**
 * Makes this process the only owner of `dir`, which names it in the file `name`. A lock left by a process that is gone
 * is taken over.
 * @returns a function that gives the folder back
 * @throws Error naming the pid of the owner, which may be this process
 */
export function lockFolder(dir: string, name: OwnerFile): () => void {
  const path = join(dir, name);
  const mine = `${path}.${String(process.pid)}.${String(process.hrtime.bigint())}`;
  const owner: Owner = { pid: process.pid, started: startMark(process.pid) };
  writeFileSync(mine, JSON.stringify(owner));
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      if (tryLink(mine, path)) return () => rmSync(path, { force: true });
      const found = readOwner(path);
      if (found !== undefined && isAlive(found.pid, found.started)) throw inUse(dir, found.pid);
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
  const isStale = moved?.pid === stale?.pid && moved?.started === stale?.started;
  if (moved !== undefined && !isStale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readOwner(path: string): Owner | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>;
    const mark = typeof started === 'string' && started !== '' ? started : undefined;
    return typeof pid === 'number' ? { pid, started: mark } : undefined;
  } catch {
    return undefined;
  }
}
