import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;

/** The bytes of a file in a pool: what addresses lead to, and what counts as stored by an organization. */
export interface StoredFile {
  organization: string;
  pool: string;
  /** Names the bytes within the pool. */
  hash: string;
  /** Bytes. */
  size: number;
}

interface StoredFileDocument extends StoredFile {
  /** `<alias of the pool>/<hash>`. */
  _id: string;
  /** When a request last used it, in ms. */
  at: number;
  /** Its bytes are being removed. */
  gone?: true;
}

export const storedFileIndexes = {
  op_files: [
    { key: { organization: 1, size: 1 }, name: 'organization_size' },
    { key: { pool: 1, at: 1 }, name: 'pool_at' },
  ],
} as const;

function storedFiles({ database }: Within): Collection<StoredFileDocument> {
  return database.collection<StoredFileDocument>('op_files');
}

export async function findStored(scope: Within, id: string): Promise<StoredFile | undefined> {
  const found = await storedFiles(scope).findOne({ _id: id });
  return found === null || found.gone === true ? undefined : found;
}

/** Those of these ids that are stored. */
export async function storedAmong(scope: Within, ids: readonly string[]): Promise<Set<string>> {
  const found = await storedFiles(scope)
    .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/**
 * Notes that bytes are used, before they are stored: from now on they count, and nobody removes them for an hour.
 * @throws AppError `unavailable` for bytes that are being removed at this moment
 */
export async function noteStored(scope: Within, id: string, file: StoredFile, now: number): Promise<void> {
  const { organization, pool, hash, size } = file;
  try {
    await storedFiles(scope).updateOne(
      { _id: id, gone: { $exists: false } },
      { $set: { organization, pool, hash, size }, $max: { at: now } },
      { upsert: true, writeConcern: { w: 'majority', journal: true } },
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new AppError('unavailable', [], { message: 'The same bytes are being removed, try again', retryAfter: 1 });
  }
}

/** The bytes of all files of an organization, also of those that were deleted and can still be shown by revisions. */
export async function storedBytes(scope: Within, organization: string): Promise<number> {
  const [sum] = await storedFiles(scope)
    .aggregate<{ bytes: number }>([{ $match: { organization } }, { $group: { _id: null, bytes: { $sum: '$size' } } }])
    .toArray();
  return sum?.bytes ?? 0;
}

/** The bytes of files of some pools that count for an organization. */
export async function storedBytesOf(scope: Within, organization: string, pools: readonly string[]): Promise<number> {
  const [sum] = await storedFiles(scope)
    .aggregate<{ bytes: number }>([
      { $match: { organization, pool: { $in: [...pools] } } },
      { $group: { _id: null, bytes: { $sum: '$size' } } },
    ])
    .toArray();
  return sum?.bytes ?? 0;
}

/** What counted for one organization counts for another one. */
export async function countFor(
  scope: Within,
  pools: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  await storedFiles(scope).updateMany(
    { pool: { $in: [...pools] }, organization: from },
    { $set: { organization: to } },
  );
}

export async function hasStored(scope: Within, pool: string): Promise<boolean> {
  return (await storedFiles(scope).findOne({ pool }, { projection: { _id: 1 } })) !== null;
}

export async function dropStored(scope: Within, ids: readonly string[]): Promise<void> {
  await storedFiles(scope).deleteMany({ _id: { $in: [...ids] } });
}

export async function dropStoredOfPool(scope: Within, pool: string): Promise<void> {
  await storedFiles(scope).deleteMany({ pool });
}

/** Names of the bytes whose ids begin with a prefix, in their order, behind a name. */
export async function listStored(
  scope: Within,
  prefix: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  // `g` comes behind every hexadecimal digit.
  const found = await storedFiles(scope)
    .find({ _id: { $gt: `${prefix}${after}`, $lt: `${prefix}g` } }, { projection: { hash: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ hash }) => hash);
}

/** Marks those of these bytes that no request has used since `before`; nobody can begin to use these any more. */
export async function markUnused(
  scope: Within,
  { ids, before }: { ids: readonly string[]; before: number },
): Promise<{ id: string; hash: string }[]> {
  const old = storedFiles(scope).find({ _id: { $in: [...ids] }, at: { $lt: before } }, { projection: { hash: 1 } });
  const marked: { id: string; hash: string }[] = [];
  for await (const { _id, hash } of old) {
    const { matchedCount } = await storedFiles(scope).updateOne({ _id, at: { $lt: before } }, { $set: { gone: true } });
    if (matchedCount === 1) marked.push({ id: _id, hash });
  }
  return marked;
}

export async function dropMarked(scope: Within, ids: readonly string[]): Promise<void> {
  await storedFiles(scope).deleteMany({ _id: { $in: [...ids] }, gone: true });
}
