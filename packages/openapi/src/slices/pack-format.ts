import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Where a slice stands in a pack, and which schemas it refers to (as places in the list of them). */
export interface Slice {
  name: string;
  offset: number;
  length: number;
  schemas: readonly number[];
}

export interface PackIndex {
  operations: Slice[];
  webhooks: Slice[];
  schemas: Slice[];
}

/** Ends a pack, so that other bytes are not taken for one. */
const ending = Buffer.from('OASPACK1');
const footer = ending.length + 4;
/** Bytes that one slice can inflate to: more than a whole specification may have. */
const mostBytes = 64 * 1024 * 1024;

export function deflated(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value));
}

export function inflated(bytes: Uint8Array): unknown {
  return JSON.parse(inflatedText(bytes));
}

export function inflatedText(bytes: Uint8Array): string {
  return inflateRawSync(bytes, { maxOutputLength: mostBytes }).toString();
}

/** The bytes of a pack: slices, index, length of the index, ending. */
export function packed(slices: readonly Buffer[], index: PackIndex): Buffer {
  const bytes = deflated(index);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([...slices, bytes, length, ending]);
}

/** @throws RangeError for bytes that are no pack */
export function indexOf(bytes: Uint8Array): PackIndex {
  const { start, end } = directoryRange(bytes, bytes.length);
  return inflated(bytes.subarray(start, end)) as PackIndex;
}

/**
 * Where the index of a pack stands. `tail`: its last bytes. `size`: how many bytes it has.
 * @throws RangeError for bytes that are no pack
 */
export function directoryRange(tail: Uint8Array, size: number): { start: number; end: number } {
  const buffer = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  if (buffer.length < footer || !buffer.subarray(-ending.length).equals(ending))
    throw new RangeError('These bytes are no pack');
  const end = size - footer;
  const start = end - buffer.readUInt32LE(buffer.length - footer);
  if (start < 0) throw new RangeError('These bytes are no pack');
  return { start, end };
}
