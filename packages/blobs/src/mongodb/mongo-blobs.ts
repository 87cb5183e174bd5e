import { MongoClient } from 'mongodb';
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
import { receive } from '../port/receive.js';
import { storeCall } from '../port/store-call.js';
import { collectionsOf } from './collections.js';
import { draftIn } from './draft.js';
import { listBlobs, listPools, readChunks } from './read.js';
import { removeBlob, removePool, sweepUploads } from './remove.js';

export interface MongoOptions {
  /** `mongodb://…`, with credentials when the server demands them. */
  readonly url: string;
  /** The name of the database that holds `blobs`, `blob_chunks` and `blob_pending`. */
  readonly database: string;
}

/** Removing a large pool is many short commands. */
const REMOVE_MS = 600_000;

/** Blobs as documents of at most 255 KiB, through a client of their own, so that files never hold the connections of others. */
export function mongoBlobs({ url, database }: MongoOptions): Blobs {
  const client = clientFor(url);
  const collections = collectionsOf(client.db(database));
  return {
    async write(pool, bytes, options) {
      checkWrite(pool, options);
      return receive(bytes, options, () => draftIn(collections, pool));
    },
    async read(pool, hash, range) {
      checkBlob(pool, hash);
      checkRange(range);
      return storeCall('Reading a blob', () => readChunks(collections, pool, hash, range));
    },
    async stat(pool, hash) {
      checkBlob(pool, hash);
      const blob = await storeCall('Looking for a blob', () => collections.blobs.findOne({ _id: `${pool}/${hash}` }));
      return blob === null ? undefined : { hash, size: blob.size };
    },
    async remove(pool, hashes) {
      checkHashes(pool, hashes);
      for (const hash of hashes)
        await storeCall('Removing a blob', () => removeBlob(collections, pool, hash), REMOVE_MS);
    },
    async list(pool, options) {
      checkPool(pool);
      checkPage(options, checkHash);
      return storeCall('Listing blobs', () => listBlobs(collections, pool, options));
    },
    async listPools(options) {
      checkPage(options, checkPool);
      return storeCall('Listing pools', () => listPools(collections, options));
    },
    async removePool(pool) {
      checkPool(pool);
      await storeCall('Removing a pool', () => removePool(collections, pool), REMOVE_MS);
    },
    async sweep({ olderThan }) {
      checkSweep(olderThan);
      return storeCall('Sweeping', () => sweepUploads(collections, olderThan), REMOVE_MS);
    },
    close: () => client.close(),
  };
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
