import { describe, expect, it } from '@jest/globals';
import { type Blobs } from '../port/blobs.js';
import { bytesOf, inPieces, sha256 } from './bytes.js';
import { openStore, type StorePlace } from './stores.js';

const HASH = sha256(bytesOf(1));
const HASHES = [
  '',
  '..',
  '../../etc/passwd',
  HASH.slice(1),
  `${HASH}0`,
  HASH.toUpperCase(),
  `../${HASH}`,
  `a/${HASH}`.slice(0, 64),
];
const POOLS = ['', '.', '..', 'a/b', '../a', 'a\\b', 'a\0', '-a', '_a', 'a.b', 'ä', 'a\n', 'a'.repeat(129)];
const options = () => ({ most: 10, deadline: Date.now() + 10_000 });

type Call = [what: string, field: string, call: (blobs: Blobs) => Promise<unknown>];

const badHashes = HASHES.flatMap((hash): Call[] => [
  [`read of the hash ${JSON.stringify(hash)}`, 'hash', (blobs) => blobs.read('pool', hash)],
  [`stat of the hash ${JSON.stringify(hash)}`, 'hash', (blobs) => blobs.stat('pool', hash)],
  [`removal of the hash ${JSON.stringify(hash)}`, 'hashes.1', (blobs) => blobs.remove('pool', [HASH, hash])],
  [`list behind the hash ${JSON.stringify(hash)}`, 'after', (blobs) => blobs.list('pool', { after: hash, limit: 1 })],
]);

const badPools = POOLS.flatMap((pool): Call[] => [
  [`write to the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.write(pool, inPieces(bytesOf(1)), options())],
  [`read from the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.read(pool, HASH)],
  [`stat in the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.stat(pool, HASH)],
  [`removal from the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.remove(pool, [HASH])],
  [`list of the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.list(pool, { limit: 1 })],
  [`removal of the pool ${JSON.stringify(pool)}`, 'pool', (blobs) => blobs.removePool(pool)],
  [`list behind the pool ${JSON.stringify(pool)}`, 'after', (blobs) => blobs.listPools({ after: pool, limit: 1 })],
]);

const badNumbers: Call[] = [
  ['range from -1', 'range.start', (blobs) => blobs.read('pool', HASH, { start: -1, end: 1 })],
  ['range from 0.5', 'range.start', (blobs) => blobs.read('pool', HASH, { start: 0.5, end: 1 })],
  ['range to NaN', 'range.end', (blobs) => blobs.read('pool', HASH, { start: 0, end: NaN })],
  ['range that ends before it begins', 'range.end', (blobs) => blobs.read('pool', HASH, { start: 2, end: 1 })],
  ['page of none', 'limit', (blobs) => blobs.list('pool', { limit: 0 })],
  ['page of too many', 'limit', (blobs) => blobs.list('pool', { limit: 1_001 })],
  ['page of too many pools', 'limit', (blobs) => blobs.listPools({ limit: 1_001 })],
  ['write of NaN bytes', 'most', (blobs) => blobs.write('pool', inPieces(bytesOf(1)), { ...options(), most: NaN })],
  [
    'write until NaN',
    'deadline',
    (blobs) => blobs.write('pool', inPieces(bytesOf(1)), { ...options(), deadline: NaN }),
  ],
  ['sweep of NaN', 'olderThan', (blobs) => blobs.sweep({ olderThan: NaN })],
];

/** What every adapter refuses before it asks its store: none of these specs needs one. */
export function refuses(name: string, place: StorePlace): void {
  describe(`${name} refuses`, () => {
    it.each([...badHashes, ...badPools, ...badNumbers])('a %s', async (_what, field, call) => {
      const blobs = openStore(place);
      try {
        await expect(call(blobs)).rejects.toMatchObject({ name: 'BlobError', code: 'invalid', field });
      } finally {
        await blobs.close();
      }
    });
  });
}
