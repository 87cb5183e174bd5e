import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';

type Within = Pick<Scope, 'database'>;

/** Bytes that wait to be used: those that a client has sent or will send, and those that a request has fetched. */
export interface Upload {
  organization: string;
  /** Who may use it. */
  user: string;
  kind: 'customization_font' | 'import_file' | 'organization_file' | 'space_file' | 'staged';
  name: string;
  /** The media type that was declared. */
  type: string;
  /** The bytes that were declared. */
  size: number;
  /** What has arrived; `null` before that. */
  bytes: UploadedBytes | null;
  /** Something uses it; it still ends. */
  used: boolean;
  /** When it ends, in ms. */
  endsAt: number;
}

export interface UploadedBytes {
  hash: string;
  contentType: string;
  dimensions?: { width: number; height: number };
}

interface UploadDocument extends Upload {
  _id: string;
}

export const uploadIndexes = {
  op_uploads: [
    { key: { organization: 1, used: 1, user: 1 }, name: 'organization_used_user' },
    { key: { endsAt: 1 }, name: 'endsAt' },
  ],
} as const;

function uploads({ database }: Within): Collection<UploadDocument> {
  return database.collection<UploadDocument>('op_uploads');
}

/**
 * Where the bytes of an upload are kept: each has a pool of its own, so that it can be removed without a look at
 * others.
 */
export function poolOfUpload(id: string): string {
  return `upload_${id}`;
}

/** Adds an upload; one that is there already stays. */
export async function addUpload(scope: Within, id: string, upload: Upload): Promise<void> {
  await uploads(scope).updateOne({ _id: id }, { $setOnInsert: upload }, { upsert: true });
}

export async function findUpload(scope: Within, id: string, now: number): Promise<Upload | undefined> {
  return (await uploads(scope).findOne({ _id: id, endsAt: { $gt: now } })) ?? undefined;
}

/** Sets what has arrived, once. */
export async function setBytes(scope: Within, id: string, bytes: UploadedBytes): Promise<void> {
  await uploads(scope).updateOne({ _id: id, bytes: null }, { $set: { bytes } });
}

export async function markUsed(scope: Within, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uploads(scope).updateMany({ _id: { $in: [...ids] } }, { $set: { used: true } });
}

/** How many uploads of a user nothing uses yet. */
export async function countUnused(scope: Within, organization: string, user: string): Promise<number> {
  return uploads(scope).countDocuments({ organization, used: false, user });
}

/** The declared bytes of all uploads of an organization that nothing uses yet, but for these. */
export async function unusedBytes(scope: Within, organization: string, but: readonly string[] = []): Promise<number> {
  return declaredBytes(scope, { organization, used: false, _id: { $nin: [...but] } });
}

/** The same of the uploads of one user. */
export async function unusedBytesOfUser(scope: Within, organization: string, user: string): Promise<number> {
  return declaredBytes(scope, { organization, used: false, user });
}

async function declaredBytes(scope: Within, which: Filter<UploadDocument>): Promise<number> {
  const [sum] = await uploads(scope)
    .aggregate<{ bytes: number }>([{ $match: which }, { $group: { _id: null, bytes: { $sum: '$size' } } }])
    .toArray();
  return sum?.bytes ?? 0;
}

/** Ids of uploads that have ended, or of all of an organization. */
export async function uploadsToDrop(
  scope: Within,
  which: { endedBy: number } | { organization: string },
  limit: number,
): Promise<string[]> {
  const filter = 'endedBy' in which ? { endsAt: { $lte: which.endedBy } } : which;
  const found = await uploads(scope)
    .find(filter, { projection: { _id: 1 }, limit })
    .toArray();
  return found.map(({ _id }) => _id);
}

export async function dropUpload(scope: Within, id: string): Promise<void> {
  await uploads(scope).deleteOne({ _id: id });
}
