import { randomUUID } from 'node:crypto';
import { Binary, MongoServerError } from 'mongodb';
import { BlobError } from '../port/error.js';
import { partBuffer } from '../port/part-buffer.js';
import { type Draft } from '../port/receive.js';
import { below, CHUNK_BYTES, chunkId, type Collections, removeRange } from './collections.js';

/** Chunks of one command: each command waits for the disk once. */
const CHUNKS_AT_ONCE = 4;
const DUPLICATE = 11_000;
const notSwept = { swept: { $exists: false } };

/** Chunks under an id of their own, to which a blob refers once all are there. */
export async function draftIn(collections: Collections, pool: string): Promise<Draft> {
  const upload = randomUUID();
  const pending = `${pool}/${upload}`;
  const write = chunkWriter(collections, pool, upload);
  const part = partBuffer(CHUNKS_AT_ONCE * CHUNK_BYTES, write);
  await collections.pending.insertOne({ _id: pending, begun: new Date() });
  const discard = () => discardUpload(collections, pool, upload);
  return {
    append: (bytes) => part.add(bytes),
    async publish(hash, size) {
      await write(part.rest());
      const sealed = await collections.pending.updateOne({ _id: pending, ...notSwept }, { $set: { hash } });
      if (sealed.matchedCount === 0) throw sweptError();
      const _id = `${pool}/${hash}`;
      if (!(await insertNew(collections, { _id, size, upload }))) return discard();
      const settled = await collections.pending.deleteOne({ _id: pending, ...notSwept });
      if (settled.deletedCount === 1) return;
      // The sweep may have removed chunks before it could see the name.
      await collections.blobs.deleteOne({ _id, upload });
      throw sweptError();
    },
    discard,
  };
}

function chunkWriter({ chunks }: Collections, pool: string, upload: string): (bytes: Uint8Array) => Promise<void> {
  let number = 0;
  return async (bytes) => {
    const documents = [];
    for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES)
      documents.push({ _id: chunkId(pool, upload, number++), bytes: new Binary(bytes.subarray(at, at + CHUNK_BYTES)) });
    if (documents.length > 0) await chunks.insertMany(documents);
  };
}

/** @returns false when the blob is there already */
async function insertNew(
  { blobs }: Collections,
  blob: { _id: string; size: number; upload: string },
): Promise<boolean> {
  try {
    await blobs.insertOne(blob);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE) return false;
    throw error;
  }
}

/** Removes chunks that no blob refers to, and then the note about them. */
export async function discardUpload(collections: Collections, pool: string, upload: string): Promise<void> {
  await removeRange(collections, 'chunks', below(`${pool}/${upload}`));
  await collections.pending.deleteOne({ _id: `${pool}/${upload}` });
}

function sweptError(): BlobError {
  return new BlobError('interrupted', 'The bytes were swept away before they ended', { field: 'deadline' });
}
