import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { filesOf } from '../installation/data-folder.js';
import { claimFolder } from '../installation/format.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import type { FolderInput } from './backup-command.js';
import { checkStores } from './check-stores.js';
import { filesFolder } from './files-folder.js';
import { hasManifest, readBackup } from './manifest.js';

/**
 * `scriptorium verify`: checks every record, page and document in the data folder, or in a backup, whose hashes it
 * compares first. It changes nothing.
 * @throws ConfigError for an invalid setting; StopError naming the process that uses the folder, when there is nothing
 * to check, and at the end when there are errors
 */
export async function verifyCommand({
  folder,
  environment,
  write,
}: Omit<FolderInput, 'folder'> & { folder: string | undefined }): Promise<void> {
  const { DATA_DIR, FILES_STORE } = readFolderSettings(environment);
  const { path, format } = filesOf(folder ?? DATA_DIR);
  if (await hasManifest(path)) {
    const { files } = await readBackup(resolve(path));
    write(`${path}: ${Object.keys(files).length} files are unchanged since the backup\n`);
    return report(path, undefined, write);
  }
  if (!existsSync(format)) throw new StopError(`there is nothing to check in ${path}`);
  const claim = await claimFolder(path, version);
  try {
    await report(path, filesFolder(path, FILES_STORE), write);
  } finally {
    await claim.release();
  }
}

async function report(path: string, files: string | undefined, write: (text: string) => void): Promise<void> {
  const { sound, lines } = await checkStores(path, files);
  for (const line of lines) write(`${line}\n`);
  if (!sound) throw new StopError(`the data in ${path} is damaged`);
}
