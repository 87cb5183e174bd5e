import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Lmdb from 'lmdb';
import { checkAtStart, noProof } from '../../checking/lmdb-check.js';
import { DATA_REMEDY } from '../../checking/finding.js';
import { isWhole, isWholeEntry } from './record-bytes.js';

// The CommonJS build: the ESM one cannot be loaded twice in one process, which test runners do.
const { open } = createRequire(import.meta.url)('lmdb') as typeof Lmdb;

export type Table = Lmdb.Database<Buffer, Buffer>;

/** An open data file. */
export interface Tables {
  readonly env: Lmdb.RootDatabase<Buffer, Buffer>;
  readonly docs: Table;
  readonly index: Table;
  readonly meta: Table;
}

const DATA = 'data.mdb';
const LOCK = 'lock.mdb';

/** Opens (or creates) the data file in `folder`. Throws when it is damaged: lmdb maps it into memory and trusts it. */
export function openTables(folder: string): Tables {
  refuseDamage(join(folder, DATA));
  const env = open<Buffer, Buffer>({
    path: folder,
    maxDbs: 4,
    keyEncoding: 'binary',
    encoding: 'binary',
    cache: false,
    separateFlushed: true,
    // Works are gathered here; lmdb's own gathering leaves a rejection that nobody can catch when a commit fails.
    eventTurnBatching: false,
  });
  const table = (name: string): Table => env.openDB<Buffer, Buffer>({ name, keyEncoding: 'binary', encoding: 'binary' });
  return { env, docs: table('docs'), index: table('index'), meta: table('meta') };
}

function refuseDamage(file: string): void {
  const found = checkAtStart(file, { docs: isWhole, index: isWholeEntry, meta: noProof });
  if (found !== undefined) throw new Error(`${found.what} in ${file} at offset ${found.offset}; ${DATA_REMEDY}`);
}

/** Copies what is committed, without the pages that are free, into `folder`, which exists; resolves when it is on disk. */
export async function copyTables({ env }: Tables, folder: string): Promise<void> {
  await env.backup(folder, true);
  await sync(join(folder, DATA));
}

/** Where a copy is made that takes the data file's place; what a killed process left of one is worth nothing. */
const nextOf = (folder: string): string => join(folder, 'compacting');

export function removeUnfinishedCopy(folder: string): void {
  rmSync(nextOf(folder), { recursive: true, force: true });
}

/**
 * Puts a copy without free pages, and so without the bytes of what was deleted, in the place of the data file, and answers it
 * opened. Nobody may write meanwhile; the old one can be read until it is closed. Before the copy has its name nothing has
 * happened, and with the name everything.
 */
export async function replaceByCopy(tables: Tables, folder: string): Promise<Tables> {
  const next = nextOf(folder);
  removeUnfinishedCopy(folder);
  mkdirSync(next, { mode: 0o700 });
  await copyTables(tables, next);
  const opened = openTables(next);
  try {
    renameSync(join(next, DATA), join(folder, DATA));
  } catch (error) {
    await opened.env.close();
    throw error;
  }
  // The file of readers belongs to one data file; without its own, the next start makes one.
  renameSync(join(next, LOCK), join(folder, LOCK));
  await sync(folder);
  removeUnfinishedCopy(folder);
  return opened;
}

async function sync(path: string): Promise<void> {
  const file = await openFile(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
