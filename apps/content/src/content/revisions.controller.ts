import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getPageDocumentInRevisionById,
  getPageInRevisionById,
  getPageInRevisionByPath,
  getReusableContentInRevisionById,
  getRevisionById,
  getRevisionSemanticChanges,
  listPagesInRevisionById,
  listRevisions,
  rollbackRevision,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call, type Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { branches } from '../branches/index.js';
import { requireNode } from '../library/index.js';
import { ContentObjects, contentTree } from '../objects/index.js';
import {
  getPage,
  getPageDocument,
  getReusableContent,
  getRevision,
  listPages,
  requirePage,
} from './content.queries.js';
import { listRevisions as revisionsOf } from './revisions.queries.js';
import { rollback } from './rollback.process.js';
import { semanticChanges } from './semantic-changes.queries.js';
import { showContent, type Sources } from './show-content.queries.js';
import { requireRevision, type ContentView } from './view.queries.js';

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

  @Handles(getRevisionById)
  async revision({ params, query }: InputOf<typeof getRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) => getRevision(scope, view));
  }

  @Handles(listPagesInRevisionById)
  async pages({ params, query }: InputOf<typeof listPagesInRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) => listPages(scope, view));
  }

  @Handles(getPageInRevisionById)
  async page({ params, query }: InputOf<typeof getPageInRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { id: params.pageId }), query),
    );
  }

  @Handles(getPageInRevisionByPath)
  async pageByPath({ params, query }: InputOf<typeof getPageInRevisionByPath>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { path: params.pagePath }), query),
    );
  }

  @Handles(getPageDocumentInRevisionById)
  async document({ params, query }: InputOf<typeof getPageDocumentInRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPageDocument(scope, view, await requirePage(view, { id: params.pageId }), query),
    );
  }

  @Handles(getReusableContentInRevisionById)
  async reusableContent({ params, query }: InputOf<typeof getReusableContentInRevisionById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) =>
      getReusableContent(scope, view, params.reusableContentId, query),
    );
  }

  @Handles(getRevisionSemanticChanges)
  async changes({ params, query }: InputOf<typeof getRevisionSemanticChanges>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) => this.changesIn(scope, view, query));
  }

  @Handles(rollbackRevision)
  async rollback({ params }: InputOf<typeof rollbackRevision>, call: Call) {
    return rollback(call, this.#sources.objects, { space: params.spaceId, revision: params.revisionId });
  }

  private async changesIn(
    scope: Scope,
    { space, revision, tree, documents }: ContentView,
    query: { from?: string | undefined; limit: number },
  ) {
    const made = await requireRevision(scope, space, revision);
    const from = query.from ?? made.parents[0];
    const before = from === undefined ? undefined : await requireRevision(scope, space, from);
    const branch = await scope.store.read(branches).byId(made.branch);
    if (branch === null) throw new AppError('not_found');
    const { pool } = branch;
    const root = before?.tree ?? EMPTY_ROOT;
    const compared = {
      pool,
      before: { root, tree: contentTree(this.#sources.objects, pool, root) },
      after: { root: made.tree, tree },
    };
    const mergedFrom =
      made.mergedFrom === null ? {} : { mergedFrom: { object: 'change-request' as const, id: made.mergedFrom } };
    return {
      ...mergedFrom,
      ...(await semanticChanges(this.#sources.objects, compared, { limit: query.limit, documents })),
    };
  }
}
