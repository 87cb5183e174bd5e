import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { CommandContext } from '../command-line/context.js';
import { whileWorking } from '../command-line/progress.js';
import { filesOf } from '../installation/data-folder.js';
import { currentFormat } from '../installation/format.js';
import { jsonText, readText, writePrivate } from '../installation/private-file.js';
import { onStores } from '../processes/on-stores.js';
import { backupStores } from '../processes/servers-backup.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import { checkStores } from './check-stores.js';
import { copyFiles, filesFolder, filesName } from './files-folder.js';
import { sizeOf, writeManifest } from './manifest.js';

export interface FolderInput extends CommandContext {
  folder: string;
}

const Copied = z.object({ position: z.int().optional() });

/**
 * `scriptorium backup`: copies the data of the embedded servers, running or not, and the keyring into an empty folder.
 * It checks the copy and records the hash of every file. The backup contains everything that was acknowledged before it
 * began.
 * @throws ConfigError for an invalid setting; StopError when the folder is not empty or inside the data folder, when
 * there is no data, or when the data is damaged
 */
export async function backupCommand(input: FolderInput): Promise<void> {
  const { folder, environment, screen, write } = input;
  const { DATA_DIR, FILES_STORE } = readFolderSettings(environment);
  const files = filesOf(DATA_DIR);
  const bytes = filesFolder(files.path, FILES_STORE);
  if (!existsSync(files.format)) throw new StopError(`there is nothing to back up in ${files.path}`);
  const target = resolve(folder);
  if (await isWithin(files.path, target))
    throw new StopError(`${target} is inside the data folder; name a folder outside it`);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new StopError(`${target} is not empty; name a new folder`);
  try {
    const { position } = await whileWorking(screen, 'copying the stores', () =>
      onStores(files.path, {
        running: (ask) => ask('backup', target, Copied),
        stopped: (stores) => backupStores(stores, target),
      }),
    );
    // What an event names was stored before the event, bytes of files too.
    if (bytes !== undefined)
      await whileWorking(screen, 'copying files', () => copyFiles(bytes, join(target, filesName)));
    await copyPrivate(files, target);
    const { sound, lines } = await whileWorking(screen, 'checking the copy', () => checkStores(target));
    if (!sound) throw new StopError(`the data is damaged, and no backup was made:\n${lines.join('\n')}`);
    const manifest = await whileWorking(screen, 'hashing the copy', () => writeManifest(target, { version, position }));
    write(
      `${target}: ${Object.keys(manifest.files).length} files, ${sizeOf(manifest)} bytes${position === undefined ? '' : `, events up to position ${position}`}\n`,
    );
    if (bytes === undefined) write(`bytes of files are in ${FILES_STORE.split(':')[0]} and are not part of it\n`);
    if (!existsSync(files.secretKeys)) write('SECRET_KEYS was set by you and is not part of it: keep it yourself\n');
  } catch (error) {
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
    throw error;
  }
}

async function isWithin(folder: string, path: string): Promise<boolean> {
  const way = relative(await realpath(folder), await realOf(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real path of a path whose end may not exist yet. */
async function realOf(path: string): Promise<string> {
  return realpath(path).catch(async (error: unknown) => {
    if (dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), basename(path));
  });
}

async function copyPrivate(files: ReturnType<typeof filesOf>, target: string): Promise<void> {
  for (const name of ['secretKeys', 'serverPasswords', 'firstRun'] as const) {
    const text = await readText(files[name]);
    if (text !== undefined) await writePrivate(filesOf(target)[name], text);
  }
  await writePrivate(filesOf(target).format, jsonText({ format: currentFormat, version }));
}
