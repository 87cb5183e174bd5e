import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { dropDerived } from '@scriptorium/event-sourcing';
import { whileWorking } from '../command-line/progress.js';
import { filesOf } from '../installation/data-folder.js';
import { syncFolder } from '../installation/private-file.js';
import { readFolderSettings } from '../settings.js';
import { quote } from '../start/banner.js';
import { StopError } from '../stop-error.js';
import type { FolderInput } from './backup-command.js';
import { readBackup, sizeOf } from './manifest.js';

/** The collection of answers for repeated requests. The log may not contain the events of these answers. */
const keptAnswers = 'op_answers';

/**
 * `scriptorium restore`: creates a data folder from a backup, completely or not at all. Read models are not restored,
 * since those of the backup may be newer than its log; the first start makes them from the log.
 * @throws ConfigError for an invalid setting; StopError when the data folder is not empty, or when a file of the backup
 * has changed
 */
export async function restoreCommand(input: FolderInput): Promise<void> {
  const { folder, environment, screen, write } = input;
  const { path } = filesOf(readFolderSettings(environment).DATA_DIR);
  const present = await readdir(path).catch(() => undefined);
  if (present !== undefined && present.length > 0)
    throw new StopError(`${path} is not empty; move it away or set DATA_DIR to another folder`);
  const source = resolve(folder);
  const manifest = await whileWorking(screen, 'hashing the backup', () => readBackup(source));
  const half = `${path}.restoring-${process.pid}`;
  try {
    await whileWorking(screen, 'copying', async () => {
      for (const name of Object.keys(manifest.files)) await copyPrivateFile(join(source, name), join(half, name));
      await leaveOutDerived(half);
    });
    if (present !== undefined) await rmdir(path);
    await rename(half, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
  write(
    `${path}: ${Object.keys(manifest.files).length} files, ${sizeOf(manifest)} bytes of ${manifest.createdAt}; begin with: ${nextCommand(path, environment, 'secret-keys' in manifest.files)}\n`,
  );
}

/** The whole command that starts a restored installation, with the settings that this one was given. */
function nextCommand(path: string, environment: NodeJS.ProcessEnv, hasKeys: boolean): string {
  const { DATA_DIR = '', FILES_STORE = '' } = environment;
  return [
    ...(DATA_DIR === '' ? [] : [`DATA_DIR=${quote(path)}`]),
    ...(FILES_STORE === '' ? [] : [`FILES_STORE=${quote(FILES_STORE)}`]),
    ...(hasKeys ? [] : [`SECRET_KEYS='<the keyring that the backup was made with>'`]),
    'npm start',
  ].join(' ');
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
