import { defineDomain } from '@scriptorium/platform';
import { FileServer, ContentObjects } from '../../versions/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { changeRequestControllers } from './change-requests.controller.js';
import { ComputedContentController } from './computed-content.controller.js';
import { ContentController, MainFilesController, MainReadsController } from './content.controller.js';
import { LocateController } from './published/locate.controller.js';
import { PublishedFiles } from './published/published-files.process.js';
import {
  RevisionFilesController,
  RevisionReadsController,
  RevisionsController,
} from './revisions/revisions.controller.js';

/** The content of spaces and change requests: reading it, changing it, its history. */
export const content = defineDomain({
  name: 'content',
  controllers: [
    MainReadsController,
    MainFilesController,
    ContentController,
    ComputedContentController,
    RevisionReadsController,
    RevisionFilesController,
    RevisionsController,
    ...changeRequestControllers,
    LocateController,
  ],
  objects: ({ context, use }) => [
    new PublishedFiles(context, { objects: use(ContentObjects), seen: use(SeenContent), server: use(FileServer) }),
  ],
});
