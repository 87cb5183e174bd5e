import { createHash } from 'node:crypto';
import { type WriteOptions, type WrittenBlob } from './blobs.js';
import { BlobError } from './error.js';
import { HEAD_BYTES, PUBLISH_TIMEOUT_MS } from './limits.js';
import { checkDeadline, readSource } from './source.js';
import { storeCall } from './store-call.js';

/** A blob that is being written, in a place where nobody reads it. */
export interface Draft {
  /** Takes bytes; they may be overwritten once this resolves. */
  append(bytes: Uint8Array): Promise<void>;
  /** Gives the bytes their name. They are on disk when this resolves. One that is there already stays. */
  publish(hash: string, size: number): Promise<void>;
  /** Removes what was taken. */
  discard(): Promise<void>;
}

/**
 * Passes bytes on to a draft while they are hashed, and publishes it at the end; whatever goes wrong, the draft is
 * discarded.
 * @throws BlobError `too_large`, `interrupted`, `invalid`, `store_failed`
 */
export async function receive(
  bytes: AsyncIterable<Uint8Array>,
  { most, deadline }: WriteOptions,
  begin: () => Promise<Draft>,
): Promise<WrittenBlob> {
  checkDeadline(deadline);
  const draft = await storeCall('Beginning a blob', begin);
  try {
    const written = await pour(bytes, { most, deadline }, draft);
    checkDeadline(deadline);
    await storeCall('Publishing a blob', () => draft.publish(written.hash, written.size), PUBLISH_TIMEOUT_MS);
    return written;
  } catch (error) {
    // What cannot be removed now is swept later; what went wrong first is the better answer.
    await storeCall('Discarding a blob', () => draft.discard()).catch(() => undefined);
    throw error;
  }
}

async function pour(
  bytes: AsyncIterable<Uint8Array>,
  { most, deadline }: WriteOptions,
  draft: Draft,
): Promise<WrittenBlob> {
  const digest = createHash('sha256');
  const head = collectHead();
  let size = 0;
  for await (const chunk of readSource(bytes, deadline)) {
    size += chunk.byteLength;
    if (size > most) throw new BlobError('too_large', `There are more than ${String(most)} bytes`, { field: 'bytes' });
    digest.update(chunk);
    head.add(chunk);
    await storeCall('Writing a blob', () => draft.append(chunk));
  }
  return { hash: digest.digest('hex'), size, head: head.bytes() };
}

function collectHead(): { add(chunk: Uint8Array): void; bytes(): Uint8Array } {
  const parts: Uint8Array[] = [];
  let missing = HEAD_BYTES;
  return {
    add(chunk) {
      if (missing === 0) return;
      // A copy: `slice` of a Buffer would share the memory of the source.
      const part = new Uint8Array(chunk.subarray(0, missing));
      parts.push(part);
      missing -= part.byteLength;
    },
    bytes: () => new Uint8Array(Buffer.concat(parts)),
  };
}
