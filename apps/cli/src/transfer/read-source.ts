import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { contentBounds } from '@scriptorium/contracts';
import yazl from 'yazl';
import { StopError } from '../stop-error.js';

/** What is uploaded. */
export interface LocalSource {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file as it is, a folder as a zip. @throws StopError for what is not there, is neither, or is too large */
export async function readSource(source: string): Promise<LocalSource> {
  const path = resolve(source);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) throw new StopError(`there is no ${source}`);
  if (!found.isDirectory() && !found.isFile()) throw new StopError(`${source} is neither a folder nor a file`);
  const bytes = found.isFile() ? await readFile(path) : await zipOf(path);
  if (bytes.length > contentBounds.fileBytes) throw new StopError(`${source} is larger than 100 MiB`);
  return { name: found.isFile() ? basename(path) : `${basename(path)}.zip`, bytes: new Uint8Array(bytes) };
}

/** Folders of tools, which have nothing to be imported. */
const left: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

async function zipOf(folder: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const paths = await filesIn(folder);
  if (paths.length === 0) throw new StopError(`${folder} has no files`);
  for (const path of paths) zip.addFile(path, relative(folder, path).split(sep).join('/'));
  const failed = new Promise<never>((_resolve, reject) => zip.once('error', reject));
  zip.end();
  return Promise.race([buffer(zip.outputStream as Readable), failed]);
}

/** Links are left out: what they lead to may lie anywhere. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return left.has(entry.name) ? [] : filesIn(path);
        return entry.isFile() ? [path] : [];
      }),
  );
  return found.flat();
}
