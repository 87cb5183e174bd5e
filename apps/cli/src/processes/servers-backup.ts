import { isAbsolute, join } from 'node:path';
import type { Stores } from './servers-stores.js';

export interface StoresBackup {
  /** The position at which the copied log ends. */
  position?: number;
}

/**
 * Copies the stores to `folder` while they are in use. The log is copied first, since documents that an event refers to
 * are written before the event. So read models in the copy may be newer than the log; a restore does not use them.
 * `folder` is absolute.
 */
export async function backupStores({ eventstore, mongodb }: Stores, folder: string): Promise<StoresBackup> {
  if (!isAbsolute(folder)) throw new Error('the path is not absolute');
  const position = await eventstore?.backup(join(folder, 'eventstore'));
  await mongodb?.backup(join(folder, 'mongodb'));
  return position === undefined ? {} : { position };
}
