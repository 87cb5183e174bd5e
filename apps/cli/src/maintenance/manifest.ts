import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import { jsonText, readJson, writePrivate } from '../installation/private-file.js';
import { StopError } from '../stop-error.js';

const name = 'manifest.json';
const backupFormat = 1;

const Manifest = z.object({
  format: z.int(),
  /** The version of the product that made the backup. */
  version: z.string(),
  createdAt: z.string(),
  /** The position at which the copied log ends; absent when the event store is not embedded. */
  position: z.int().optional(),
  /** Files by their path inside the backup, with `/`. */
  files: z.record(
    z.string().regex(/^(?!.*(^|\/)\.\.(\/|$))[^/\\][^\\]*$/),
    z.object({ bytes: z.int(), sha256: z.string() }),
  ),
});

/** The content of a backup. Its file is written last, so a folder without it is no finished backup. */
export type Manifest = z.output<typeof Manifest>;

/** Hashes all files of the folder and writes the manifest. */
export async function writeManifest(
  folder: string,
  about: { version: string; position?: number | undefined },
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const path of await filesIn(folder)) files[path] = await digestOf(join(folder, path));
  const { version, position } = about;
  const manifest = {
    format: backupFormat,
    version,
    createdAt: new Date().toISOString(),
    ...(position === undefined ? {} : { position }),
    files,
  };
  await writePrivate(join(folder, name), jsonText(manifest));
  return manifest;
}

/** Whether the folder contains a finished backup. */
export async function hasManifest(folder: string): Promise<boolean> {
  return (await stat(join(folder, name)).catch(() => undefined))?.isFile() === true;
}

/**
 * Reads the manifest and compares every file with it.
 * @throws StopError naming the first file that has changed
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const found = await readJson(join(folder, name)).catch(() => null);
  if (found === undefined) throw new StopError(`${folder} is no finished backup: there is no ${name} in it`);
  const parsed = Manifest.safeParse(found);
  if (!parsed.success) throw new StopError(`${join(folder, name)} is damaged; take another backup`);
  if (parsed.data.format > backupFormat)
    throw new StopError(`${folder} was made by version ${parsed.data.version}, which this one cannot read`);
  for (const [path, expected] of Object.entries(parsed.data.files)) {
    const digest = await digestOf(join(folder, path)).catch(() => undefined);
    if (digest === undefined) throw new StopError(`${join(folder, path)} is missing; take another backup`);
    if (digest.sha256 !== expected.sha256)
      throw new StopError(`${join(folder, path)} is not what was backed up: its SHA-256 differs; take another backup`);
  }
  return parsed.data;
}

/** The size of all files together, in bytes. */
export function sizeOf({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
