import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_REMEDY } from '../../checking/finding.js';
import {
  commit,
  DATA_FILE,
  openEnvironment,
  PROOFS,
  syncPath,
  TABLES,
  type Environment,
  type TableName,
} from './environment.js';
import type { Table } from './table.js';

const COPIES = 'compacted-';
const CHUNK_ENTRIES = 2000;
const CHUNK_BYTES = 4 * 1024 * 1024;
const MOST_WAITING = 10_000;
const FEW_WAITING = 500;
const MOST_ROUNDS = 50;

/** What a compaction needs of the store whose data it moves. */
export interface Compactable {
  readonly folder: string;
  readonly tables: Readonly<Record<TableName, Table>>;
  /** Runs `work` while no transaction is under way; the next one begins when it is done. */
  alone<R>(work: () => R | Promise<R>): Promise<R>;
  /** Lets the next read see all that is committed; lmdb keeps one view for a turn of the event loop. */
  refresh(): void;
  /** From now on the data is there. */
  moveTo(copy: Environment): void;
  /** Whether the store is about to close: a compaction then gives up. */
  readonly closing: boolean;
}

/**
 * Writes everything that is live into a new file, entry by entry, and puts that file in the place of the old one: of
 * what was deleted before the call, no byte is left. Reads go on; writes go on, too, and are held only while the last
 * changes are carried over. Ended at any moment it leaves either the old file or the new one.
 * @returns how many bytes smaller the new file is
 * @throws when an entry is not what was written; then the old file stays
 */
export async function compact(store: Compactable): Promise<number> {
  const folder = mkdtempSync(join(store.folder, COPIES));
  const copy = openEnvironment(folder);
  const tables = Object.values(store.tables);
  const before = statSync(join(store.folder, DATA_FILE)).size;
  let moved = false;
  try {
    await store.alone(() => {
      for (const table of tables) table.note(true);
      store.refresh();
    });
    for (const name of TABLES) await copyTable(store, copy, name);
    for (let round = 0; round < MOST_ROUNDS && waiting(store) > FEW_WAITING; round += 1) await carryOver(store, copy);
    await store.alone(async () => {
      await apply(store, copy, changes(store));
      await syncPath(join(folder, DATA_FILE));
      renameSync(join(folder, DATA_FILE), join(store.folder, DATA_FILE));
      moved = true;
      store.moveTo(copy);
      // Before anything is written to it: a power cut that brings the old name back would take acknowledged writes with
      // it.
      await syncPath(store.folder);
    });
  } catch (error) {
    if (moved) throw error;
    for (const table of tables) table.note(false);
    await copy.root.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return before - statSync(join(store.folder, DATA_FILE)).size;
}

/** Removes what compactions left in the folder, but for the place where `kept` was opened. */
export function removeCopies(folder: string, kept?: string): void {
  const left = readdirSync(folder)
    .filter((name) => name.startsWith(COPIES))
    .map((name) => join(folder, name));
  for (const path of left) if (path !== kept) rmSync(path, { recursive: true, force: true });
}

async function copyTable(store: Compactable, copy: Environment, name: TableName): Promise<void> {
  for (let after: Buffer | undefined, more = true; more;) {
    if (store.closing) throw new Error('The server is about to stop');
    const chunk = nextChunk(store.tables[name], name, after);
    after = chunk.entries.at(-1)?.[0];
    more = chunk.more;
    await commit(copy, () => {
      for (const [key, value] of chunk.entries) void copy.tables[name].put(key, value);
    });
    if (waiting(store) > MOST_WAITING) await carryOver(store, copy);
  }
}

function nextChunk(
  table: Table,
  name: TableName,
  after: Buffer | undefined,
): { entries: [Buffer, Buffer][]; more: boolean } {
  const entries: [Buffer, Buffer][] = [];
  let bytes = 0;
  const from = after === undefined ? {} : { start: after, exclusiveStart: true };
  for (const { key, value } of table.getRange({ ...from, limit: CHUNK_ENTRIES })) {
    if (!PROOFS[name](key, value)) throw new Error(`An entry of ${name} in ${DATA_FILE} is damaged; ${DATA_REMEDY}`);
    entries.push([key, value]);
    bytes += value.length;
    if (bytes >= CHUNK_BYTES) break;
  }
  return { entries, more: entries.length === CHUNK_ENTRIES || bytes >= CHUNK_BYTES };
}

type Changes = Readonly<Record<TableName, Buffer[]>>;

const waiting = ({ tables }: Compactable): number => tables.docs.changed + tables.index.changed + tables.meta.changed;

const changes = ({ tables }: Compactable): Changes => ({
  docs: tables.docs.takeChanges(),
  index: tables.index.takeChanges(),
  meta: tables.meta.takeChanges(),
});

/** Brings the copy up to what is committed now; what is written meanwhile is carried over the next time. */
async function carryOver(store: Compactable, copy: Environment): Promise<void> {
  await apply(store, copy, await store.alone(() => changes(store)));
}

/** Some at a time, as values may be large. What is written between two parts is noted, and so carried over again. */
async function apply(store: Compactable, copy: Environment, changed: Changes): Promise<void> {
  for (const name of TABLES) {
    for (let from = 0; from < changed[name].length;) {
      store.refresh();
      const part = currentOf(store.tables[name], changed[name], from);
      from += part.length;
      await commit(copy, () => {
        for (const [key, value] of part)
          void (value === undefined ? copy.tables[name].remove(key) : copy.tables[name].put(key, value));
      });
    }
  }
}

function currentOf(table: Table, keys: readonly Buffer[], from: number): [Buffer, Buffer | undefined][] {
  const part: [Buffer, Buffer | undefined][] = [];
  for (let bytes = 0, at = from; at < keys.length && part.length < CHUNK_ENTRIES && bytes < CHUNK_BYTES; at += 1) {
    const key = keys[at] as Buffer;
    const value = table.getBinary(key);
    part.push([key, value]);
    bytes += value?.length ?? 0;
  }
  return part;
}
