import {
  listChangeRequestFileBacklinks,
  listChangeRequestLinks,
  listChangeRequestPageBacklinks,
  listPageLinksInChangeRequest,
  listPageLinksInSpace,
  listSpaceFileBacklinks,
  listSpaceLinks,
  listSpacePageBacklinks,
} from '@scriptorium/contracts';
import { defineDomain } from '@scriptorium/platform';
import { DocumentAnalyses } from '../analysis/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { LinksOfRevisions } from './links-of-revisions.process.js';
import { linksController } from './links.controllers.js';

/** Links between contents: what leads where, whether it is there, and what leads to a page or file. */
export const links = defineDomain({
  name: 'links',
  controllers: [
    linksController({
      links: listSpaceLinks,
      pageLinks: listPageLinksInSpace,
      pageBacklinks: listSpacePageBacklinks,
      fileBacklinks: listSpaceFileBacklinks,
    }),
    linksController({
      links: listChangeRequestLinks,
      pageLinks: listPageLinksInChangeRequest,
      pageBacklinks: listChangeRequestPageBacklinks,
      fileBacklinks: listChangeRequestFileBacklinks,
    }),
  ],
  objects: ({ use }) => [new LinksOfRevisions(use(DocumentAnalyses), use(SeenContent))],
});
