import { join } from 'node:path';
import { endStart } from './index-check.js';
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
  const path = join(options.dataDir, 'index.lmdb');
  const index = await StreamIndex.open(path, log.logId, (error) => {
    options.logger(`the index could not be written and will be brought up to date later: ${String(error)}`);
  });
  try {
    await log.recover(index.position, {
      record: (record) => {
        index.replay(record);
      },
      pause: (end) => index.spill(end),
    });
    endStart(path);
    return index;
  } catch (error) {
    await index.abandon();
    endStart(path);
    throw error;
  }
}
