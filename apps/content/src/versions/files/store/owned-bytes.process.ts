import type { LimitName } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { withRefusals } from './blob-failure.js';
import type { FileStore } from './file-store.operational.js';
import { findStored, noteStored } from './stored-files.operational.js';

/** How long bytes in memory may take to be stored, ms. */
const withinMs = 60_000;

type Within = Pick<Scope, 'database' | 'quotas' | 'now'>;

/**
 * Gives a pool bytes that are in memory, within what the organization may store. Safe to repeat.
 * @returns their hash
 * @throws AppError `limit_reached`, `unavailable`
 */
export async function writeBytes(
  scope: Within,
  files: FileStore,
  { organization, pool }: { organization: string; pool: string },
  bytes: Uint8Array,
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const id = files.idOf(pool, hash);
  const limit: LimitName = 'fileBytesPerOrganization';
  const size = bytes.length;
  const look = async () => ({
    present: await files.bytesOf(organization),
    more: (await findStored(scope, id)) === undefined ? size : 0,
  });
  return scope.quotas.within({ limit, of: organization, most: size, look }, async () => {
    await noteStored(scope, id, { organization, pool, hash, size }, scope.now());
    const blobs = await files.blobs();
    const limits = { most: size, deadline: scope.now() + withinMs };
    await withRefusals(() => blobs.write(pool, Readable.from([bytes]), limits));
    return hash;
  });
}

/** Whether bytes of a pool can be given: they are counted, and whole in the store. */
export async function hasBytes(
  scope: Pick<Scope, 'database'>,
  files: FileStore,
  pool: string,
  hash: string,
): Promise<boolean> {
  const stored = await findStored(scope, files.idOf(pool, hash));
  return stored !== undefined && (await files.missing(pool, new Map([[hash, stored.size]]))).length === 0;
}
