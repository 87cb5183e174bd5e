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
import { requireNode } from '../library/index.js';
import { ContentObjects } from '../objects/index.js';
import { getPageDocument, requirePage } from './content.queries.js';
import { contentReadsController, fileReadsController } from './reads.controllers.js';
import { changesOfRevision, listRevisions as revisionsOf } from './revisions.queries.js';
import { rollback } from './rollback.process.js';
import { showContent, type Sources } from './show-content.queries.js';

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

  constructor(access: ServiceAccess, objects: ContentObjects) {
    this.#sources = { access, objects };
  }

  @Handles(listRevisions)
  async list({ params, query }: InputOf<typeof listRevisions>, call: Call) {
    const { spaceId: space } = params;
    return call.cached({ of: [params, query] }, async (scope) => {
      const { organization } = await requireNode(scope, this.#sources.access, call.principal, space);
      return revisionsOf(scope, { organization, space, branch: space }, { ...query, operation: call.operation });
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
      changesOfRevision(scope, this.#sources.objects, view, query),
    );
  }

  @Handles(rollbackRevision)
  async rollback({ params }: InputOf<typeof rollbackRevision>, call: Call) {
    return rollback(call, this.#sources.objects, { space: params.spaceId, revision: params.revisionId });
  }
}
