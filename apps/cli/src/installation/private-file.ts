import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file; undefined if it does not exist. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file that only its owner can read, atomically and durably: after a crash it has the old text or the new
 * one.
 */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = await writeBeside(path, text);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Writes a private file next to `path` under a unique name, durably. Returns its path. */
export async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Makes changed names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The JSON in a file; undefined if the file does not exist.
 * @throws SyntaxError when the content is not JSON
 */
export async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** JSON text with one property in each line, so that `sed` can read it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
