import { Readable } from 'node:stream';
import { type ByteRange, type ListOptions, type ReadBlob, type StoredBlob } from '../port/blobs.js';
import { clampRange } from '../port/clamp.js';
import { BlobError } from '../port/error.js';
import { storeCall } from '../port/store-call.js';
import { below, CHUNK_BYTES, chunkId, type Collections } from './collections.js';

export async function readChunks(
  collections: Collections,
  pool: string,
  hash: string,
  range: ByteRange | undefined,
): Promise<ReadBlob | undefined> {
  const blob = await collections.blobs.findOne({ _id: `${pool}/${hash}` });
  if (blob === null) return undefined;
  const { size, upload } = blob;
  const chunkAt = (number: number) => findChunk(collections, chunkId(pool, upload, number), chunkSize(number, size));
  return { size, stream: Readable.from(bytesOf(chunkAt, clampRange(range, size)), { objectMode: false }) };
}

/** A command for each chunk: between two of them a slow reader holds neither a cursor nor a connection. */
async function* bytesOf(
  chunkAt: (number: number) => Promise<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const number = Math.floor(at / CHUNK_BYTES);
    const begin = number * CHUNK_BYTES;
    const bytes = await chunkAt(number);
    yield bytes.subarray(at - begin, end - begin);
    at = begin + bytes.byteLength;
  }
}

function chunkSize(number: number, size: number): number {
  return Math.min(CHUNK_BYTES, size - number * CHUNK_BYTES);
}

async function findChunk({ chunks }: Collections, _id: string, size: number): Promise<Uint8Array> {
  const chunk = await storeCall('Reading a blob', () => chunks.findOne({ _id }));
  if (chunk?.bytes.length() === size) return chunk.bytes.buffer.subarray(0, size);
  throw new BlobError('damaged', `Chunk ${_id} of a blob is missing or has not ${String(size)} bytes`);
}

export async function listBlobs(
  { blobs }: Collections,
  pool: string,
  { after, limit }: ListOptions,
): Promise<StoredBlob[]> {
  const { $gt, $lt } = below(pool);
  const behind = { _id: { $gt: `${$gt}${after ?? ''}`, $lt } };
  const found = await blobs.find(behind, { projection: { size: 1 }, sort: { _id: 1 }, limit }).toArray();
  return found.map(({ _id, size }) => ({ hash: _id.slice(pool.length + 1), size }));
}

/** Leaps from the first blob of a pool to that of the next one. */
export async function listPools({ blobs }: Collections, { after, limit }: ListOptions): Promise<string[]> {
  const pools: string[] = [];
  for (let from = after === undefined ? '' : below(after).$lt; pools.length < limit;) {
    const next = await blobs.findOne({ _id: { $gte: from } }, { projection: { _id: 1 }, sort: { _id: 1 } });
    const pool = next?._id.split('/')[0];
    if (pool === undefined) break;
    pools.push(pool);
    from = below(pool).$lt;
  }
  return pools;
}
