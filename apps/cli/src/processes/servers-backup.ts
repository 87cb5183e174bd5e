import { join } from 'node:path';

/** The running stores of one data folder; one that stands elsewhere is absent. */
export interface Stores {
  eventstore?: { backup(folder: string): Promise<number> } | undefined;
  mongodb?: { backup(folder: string): Promise<void> } | undefined;
}

export interface StoresBackup {
  /** Position at which the copied log ends. */
  position?: number;
}

/**
 * Copies the stores into `folder` while they are written to. Read models first: behind the log they catch up at the
 * start, ahead of it they would show what never happened.
 */
export async function backupStores({ eventstore, mongodb }: Stores, folder: string): Promise<StoresBackup> {
  await mongodb?.backup(join(folder, 'mongodb'));
  return eventstore === undefined ? {} : { position: await eventstore.backup(join(folder, 'eventstore')) };
}
