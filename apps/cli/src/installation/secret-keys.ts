import { randomBytes } from 'node:crypto';
import { ConfigError } from '@scriptorium/platform/config';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { StopError } from '../stop-error.js';
import { readText, writePrivate } from './private-file.js';

/**
 * The installation's keyring, as text of the file, which the first start creates. Backups must contain it: without it,
 * cursors and sessions become invalid, and values that were reserved with the old key could be reserved again.
 * @throws StopError when the file contains no keyring
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
