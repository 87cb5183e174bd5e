import { type Blobs } from '../port/blobs.js';
import {
  checkBlob,
  checkHash,
  checkHashes,
  checkPage,
  checkPool,
  checkRange,
  checkSweep,
  checkWrite,
} from '../port/checks.js';
import { BlobError } from '../port/error.js';
import { receive } from '../port/receive.js';
import { storeCall } from '../port/store-call.js';
import { type Bucket, blobKey, DRAFTS, openBucket, type S3Options } from './bucket.js';
import { draftIn } from './draft.js';
import { listObjects, listPrefixes } from './list.js';
import { readObject, sizeOf } from './read.js';
import { removeDrafts, removeKeys, removePool } from './remove.js';

export { type S3Options } from './bucket.js';

/** What a store copies by one request, 5 GiB. */
const MOST_BYTES = 5 * 1024 ** 3;
/** Of what takes many requests. */
const REMOVE_MS = 600_000;

/** Blobs as objects of a bucket: `blobs/<pool>/<hash>`, and `drafts/<pool>/<id>` while they are written. */
export function s3Blobs(options: S3Options): Blobs {
  const bucket = openBucket(options);
  return {
    async write(pool, bytes, limits) {
      checkWrite(pool, limits);
      if (limits.most > MOST_BYTES)
        throw new BlobError('invalid', `most must be at most ${String(MOST_BYTES)}`, { field: 'most' });
      return receive(bytes, limits, () => Promise.resolve(draftIn(bucket, pool)));
    },
    async read(pool, hash, range) {
      checkBlob(pool, hash);
      checkRange(range);
      return storeCall('Reading a blob', () => readObject(bucket, blobKey(pool, hash), range));
    },
    async stat(pool, hash) {
      checkBlob(pool, hash);
      const size = await storeCall('Looking for a blob', () => sizeOf(bucket, blobKey(pool, hash)));
      return size === undefined ? undefined : { hash, size };
    },
    async remove(pool, hashes) {
      checkHashes(pool, hashes);
      await removeKeys(
        bucket,
        hashes.map((hash) => blobKey(pool, hash)),
      );
    },
    async list(pool, page) {
      checkPool(pool);
      checkPage(page, checkHash);
      return storeCall('Listing blobs', () => listObjects(bucket, pool, page));
    },
    async listPools(page) {
      checkPage(page, checkPool);
      return storeCall('Listing pools', () => listPrefixes(bucket, page));
    },
    async removePool(pool) {
      checkPool(pool);
      await storeCall('Removing a pool', () => removePool(bucket, pool), REMOVE_MS);
    },
    async sweep({ olderThan }) {
      checkSweep(olderThan);
      return sweepDrafts(bucket, olderThan);
    },
    close() {
      bucket.client.destroy();
      return Promise.resolve();
    },
  };
}

function sweepDrafts(bucket: Bucket, olderThan: number): Promise<number> {
  return storeCall(
    'Sweeping',
    () => removeDrafts(bucket, DRAFTS, (begun) => begun.getTime() < olderThan),
    REMOVE_MS,
  );
}
