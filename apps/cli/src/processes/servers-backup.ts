import { isAbsolute, join } from 'node:path';
import type { Stores } from './servers-stores.js';

export interface StoresBackup {
  /** Position at which the copied log ends. */
  position?: number;
}

/**
 * Copies the stores into `folder` while they are written to. The log first: what its events name stands in the documents
 * before the event does. Read models among these may so be newer than the log; a restore leaves them out. `folder` is absolute.
 */
export async function backupStores({ eventstore, mongodb }: Stores, folder: string): Promise<StoresBackup> {
  if (!isAbsolute(folder)) throw new Error('the path is not absolute');
  const position = await eventstore?.backup(join(folder, 'eventstore'));
  await mongodb?.backup(join(folder, 'mongodb'));
  return position === undefined ? {} : { position };
}
