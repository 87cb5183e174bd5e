import { open, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Blobs, type ByteRange, type ReadBlob } from '../port/blobs.js';
import { clampRange } from '../port/clamp.js';
import { copyThrough } from '../port/copy.js';
import { guarded } from '../port/guarded.js';
import { receive } from '../port/receive.js';
import { draftIn } from './draft.js';
import { linkFile, makeFolder, namesIn, sizeOf, syncFolder, syncFolders, unlessMissing } from './files.js';
import { listFolder, listPoolFolders, poolsIn } from './listing.js';
import { type Places, placesIn } from './places.js';

/** Where blobs are kept. */
export interface FolderOptions {
  /**
   * Is made when it is missing. All processes that use it are on one machine, or share a file system that renames
   * atomically.
   */
  readonly folder: string;
}

/** Blobs as files below a folder, two levels of folders deep within their pool. */
export function folderBlobs({ folder }: FolderOptions): Blobs {
  const places = placesIn(resolve(folder));
  return guarded({
    write: (pool, bytes, options) => receive(bytes, options, () => draftIn(places, pool)),
    read: (pool, hash, range) => readFile(places.blob(pool, hash), range),
    async stat(pool, hash) {
      const size = await sizeOf(places.blob(pool, hash));
      return size === undefined ? undefined : { hash, size };
    },
    copy: (from, to, hash) => copyBlob(places, from, to, hash),
    async remove(pool, hashes) {
      for (const hash of hashes) await removeFile(places, pool, hash);
    },
    list: (pool, options) => listFolder(places, pool, options),
    listPools: (options) => listPoolFolders(places, options),
    removePool: (pool) => removePool(places, pool),
    sweep: ({ olderThan }) => sweepDrafts(places, olderThan),
    close: () => Promise.resolve(),
  });
}

async function readFile(file: string, range: ByteRange | undefined): Promise<ReadBlob | undefined> {
  const handle = await unlessMissing(open(file, 'r'));
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const { start, end } = clampRange(range, size);
    if (start < end) return { size, stream: handle.createReadStream({ start, end: end - 1 }) };
    await handle.close();
    return { size, stream: Readable.from([]) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The same file under a second name, as its bytes never change; a copy where the file system has no second names. */
async function copyBlob(places: Places, from: string, to: string, hash: string): Promise<boolean> {
  const shelf = places.shelf(to, hash);
  await makeFolder(shelf);
  const outcome = await linkFile(places.blob(from, hash), places.blob(to, hash));
  if (outcome === 'missing') return false;
  if (outcome === 'refused') return copyBytes(places, from, to, hash);
  await syncFolders(shelf, places.root);
  return true;
}

async function copyBytes(places: Places, from: string, to: string, hash: string): Promise<boolean> {
  const found = await readFile(places.blob(from, hash), undefined);
  if (found !== undefined) await copyThrough(found, hash, () => draftIn(places, to));
  return found !== undefined;
}

async function removeFile(places: Places, pool: string, hash: string): Promise<void> {
  await rm(places.blob(pool, hash), { force: true });
  await unlessMissing(syncFolder(places.shelf(pool, hash)));
}

async function removePool(places: Places, pool: string): Promise<void> {
  // Tries again when a writer puts a file into a folder that was empty.
  await rm(places.pool(pool), { recursive: true, force: true, maxRetries: 5 });
  await unlessMissing(syncFolder(places.root));
}

async function sweepDrafts(places: Places, olderThan: number): Promise<number> {
  let removed = 0;
  for (const pool of await poolsIn(places))
    for (const name of await namesIn(places.drafts(pool)))
      if (await sweepDraft(join(places.drafts(pool), name), olderThan)) removed++;
  return removed;
}

/** A draft is as old as its last byte. */
async function sweepDraft(file: string, olderThan: number): Promise<boolean> {
  const stats = await unlessMissing(stat(file));
  if (stats === undefined || stats.mtimeMs >= olderThan) return false;
  await rm(file, { force: true });
  return true;
}
