import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** The folder of the bytes of files within a data folder, and within a backup. */
export const filesName = 'files';

/** The folder in which an installation keeps the bytes of files; undefined when it keeps them elsewhere. */
export function filesFolder(dataFolder: string, store: string): string | undefined {
  if (store === 'folder') return join(dataFolder, filesName);
  return store.startsWith('folder:') ? resolve(store.slice('folder:'.length)) : undefined;
}

const named = /^[0-9a-f]{64}$/;

/**
 * Copies the bytes of files, but for those that are being written. They never change, so this needs no order and no
 * pause.
 */
export async function copyFiles(from: string, to: string): Promise<void> {
  for (const file of await filesIn(from)) {
    const copy = join(to, relative(from, file));
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    // What is removed meanwhile belongs to what is being purged.
    if (await isCopied(file, copy)) await chmod(copy, 0o600);
  }
}

async function isCopied(file: string, copy: string): Promise<boolean> {
  try {
    await copyFile(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(file)) return false;
    throw error;
  }
}

/** The result of checking files: each error, and what was checked. */
export interface FilesCheck {
  sound: boolean;
  lines: string[];
}

/** Compares the bytes of every file with its name, which is their SHA-256. */
export async function checkFiles(folder: string): Promise<FilesCheck> {
  if (!existsSync(folder)) return { sound: true, lines: [] };
  const damaged: string[] = [];
  const files = await filesIn(folder);
  let bytes = 0;
  for (const file of files) {
    bytes += (await stat(file)).size;
    if ((await sha256Of(file)) !== basename(file))
      damaged.push(`${file}: the bytes are not those of its name; restore this file from a backup`);
  }
  const sum = `${filesName}: ${damaged.length === 0 ? 'sound' : `${damaged.length} damaged`} (${files.length} files, ${bytes} bytes)`;
  return { sound: damaged.length === 0, lines: [...damaged, sum] };
}

/** Finished files: each two folders below that of its pool. */
async function filesIn(folder: string): Promise<string[]> {
  let folders = [folder];
  for (let level = 0; level < 3; level += 1) folders = (await Promise.all(folders.map(pathsIn))).flat();
  return (await Promise.all(folders.map(pathsIn))).flat().filter((file) => named.test(basename(file)));
}

/** What stands in a folder, in its order; nothing for one that was removed meanwhile, or is none. */
async function pathsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.sort().map((name) => join(folder, name));
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
