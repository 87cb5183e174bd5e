import { Readable } from 'node:stream';
import { BlobError } from '@scriptorium/blobs';
import { AppError, specBounds } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';

/** `forms`: of all versions. `source`: the text as it came. Equal bytes in both are two blobs. */
type Part = 'forms' | 'source';

/** Where bytes of a specification are, by their hashes. They go with it. */
export function poolOf(spec: string, part: Part): string {
  return `openapi-${part}-${spec}`;
}

/** A form of a document of 20 MiB can be larger than it: what was shared is written out. */
const mostBytes = 16 * specBounds.textBytes;
const withinMs = 60_000;

/** Keeps bytes of a specification. @returns their hash @throws AppError `unavailable` */
export async function keepBytes(
  { now }: Pick<Scope, 'now'>,
  files: FileStore,
  { spec, part }: { spec: string; part: Part },
  bytes: Uint8Array,
): Promise<string> {
  try {
    const blobs = await files.blobs();
    const { hash } = await blobs.write(poolOf(spec, part), Readable.from([bytes]), {
      most: mostBytes,
      deadline: now() + withinMs,
    });
    return hash;
  } catch (error) {
    if (error instanceof BlobError) throw new AppError('unavailable', [], { cause: error });
    throw error;
  }
}

/** @throws AppError `unavailable` for bytes that are not there: the next time that it is read makes them again */
export async function bytesOf(
  files: FileStore,
  { spec, part }: { spec: string; part: Part },
  hash: string,
): Promise<Buffer> {
  const bytes = await files.bytes(poolOf(spec, part), hash);
  if (bytes === undefined) throw new AppError('unavailable', [], { message: 'The content is not there at the moment' });
  return bytes;
}

export async function dropBytes(files: FileStore, spec: string): Promise<void> {
  const blobs = await files.blobs();
  await blobs.removePool(poolOf(spec, 'forms'));
  await blobs.removePool(poolOf(spec, 'source'));
}

/** Drops some bytes of a specification. */
export async function dropSomeBytes(
  files: FileStore,
  { spec, part }: { spec: string; part: Part },
  hashes: readonly string[],
): Promise<void> {
  await (await files.blobs()).remove(poolOf(spec, part), hashes);
}
