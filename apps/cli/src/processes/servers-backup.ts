import { isAbsolute, join } from 'node:path';
import type { Stores } from './servers-stores.js';

export interface StoresBackup {
  /** Position at which the copied log ends. */
  position?: number;
}

/**
 * Copies the stores into `folder` while they are written to. Read models first: behind the log they catch up at the
 * start, ahead of it they would show what never happened. `folder` is absolute.
 */
export async function backupStores({ eventstore, mongodb }: Stores, folder: string): Promise<StoresBackup> {
  if (!isAbsolute(folder)) throw new Error('the path is not absolute');
  await mongodb?.backup(join(folder, 'mongodb'));
  return eventstore === undefined ? {} : { position: await eventstore.backup(join(folder, 'eventstore')) };
}
