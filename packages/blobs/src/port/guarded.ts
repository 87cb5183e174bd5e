import { type Blobs } from './blobs.js';
import {
  checkBlob,
  checkHash,
  checkHashes,
  checkPage,
  checkPool,
  checkRange,
  checkSweep,
  checkWrite,
} from './checks.js';
import { PUBLISH_TIMEOUT_MS, REMOVE_TIMEOUT_MS } from './limits.js';
import { storeCall } from './store-call.js';

/**
 * The operations of a store, with their parameters checked, their time limited, and errors of the store as
 * `store_failed`.
 */
export function guarded(store: Blobs): Blobs {
  return {
    async write(pool, bytes, options) {
      checkWrite(pool, options);
      // `receive` limits the time of each of its steps.
      return store.write(pool, bytes, options);
    },
    async read(pool, hash, range) {
      checkBlob(pool, hash);
      checkRange(range);
      return storeCall('Reading a blob', () => store.read(pool, hash, range));
    },
    async stat(pool, hash) {
      checkBlob(pool, hash);
      return storeCall('Looking for a blob', () => store.stat(pool, hash));
    },
    async copy(from, to, hash) {
      checkPool(from, 'from');
      checkBlob(to, hash);
      return storeCall('Copying a blob', () => store.copy(from, to, hash), PUBLISH_TIMEOUT_MS);
    },
    async list(pool, page) {
      checkPool(pool);
      checkPage(page, checkHash);
      return storeCall('Listing blobs', () => store.list(pool, page));
    },
    async listPools(page) {
      checkPage(page, checkPool);
      return storeCall('Listing pools', () => store.listPools(page));
    },
    ...removals(store),
    close: () => store.close(),
  };
}

function removals(store: Blobs): Pick<Blobs, 'remove' | 'removePool' | 'sweep'> {
  return {
    async remove(pool, hashes) {
      checkHashes(pool, hashes);
      await storeCall('Removing blobs', () => store.remove(pool, hashes), REMOVE_TIMEOUT_MS);
    },
    async removePool(pool) {
      checkPool(pool);
      await storeCall('Removing a pool', () => store.removePool(pool), REMOVE_TIMEOUT_MS);
    },
    async sweep(options) {
      checkSweep(options.olderThan);
      return storeCall('Sweeping', () => store.sweep(options), REMOVE_TIMEOUT_MS);
    },
  };
}
