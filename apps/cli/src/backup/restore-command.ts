import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { dropDerived } from '@scriptorium/event-sourcing';
import { filesOf } from '../installation/data-folder.js';
import { syncFolder } from '../installation/private-file.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import type { FolderInput } from './backup-command.js';
import { readBackup, sizeOf } from './manifest.js';

/** Answers that are kept for repeated requests: what they tell may not be in the log. */
const keptAnswers = 'op_answers';

/**
 * `scriptorium restore`: makes a data folder of a backup, all of it or nothing. Read models are left out, and made from the log
 * at the first start: in the backup they may be newer than the log.
 * @throws ConfigError for a bad setting; StopError when the data folder holds something, and when a file of the backup is
 *   not what was backed up.
 */
export async function restoreCommand({ folder, environment, write }: FolderInput): Promise<void> {
  const { path } = filesOf(readFolderSettings(environment).DATA_DIR);
  const present = await readdir(path).catch(() => undefined);
  if (present !== undefined && present.length > 0)
    throw new StopError(`${path} is not empty; move it away or set DATA_DIR to another folder`);
  const source = resolve(folder);
  const manifest = await readBackup(source);
  const half = `${path}.restoring-${process.pid}`;
  try {
    for (const name of Object.keys(manifest.files)) await copyPrivateFile(join(source, name), join(half, name));
    await leaveOutDerived(half);
    if (present !== undefined) await rmdir(path);
    await rename(half, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
  write(
    `${path}: ${Object.keys(manifest.files).length} files, ${sizeOf(manifest)} bytes of ${manifest.createdAt}; begin with: npm start\n`,
  );
}

async function leaveOutDerived(folder: string): Promise<void> {
  const dataDir = join(folder, 'mongodb');
  if (!existsSync(dataDir)) return;
  const server = await startMongoServer({ dataDir });
  try {
    await dropDerived(server.url, [keptAnswers]);
    await server.compact();
  } finally {
    await server.stop();
  }
}

async function copyPrivateFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
  const file = await open(to, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(to));
}
