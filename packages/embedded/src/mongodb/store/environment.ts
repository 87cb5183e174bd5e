import { open as openFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Lmdb from 'lmdb';
import { type Proof, noProof } from '../../checking/lmdb-check.js';
import { isWhole, isWholeEntry } from './record-bytes.js';

// The CommonJS build: the ESM one cannot be loaded twice in one process, which test runners do.
const { open } = createRequire(import.meta.url)('lmdb') as typeof Lmdb;

export const DATA_FILE = 'data.mdb';

export const TABLES = ['docs', 'index', 'meta'] as const;
export type TableName = (typeof TABLES)[number];

/** How an entry of each table shows that it is what was written. */
export const PROOFS: Readonly<Record<TableName, Proof>> = { docs: isWhole, index: isWholeEntry, meta: noProof };

export type Db = Lmdb.Database<Buffer, Buffer>;

/** A file of lmdb and the tables in it. */
export interface Environment {
  /** Where it was opened; after a compaction its file stands elsewhere. */
  readonly folder: string;
  readonly root: Lmdb.RootDatabase<Buffer, Buffer>;
  readonly tables: Readonly<Record<TableName, Db>>;
}

/**
 * Opens (or creates) `data.mdb` in `folder`, whose bytes must have been checked: lmdb maps them into memory and trusts
 * them.
 */
export function openEnvironment(folder: string): Environment {
  const root = open<Buffer, Buffer>({
    path: folder,
    maxDbs: 4,
    keyEncoding: 'binary',
    encoding: 'binary',
    cache: false,
    separateFlushed: true,
    // Works are gathered by the engine; lmdb's own gathering leaves a rejection that nobody can catch when a commit
    // fails.
    eventTurnBatching: false,
  });
  const table = (name: TableName): Db =>
    root.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' });
  return { folder, root, tables: { docs: table('docs'), index: table('index'), meta: table('meta') } };
}

/** lmdb rejects a failed commit with an error whose reason is another promise, which nobody else waits for. */
async function reasonOf(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<unknown> }).commitError;
  if (reason === undefined) return error;
  try {
    return await reason;
  } catch (cause) {
    // A page that could not be written (5, or 28 from the system) means that the disk is full or broken.
    return (cause as { code?: number }).code === 5 ? new Error('No space left on device') : cause;
  }
}

/** Runs `work` in one transaction; resolves when it is on disk. */
export async function commit({ root }: Environment, work: () => void): Promise<void> {
  try {
    await root.transaction(work);
    await root.flushed;
  } catch (error) {
    throw await reasonOf(error);
  }
}

/** Puts a file or folder on disk, as it is now. */
export async function syncPath(path: string): Promise<void> {
  const file = await openFile(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
