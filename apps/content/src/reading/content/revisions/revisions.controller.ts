import { ServiceAccess } from '@scriptorium/access';
import {
  getFileInRevisionById,
  getPageDocumentInRevisionById,
  getPageInRevisionById,
  getPageInRevisionByPath,
  getReusableContentInRevisionById,
  getRevisionById,
  getRevisionSemanticChanges,
  listFilesInRevisionById,
  listPagesInRevisionById,
  listRevisions,
  rollbackRevision,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireNode, requireWritable } from '../../../library/index.js';
import { ContentObjects } from '../../../versions/index.js';
import { readerOf, SeenContent } from '../../page-visibility/index.js';
import { getPageDocument, requirePage } from '../content.queries.js';
import { contentReadsController, fileReadsController } from '../reads.controllers.js';
import { changesOfRevision, listRevisions as revisionsOf } from './revisions.queries.js';
import { rollback } from './rollback.process.js';
import { openedRevision } from '../view/reader-view.queries.js';
import { showContent, type Sources } from '../show-content.queries.js';

/** The reads of revisions. */
export const RevisionReadsController = contentReadsController({
  revision: getRevisionById,
  pages: listPagesInRevisionById,
  page: getPageInRevisionById,
  pageByPath: getPageInRevisionByPath,
  reusableContent: getReusableContentInRevisionById,
});

/** The reads of the files of revisions. */
export const RevisionFilesController = fileReadsController({
  files: listFilesInRevisionById,
  file: getFileInRevisionById,
});

/** The history of the content of spaces. */
@Controller()
export class RevisionsController {
  readonly #sources: Sources;

  constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
    this.#sources = { access, objects, seen };
  }

  @Handles(listRevisions)
  async list({ params, query }: InputOf<typeof listRevisions>, call: Call) {
    const { spaceId: space } = params;
    const { principal } = call;
    return call.cached({ of: [params, query] }, async (scope) => {
      const { organization } = await requireNode(scope, this.#sources.access, principal, space);
      const list = { ...query, operation: call.operation };
      const reader = readerOf(principal);
      const opened = reader === undefined ? undefined : await openedRevision(scope, reader, space);
      return revisionsOf(scope, { organization, space, branch: space, opened }, list);
    });
  }

  @Handles(getPageDocumentInRevisionById)
  async document({ params, query }: InputOf<typeof getPageDocumentInRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPageDocument(scope, view, await requirePage(view, { id: params.pageId }), query),
    );
  }

  @Handles(getRevisionSemanticChanges)
  async changes({ params, query }: InputOf<typeof getRevisionSemanticChanges>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) =>
      // A visitor is opened one revision, and nothing that it could be compared with.
      view.reader === undefined
        ? changesOfRevision(scope, this.#sources.objects, view, query)
        : Promise.resolve({ changes: [] }),
    );
  }

  @Handles(rollbackRevision)
  async rollback({ params }: InputOf<typeof rollbackRevision>, call: Call) {
    await requireWritable(call, params.spaceId);
    return rollback(call, this.#sources.objects, { space: params.spaceId, revision: params.revisionId });
  }
}
