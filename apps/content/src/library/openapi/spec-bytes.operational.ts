import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { hasBytes, writeBytes, type FileStore } from '../../versions/index.js';

/** `forms`: of all versions. `source`: the texts as they came. Equal bytes in both are two blobs. */
interface Place {
  spec: string;
  part: 'forms' | 'source';
}

/** Where bytes of a specification are, by their hashes. They go with it. */
export function poolOf({ spec, part }: Place): string {
  return `openapi-${part}-${spec}`;
}

/**
 * Keeps bytes of a specification, which count as files of its organization do.
 * @returns their hash
 * @throws AppError `limit_reached`, `unavailable`
 */
export function keepBytes(
  scope: Pick<Scope, 'database' | 'now' | 'quotas'>,
  files: FileStore,
  { organization, ...place }: Place & { organization: string },
  bytes: Uint8Array,
): Promise<string> {
  return writeBytes(scope, files, { organization, pool: poolOf(place) }, bytes);
}

/** @throws AppError `unavailable` for bytes that are not there: the next time that it is read makes them again */
export async function bytesOf(files: FileStore, place: Place, hash: string): Promise<Buffer> {
  return (await files.bytes(poolOf(place), hash)) ?? away();
}

/** @throws AppError `unavailable` for bytes that cannot be given */
export async function requireBytes(
  scope: Pick<Scope, 'database'>,
  files: FileStore,
  place: Place,
  hash: string,
): Promise<void> {
  if (!(await hasBytes(scope, files, poolOf(place), hash))) away();
}

function away(): never {
  throw new AppError('unavailable', [], { message: 'The content is not there at the moment' });
}

/** Whether all of these bytes can be given. */
export async function hasAll(
  scope: Pick<Scope, 'database'>,
  files: FileStore,
  place: Place,
  hashes: readonly string[],
): Promise<boolean> {
  for (const hash of hashes) if (!(await hasBytes(scope, files, poolOf(place), hash))) return false;
  return true;
}

export async function dropBytes(files: FileStore, spec: string): Promise<void> {
  for (const part of ['forms', 'source'] as const) await files.dropPool(poolOf({ spec, part }));
}

/** Drops bytes of a specification, unless they were used since `before` (ms). */
export async function dropSomeBytes(
  files: FileStore,
  place: Place,
  { hashes, before }: { hashes: readonly string[]; before: number },
): Promise<void> {
  if (hashes.length > 0) await files.remove(poolOf(place), { names: hashes, before });
}
