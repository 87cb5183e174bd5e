import { link, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isNativeError } from 'node:util/types';

/** What `action` gives, or undefined when there is no such file or folder. */
export function unlessMissing<T>(action: Promise<T>): Promise<T | undefined> {
  return unless(['ENOENT'], action);
}

async function unless<T>(codes: readonly string[], action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    if (codes.some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}

export async function sizeOf(file: string): Promise<number | undefined> {
  const stats = await unlessMissing(stat(file));
  return stats?.isFile() === true ? stats.size : undefined;
}

/**
 * Gives a file a second name; one that is there already stays.
 * @returns `missing` when there is no such file, `refused` when the file system has no second names
 */
export async function linkFile(file: string, name: string): Promise<'linked' | 'missing' | 'refused'> {
  try {
    await link(file, name);
    return 'linked';
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return 'linked';
    return isErrno(error, 'ENOENT') ? 'missing' : 'refused';
  }
}

/** Names in a folder in the order of their code units; none when it is not there, or is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return ((await unless(['ENOENT', 'ENOTDIR'], readdir(folder))) ?? []).sort();
}

/** Makes a folder and those above it. Nobody but this user can read them. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Puts the entries of a folder and of those above it on disk, up to `root`. Also where nothing was made now: another
 * writer may have made it and not come that far.
 */
export async function syncFolders(folder: string, root: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    await syncFolder(at);
    if (at === root || at === dirname(at)) return;
  }
}

/** Puts the entries of a folder on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isErrno(error: unknown, code: string): boolean {
  return isNativeError(error) && 'code' in error && error.code === code;
}
