import { defineDomain } from '@scriptorium/platform';
import { serviceSettings } from '@scriptorium/platform/config';
import { FileServer } from './serving/file-server.process.js';
import { FileStore } from './store/file-store.operational.js';
import { filesSettings } from './files.settings.js';
import { LookFilesController } from './looks/look-files.controller.js';
import { lookFileIndexes } from './looks/look-files.operational.js';
import { LookFiles } from './looks/look-files.process.js';
import { deletedSitesReactor } from './looks/look-files.reactor.js';
import { StorageController } from './uploads/storage.controller.js';
import { storedFileIndexes } from './store/stored-files.operational.js';
import { sweepUploads } from './uploads/sweep-uploads.timer.js';
import { sweepUploadsCommand, UploadSweeper } from './store/upload-sweeper.process.js';
import { uploadIndexes } from './store/uploads.operational.js';

const { MONGODB_URL } = serviceSettings;

/** The bytes of files: uploads, where they are kept, and the server that gives and takes them. */
export const files = defineDomain({
  name: 'files',
  settings: { ...filesSettings, MONGODB_URL },
  controllers: [StorageController, LookFilesController],
  objects: ({ context, settings }) => {
    const sweeper = new UploadSweeper(context);
    const store = new FileStore(context, settings, sweeper);
    const server = new FileServer(context, store, settings);
    return [store, sweeper, server, new LookFiles(context, store, server)];
  },
  reactors: ({ context, use }) => [deletedSitesReactor(context, use(LookFiles))],
  timers: ({ context, use }) => ({
    [sweepUploadsCommand]: sweepUploads(context, use(FileStore), use(UploadSweeper)),
  }),
  indexes: { ...storedFileIndexes, ...uploadIndexes, ...lookFileIndexes },
});
