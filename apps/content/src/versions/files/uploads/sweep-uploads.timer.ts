import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { withRefusals } from '../store/blob-failure.js';
import type { FileStore } from '../store/file-store.operational.js';
import { uploadLastsMs, type UploadSweeper } from '../store/upload-sweeper.process.js';

/** Removes uploads that have ended, and what was left of writes that did not end. */
export function sweepUploads(context: ServiceContext, files: FileStore, sweeper: UploadSweeper): TimerHandler {
  return async (_timer, store) => {
    const hasMore = await files.dropUploads({ endedBy: context.now() });
    if (hasMore) await sweeper.again(store.context.correlation);
    const blobs = await files.blobs();
    await withRefusals(() => blobs.sweep({ olderThan: context.now() - uploadLastsMs }));
  };
}
