import { defineDomain } from '@scriptorium/platform';
import { serviceSettings } from '@scriptorium/platform/config';
import { FileServer } from './file-server.process.js';
import { FileStore } from './file-store.operational.js';
import { filesSettings } from './files.settings.js';
import { StorageController } from './storage.controller.js';
import { storedFileIndexes } from './stored-files.operational.js';
import { sweepUploads } from './sweep-uploads.timer.js';
import { sweepUploadsCommand, UploadSweeper } from './upload-sweeper.process.js';
import { uploadIndexes } from './uploads.operational.js';

const { MONGODB_URL } = serviceSettings;

/** The bytes of files: uploads, where they are kept, and the server that gives and takes them. */
export const files = defineDomain({
  name: 'files',
  settings: { ...filesSettings, MONGODB_URL },
  controllers: [StorageController],
  objects: ({ context, settings }) => {
    const sweeper = new UploadSweeper(context);
    const store = new FileStore(context, settings, sweeper);
    return [store, sweeper, new FileServer(context, store, settings)];
  },
  timers: ({ context, use }) => ({
    [sweepUploadsCommand]: sweepUploads(context, use(FileStore), use(UploadSweeper)),
  }),
  indexes: { ...storedFileIndexes, ...uploadIndexes },
});
