import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Bytes that look random and are the same for the same seed. */
export function bytesOf(size: number, seed = 1): Uint8Array {
  const bytes = Buffer.allocUnsafe(size);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < size; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes in pieces, as a socket gives them. */
export async function* inPieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) {
    await setImmediate();
    yield bytes.subarray(at, at + size);
  }
}

/** `count` new pieces of 64 KiB, each unlike the others. */
export async function* manyPieces(count: number, seed = 1): AsyncGenerator<Uint8Array> {
  const pattern = bytesOf(65_536, seed);
  for (let number = 0; number < count; number++) {
    await setImmediate();
    const piece = Buffer.from(pattern);
    piece.writeUInt32BE(number);
    yield piece;
  }
}

export async function gather(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
