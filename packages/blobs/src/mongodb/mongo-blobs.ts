import { MongoClient } from 'mongodb';
import { type Blobs } from '../port/blobs.js';
import { guarded } from '../port/guarded.js';
import { receive } from '../port/receive.js';
import { collectionsOf } from './collections.js';
import { copyBlob } from './copy.js';
import { draftIn } from './draft.js';
import { listBlobs, listPools, readChunks } from './read.js';
import { removeBlob, removePool, sweepUploads } from './remove.js';

export interface MongoOptions {
  /** `mongodb://…`, with credentials when the server demands them. */
  readonly url: string;
  /** The name of the database that holds `blobs`, `blob_chunks` and `blob_pending`. */
  readonly database: string;
}

/**
 * Blobs as documents of at most 255 KiB, through a client of their own, so that files never hold the connections of
 * others.
 */
export function mongoBlobs({ url, database }: MongoOptions): Blobs {
  const client = clientFor(url);
  const collections = collectionsOf(client.db(database));
  return guarded({
    write: (pool, bytes, options) => receive(bytes, options, () => draftIn(collections, pool)),
    read: (pool, hash, range) => readChunks(collections, pool, hash, range),
    async stat(pool, hash) {
      const blob = await collections.blobs.findOne({ _id: `${pool}/${hash}` });
      return blob === null ? undefined : { hash, size: blob.size };
    },
    copy: (from, to, hash) => copyBlob(collections, from, to, hash),
    async remove(pool, hashes) {
      for (const hash of hashes) await removeBlob(collections, pool, hash);
    },
    list: (pool, options) => listBlobs(collections, pool, options),
    listPools: (options) => listPools(collections, options),
    removePool: (pool) => removePool(collections, pool),
    sweep: ({ olderThan }) => sweepUploads(collections, olderThan),
    close: () => client.close(),
  });
}

/** Connects with the first command. */
function clientFor(url: string): MongoClient {
  return new MongoClient(url, {
    appName: 'blobs',
    retryWrites: false,
    retryReads: true,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: 30_000,
    maxPoolSize: 8,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
}
