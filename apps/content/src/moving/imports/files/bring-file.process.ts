import { BlobError } from '@scriptorium/blobs';
import { pipeline, Readable, type Transform } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { poolOfUpload, typeOf, type FileStore } from '../../../versions/index.js';
import { bytesBegin, rangeOf, type Entry } from '../entry.js';
import type { SourceFile } from '../imports.operational.js';
import type { BroughtFile, FileItem } from '../item.js';
import { readParts, streamPart } from '../archive/read-parts.process.js';
import { unfit } from '../refusal.js';

/** Where a file is put aside until the content gets it. */
export interface Aside {
  upload: string;
  hash: string;
  size: number;
}

interface Place {
  files: FileStore;
  sources: readonly SourceFile[];
  /** The upload of the import itself. */
  upload: string;
  /** Milliseconds since 1970. */
  deadline: number;
}

/** Puts the bytes of a file aside, unpacked. @throws AppError `content_change_invalid` for what is damaged */
export async function bringFile(
  place: Place,
  { path, entry, record }: FileItem,
): Promise<{ aside: Aside; brought: BroughtFile }> {
  const { upload, hash, size, head } = await write(place, path, entry);
  const name = path.split('/').at(-1) ?? path;
  const known =
    record?.hash === hash
      ? {
          contentType: record.contentType,
          ...(record.dimensions === undefined ? {} : { dimensions: record.dimensions }),
        }
      : await typeOf(head, { name });
  return { aside: { upload, hash, size }, brought: { hash, size, ...known } };
}

async function write({ files, sources, upload, deadline }: Place, path: string, entry: Entry) {
  const blobs = await files.blobs();
  const limits = { most: Math.max(1, entry.size), deadline };
  try {
    const bytes = unpacked(files, sources, path, entry);
    return { upload, ...(await blobs.write(poolOfUpload(upload), bytes, limits)) };
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    if (error.code === 'too_large') throw unfit(path, 'It is longer than the archive says');
    if (error.code === 'interrupted' && error.cause instanceof Error && error.cause.name !== 'TimeoutError')
      throw error.cause;
    throw error;
  }
}

/** The bytes of a file as they are unpacked. */
async function* unpacked(
  files: FileStore,
  sources: readonly SourceFile[],
  path: string,
  entry: Entry,
): AsyncGenerator<Uint8Array> {
  const packed = await packedStream(files, sources, path, entry);
  let [size, crc] = [0, 0];
  try {
    for await (const chunk of entry.method === 'deflated' ? inflated(packed) : packed) {
      size += chunk.length;
      if (size > entry.size) throw unfit(path, 'It is longer than the archive says');
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? unfit(path, 'It cannot be unpacked') : error;
  }
  if (entry.method === 'whole') return;
  if (size !== entry.size) throw unfit(path, 'It is not as long as the archive says');
  if (crc !== entry.crc) throw unfit(path, 'The archive is damaged here');
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

async function packedStream(files: FileStore, sources: readonly SourceFile[], path: string, entry: Entry) {
  const range = rangeOf(entry);
  if (entry.method === 'whole') return streamPart(files, sources, range);
  const [header] = await readParts(files, sources, [{ ...range, end: Math.min(range.end, range.start + 64) }]);
  const begin = header === undefined ? undefined : bytesBegin(header);
  if (begin === undefined) throw unfit(path, 'The archive is damaged here');
  const start = entry.offset + begin;
  return streamPart(files, sources, { archive: entry.archive, start, end: start + entry.packed });
}

/** Unpacks bytes in a thread of the runtime. */
async function* inflated(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* compose(Readable.from(packed), createInflateRaw()) as AsyncIterable<Uint8Array>;
}

/** One stream behind the other; the last one ends with the errors of both. */
function compose(from: Readable, to: Transform): Transform {
  pipeline(from, to, () => undefined);
  return to;
}
