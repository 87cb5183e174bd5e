import { type Binary, type Collection, type Db } from 'mongodb';

/** A blob that can be read. */
interface BlobDocument {
  /** `<pool>/<hash>`. */
  _id: string;
  size: number;
  /** Names its chunks. */
  upload: string;
}

interface ChunkDocument {
  /** `<pool>/<upload>/<number, 8 digits>`. */
  _id: string;
  bytes: Binary;
}

/** Chunks that no blob refers to yet, or soon no longer: while they are written or removed. */
interface PendingDocument {
  /** `<pool>/<upload>`. */
  _id: string;
  begun: Date;
  /** The blob that they are of, once that is known. */
  hash?: string;
  /** A sweep has begun to remove them: they must not get a name any more. */
  swept?: true;
}

export interface Collections {
  readonly blobs: Collection<BlobDocument>;
  readonly chunks: Collection<ChunkDocument>;
  readonly pending: Collection<PendingDocument>;
  readonly database: Db;
}

const NAMES = { blobs: 'blobs', chunks: 'blob_chunks', pending: 'blob_pending' } as const;

export function collectionsOf(database: Db): Collections {
  return {
    blobs: database.collection(NAMES.blobs),
    chunks: database.collection(NAMES.chunks),
    pending: database.collection(NAMES.pending),
    database,
  };
}

/** The bytes of all chunks but the last; a document may have 16 MiB, and small ones leave little room unused. */
export const CHUNK_BYTES = 255 * 1024;

export function chunkId(pool: string, upload: string, number: number): string {
  return `${pool}/${upload}/${String(number).padStart(8, '0')}`;
}

/** Ids that begin with `path/`. The character behind `/` is `0`. */
export function below(path: string): { $gt: string; $lt: string } {
  return { $gt: `${path}/`, $lt: `${path}0` };
}

const STEP = 1_000;

/** Removes a range of documents some at a time: one command for all could take longer than a command may. */
export async function removeRange(
  { database }: Collections,
  name: keyof typeof NAMES,
  ids: { $gt: string; $lt: string },
): Promise<void> {
  const documents = database.collection<{ _id: string }>(NAMES[name]);
  for (;;) {
    const found = await documents
      .find({ _id: ids }, { projection: { _id: 1 }, sort: { _id: 1 }, limit: STEP })
      .toArray();
    const last = found.at(-1);
    if (last === undefined) return;
    await documents.deleteMany({ _id: { $gt: ids.$gt, $lte: last._id } });
  }
}
