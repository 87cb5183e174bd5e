import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-line/context.js';
import { whileWorking } from '../command-line/progress.js';
import { filesOf } from '../installation/data-folder.js';
import { claimFolder } from '../installation/format.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import { checkStores } from './check-stores.js';
import { filesFolder } from './files-folder.js';
import { hasManifest, readBackup } from './manifest.js';

/**
 * `scriptorium verify`: checks every record, page and document in the data folder, or in a backup, whose hashes it
 * compares first. It changes nothing.
 * @throws ConfigError for an invalid setting; StopError naming the process that uses the folder, when there is nothing
 * to check, and at the end when there are errors
 */
export async function verifyCommand(input: CommandContext & { folder: string | undefined }): Promise<void> {
  const { folder, environment, screen, write } = input;
  const { DATA_DIR, FILES_STORE } = readFolderSettings(environment);
  const { path, format } = filesOf(folder ?? DATA_DIR);
  if (await hasManifest(path)) {
    const { files } = await whileWorking(screen, 'hashing the backup', () => readBackup(resolve(path)));
    write(`${path}: ${Object.keys(files).length} files are unchanged since the backup\n`);
    return report(path, undefined, input);
  }
  if (!existsSync(format)) throw new StopError(`there is nothing to check in ${path}`);
  const claim = await claimFolder(path, version);
  try {
    await report(path, filesFolder(path, FILES_STORE), input);
  } finally {
    await claim.release();
  }
}

async function report(path: string, files: string | undefined, { screen, answer }: CommandContext): Promise<void> {
  const { sound, lines } = await whileWorking(screen, 'checking the data', () => checkStores(path, files));
  answer({ folder: path, sound, lines }, lines.map((line) => `${line}\n`).join(''));
  if (!sound) throw new StopError(`the data in ${path} is damaged`);
}
