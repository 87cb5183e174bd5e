import { defineDomain } from '@scriptorium/platform';
import { ComputedContentController } from './computed-content.controller.js';
import { ContentController, MainFilesController, MainReadsController } from './content.controller.js';
import { LocateController } from './locate.controller.js';
import { RevisionFilesController, RevisionReadsController, RevisionsController } from './revisions.controller.js';

/** The content of spaces: reading it, changing it, its history. */
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
    LocateController,
  ],
});
