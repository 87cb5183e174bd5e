import { randomBytes } from 'node:crypto';
import { ConfigError } from '@scriptorium/platform/config';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { StopError } from '../stop-error.js';
import { readText, writePrivate } from './private-file.js';

/**
 * The installation's keyring: the text of the file, which is made at the first start. It belongs into backups: without
 * it cursors and sessions end, and names that were reserved under the old key would be given away twice.
 * @throws StopError when the file holds no keyring.
 */
export async function secretKeys(path: string): Promise<string> {
  const kept = (await readText(path))?.trim();
  if (kept !== undefined && kept !== '') return checked(kept, path);
  const made = `k1:${randomBytes(32).toString('base64')},reservation:${randomBytes(32).toString('base64')}`;
  await writePrivate(path, `${made}\n`);
  return made;
}

function checked(keys: string, path: string): string {
  try {
    parseKeyring(keys);
    return keys;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StopError(`${path} is damaged (${error.message}); put the copy of your backup there`);
  }
}
