import { randomBytes } from 'node:crypto';
import { readText, writePrivate } from './private-file.js';

/**
 * The installation's keyring: the text of the file, which is made at the first start. It belongs into backups: without
 * it cursors and sessions end, and names that were reserved under the old key would be given away twice.
 */
export async function secretKeys(path: string): Promise<string> {
  const kept = (await readText(path))?.trim();
  if (kept !== undefined && kept !== '') return kept;
  const made = `k1:${randomBytes(32).toString('base64')},reservation:${randomBytes(32).toString('base64')}`;
  await writePrivate(path, `${made}\n`);
  return made;
}
