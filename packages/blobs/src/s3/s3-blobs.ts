import { type Blobs } from '../port/blobs.js';
import { BlobError } from '../port/error.js';
import { guarded } from '../port/guarded.js';
import { receive } from '../port/receive.js';
import { blobKey, DRAFTS, openBucket, type S3Options } from './bucket.js';
import { copyObject, draftIn } from './draft.js';
import { listObjects, listPrefixes } from './list.js';
import { readObject, sizeOf } from './read.js';
import { removeDrafts, removeKeys, removePool } from './remove.js';

export { type S3Options } from './bucket.js';

/** What a store copies by one request, 5 GiB. */
const MOST_BYTES = 5 * 1024 ** 3;
/** Blobs as objects of a bucket: `blobs/<pool>/<hash>`, and `drafts/<pool>/<id>` while they are written. */
export function s3Blobs(options: S3Options): Blobs {
  const bucket = openBucket(options);
  return guarded({
    write(pool, bytes, limits) {
      if (limits.most > MOST_BYTES)
        throw new BlobError('invalid', `most must be at most ${String(MOST_BYTES)}`, { field: 'most' });
      return receive(bytes, limits, () => Promise.resolve(draftIn(bucket, pool)));
    },
    read: (pool, hash, range) => readObject(bucket, blobKey(pool, hash), range),
    async stat(pool, hash) {
      const size = await sizeOf(bucket, blobKey(pool, hash));
      return size === undefined ? undefined : { hash, size };
    },
    copy: (from, to, hash) => copyObject(bucket, blobKey(from, hash), blobKey(to, hash)),
    async remove(pool, hashes) {
      const keys = hashes.map((hash) => blobKey(pool, hash));
      await removeKeys(bucket, keys);
    },
    list: (pool, page) => listObjects(bucket, pool, page),
    listPools: (page) => listPrefixes(bucket, page),
    removePool: (pool) => removePool(bucket, pool),
    sweep: ({ olderThan }) => removeDrafts(bucket, DRAFTS, (begun) => begun.getTime() < olderThan),
    close() {
      bucket.client.destroy();
      return Promise.resolve();
    },
  });
}
