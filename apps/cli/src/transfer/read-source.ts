import { createWriteStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentBounds, importBounds } from '@scriptorium/contracts';
import yazl from 'yazl';
import { exitCodes } from '../exit-codes.js';
import { StopError } from '../stop-error.js';

/** What is uploaded as one file. */
export interface LocalUpload {
  name: string;
  /** Where its bytes are. */
  path: string;
  size: number;
}

/** What a source has. */
export interface LocalSource {
  uploads: LocalUpload[];
  /** Links of the file system, which are not followed. */
  links: string[];
}

interface FoundFile {
  path: string;
  size: number;
}

const MiB = 1024 * 1024;
const mebibytes = (bytes: number): number => Math.ceil(bytes / MiB);

/**
 * The uploads of a source: a file as it is, a folder as zips of at most the size that an upload can have. `temporary`:
 * the folder for the zips; `codeOfEmpty`: the exit code for a folder without files.
 * @throws StopError for what is not there, is neither, or is more than an import takes
 */
export async function readSource(
  source: string,
  temporary: string,
  codeOfEmpty: number = exitCodes.failed,
): Promise<LocalSource> {
  const path = resolve(source);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) throw new StopError(`there is no ${source}`);
  if (found.isDirectory()) return zipsOf(path, temporary, codeOfEmpty);
  if (!found.isFile()) throw new StopError(`${source} is neither a folder nor a file`);
  if (found.size > contentBounds.fileBytes) {
    const way = /\.zip$/i.test(path) ? '; unpack it and import the folder, which is uploaded in parts' : '';
    throw new StopError(`${source} is larger than the ${mebibytes(contentBounds.fileBytes)} MiB of an upload${way}`);
  }
  return { uploads: [{ name: basename(path), path, size: found.size }], links: [] };
}

/** Folders of tools, which have nothing to be imported. */
const left: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

async function zipsOf(folder: string, temporary: string, codeOfEmpty: number): Promise<LocalSource> {
  const links: string[] = [];
  const files = await filesIn(folder, links);
  if (files.length === 0) throw new StopError(`${folder} has no files`, undefined, codeOfEmpty);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const { entries, bytes: most } = importBounds;
  if (files.length > entries || bytes > most)
    throw new StopError(
      `${folder} has ${files.length} files of ${mebibytes(bytes)} MiB; an import takes ${entries} files of ${mebibytes(most)} MiB`,
    );
  const parts = partsOf(folder, files, contentBounds.fileBytes);
  const uploads: LocalUpload[] = [];
  for (const [index, part] of parts.entries()) {
    const name = parts.length === 1 ? `${basename(folder)}.zip` : `${basename(folder)}-${index + 1}.zip`;
    const path = join(temporary, `${index + 1}.zip`);
    await writeZip(path, folder, part);
    const { size } = await stat(path);
    // Only a part that is one file can be.
    if (size > contentBounds.fileBytes)
      throw new StopError(`${part[0]?.path} is larger than the ${mebibytes(contentBounds.fileBytes)} MiB of a file`);
    uploads.push({ name, path, size });
  }
  return { uploads, links: links.map((path) => relative(folder, path)) };
}

/** Bytes of a zip for each file besides its content and its path, which is there twice. */
const entryBytes = 256;

/**
 * Divides files so that the zip of each part is no larger than `most`, also if nothing in it can be packed. A larger
 * file has a part of its own.
 */
export function partsOf(folder: string, files: readonly FoundFile[], most: number): FoundFile[][] {
  const parts: FoundFile[][] = [];
  let room = 0;
  for (const file of files) {
    const needed = Math.ceil(file.size * 1.001) + 2 * Buffer.byteLength(relative(folder, file.path)) + entryBytes;
    if (needed > room || parts.length === 0) {
      parts.push([]);
      room = most - entryBytes;
    }
    parts.at(-1)?.push(file);
    room -= needed;
  }
  return parts;
}

async function writeZip(path: string, folder: string, files: readonly FoundFile[]): Promise<void> {
  const zip = new yazl.ZipFile();
  for (const file of files) zip.addFile(file.path, relative(folder, file.path).split(sep).join('/'));
  const failed = new Promise<never>((_resolve, reject) => zip.once('error', reject));
  zip.end();
  await Promise.race([pipeline(zip.outputStream as Readable, createWriteStream(path, { mode: 0o600 })), failed]);
}

/** Links are left out, and added to `links`: what they lead to may lie anywhere. */
async function filesIn(folder: string, links: string[]): Promise<FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: FoundFile[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !left.has(entry.name)) for (const file of await filesIn(path, links)) found.push(file);
    else if (entry.isFile()) found.push({ path, size: (await stat(path)).size });
    else if (entry.isSymbolicLink()) links.push(path);
  }
  return found;
}
