import { defineDomain } from '@scriptorium/platform';
import { FileServer, ContentObjects } from '../../versions/index.js';
import { ExportServer } from './export-server.process.js';
import { ExportsController } from './exports.controller.js';

/** Content as a zip of markdown. */
export const exports = defineDomain({
  name: 'exports',
  controllers: [ExportsController],
  objects: ({ context, use }) => [new ExportServer(context, use(ContentObjects), use(FileServer))],
});
