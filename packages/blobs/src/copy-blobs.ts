import { type Blobs } from './port/blobs.js';
import { BlobError } from './port/error.js';
import { LIST_LIMIT } from './port/limits.js';

/** What of a store is in another one now. */
export interface CopiedBlobs {
  copied: number;
  /** Those that were there already. */
  present: number;
  /** Bytes of all of them. */
  bytes: number;
}

/** The longest time that one blob may take, ms. */
const withinMs = 30 * 60_000;

/**
 * Copies all blobs of a store that another one lacks; what comes is named by its hash again, so damaged bytes are
 * noticed. Nobody may write to the first store meanwhile. It can be repeated after an error.
 * @param progress is called with how many are there so far
 * @throws BlobError `store_failed`; `damaged` when the bytes of a blob are not those of its name
 */
export async function copyBlobs(from: Blobs, to: Blobs, progress: (done: number) => void): Promise<CopiedBlobs> {
  const sum: CopiedBlobs = { copied: 0, present: 0, bytes: 0 };
  for await (const pool of pages((after) => from.listPools({ after, limit: LIST_LIMIT }), String))
    for await (const { hash, size } of pages(
      (after) => from.list(pool, { after, limit: LIST_LIMIT }),
      (blob) => blob.hash,
    )) {
      if ((await to.stat(pool, hash))?.size === size) sum.present += 1;
      else if (await copyBlob({ from, to }, pool, hash)) sum.copied += 1;
      else continue;
      sum.bytes += size;
      progress(sum.copied + sum.present);
    }
  return sum;
}

/** False when the blob was removed meanwhile. */
async function copyBlob({ from, to }: { from: Blobs; to: Blobs }, pool: string, hash: string): Promise<boolean> {
  const read = await from.read(pool, hash);
  if (read === undefined) return false;
  const written = await to.write(pool, read.stream, { most: read.size, deadline: Date.now() + withinMs });
  if (written.hash === hash) return true;
  // The same bytes may be another file of the pool by right.
  if ((await from.stat(pool, written.hash)) === undefined) await to.remove(pool, [written.hash]);
  throw new BlobError('damaged', `the bytes of ${pool}/${hash} are not those of its name`);
}

/** What a list has on all of its pages. */
async function* pages<T>(
  list: (after: string | undefined) => Promise<T[]>,
  nameOf: (one: T) => string,
): AsyncGenerator<T> {
  for (let after: string | undefined; ;) {
    const found = await list(after);
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < LIST_LIMIT) return;
    after = nameOf(last);
  }
}
