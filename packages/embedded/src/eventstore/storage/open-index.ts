import { join } from 'node:path';
import { type EventLog } from './log.js';
import { StreamIndex } from './stream-index.js';

export interface StoreOptions {
  readonly dataDir: string;
  readonly logger: (line: string) => void;
  /** ms since 1970 */
  readonly now?: () => number;
  readonly segmentBytes?: number;
}

/** The index, brought up to the end of the log. */
export async function openIndex(options: StoreOptions, log: EventLog): Promise<StreamIndex> {
  const index = await StreamIndex.open(join(options.dataDir, 'index.lmdb'), log.logId, (error) => {
    options.logger(`the index could not be written and will be brought up to date later: ${String(error)}`);
  });
  try {
    await log.recover(index.position, {
      record: (record) => {
        index.replay(record);
      },
      pause: (end) => index.spill(end),
    });
    return index;
  } catch (error) {
    await index.abandon();
    throw error;
  }
}
