import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, startMark } from '@scriptorium/embedded/live-process';
import * as z from 'zod';
import { StopError } from '../stop-error.js';
import { jsonText, readText, syncFolder, writeBeside, writePrivate } from './private-file.js';

/** The format of the data folder that this version reads and writes. */
export const currentFormat = 1;

const Format = z.object({
  format: z.int().min(1),
  version: z.string(),
  /** The process that uses the folder; absent after an orderly end. */
  pid: z.int().optional(),
  pidStart: z.string().optional(),
});
type Format = z.output<typeof Format>;

export interface Claim {
  /** Whether the last owner ended without releasing the folder. */
  unclean: boolean;
  /** Releases the folder. */
  release(): Promise<void>;
}

/**
 * Makes this process the owner of a data folder. `format.json` in the folder records the format, the version and the
 * owner.
 * @throws StopError naming the owner while that process is alive, and when the format is newer
 */
export async function claimFolder(folder: string, version: string): Promise<Claim> {
  const path = join(folder, 'format.json');
  const mark = startMark(process.pid);
  const own = { format: currentFormat, version, pid: process.pid, ...(mark === undefined ? {} : { pidStart: mark }) };
  let unclean = false;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const found = await readText(path);
    if (found !== undefined) {
      const last = parse(found, path);
      refuse(last, folder);
      unclean ||= last.pid !== undefined;
      await moveAside(path, found);
    }
    if (await createFile(path, jsonText(own))) {
      await syncFolder(folder);
      return { unclean, release: () => writePrivate(path, jsonText({ format: currentFormat, version })) };
    }
  }
  throw new StopError(`${folder} is being opened by several processes at once; try again`);
}

function parse(text: string, path: string): Format {
  try {
    return Format.parse(JSON.parse(text));
  } catch (error) {
    throw new StopError(
      `${path} is damaged; put {"format":1,"version":"0.1.0"} into it when no other process uses the folder`,
      error,
    );
  }
}

function refuse(last: Format, folder: string): void {
  if (last.format > currentFormat) {
    throw new StopError(
      `${folder} was written by version ${last.version} in format ${last.format}; this version knows format ${currentFormat}`,
    );
  }
  if (last.pid !== undefined && isAlive(last.pid, last.pidStart)) {
    throw new StopError(`${folder} is in use by process ${last.pid}; stop that one or set DATA_DIR to another folder`);
  }
}

/** Moves the file of the last owner away, unless another start has replaced it. */
async function moveAside(path: string, expected: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readText(aside)) !== expected) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Creates the file unless it exists. */
async function createFile(path: string, text: string): Promise<boolean> {
  const temporary = await writeBeside(path, text);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
