import { ServiceAccess } from '@scriptorium/access';
import {
  applyTemplateToSpace,
  changeSpaceContent,
  getCurrentRevision,
  getDocumentById,
  getPageById,
  getPageByPath,
  getReusableContentById,
  getSpacePageMetaLinks,
  listPages,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects } from '../objects/index.js';
import { requireLive } from '../spaces/index.js';
import { applyTemplate } from './apply-template.process.js';
import { changeContent } from './change-content.process.js';
import {
  getDocument,
  getMetaLinks,
  getPage,
  getReusableContent,
  getRevision,
  listPages as pagesOf,
  requirePage,
} from './content.queries.js';
import { showContent, type Sources } from './show-content.queries.js';

/** The main content of spaces. */
@Controller()
export class ContentController {
  readonly #sources: Sources;

  constructor(access: ServiceAccess, objects: ContentObjects) {
    this.#sources = { access, objects };
  }

  @Handles(getCurrentRevision)
  async revision({ params, query }: InputOf<typeof getCurrentRevision>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) => getRevision(scope, view));
  }

  @Handles(listPages)
  async pages({ params, query }: InputOf<typeof listPages>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) => pagesOf(scope, view));
  }

  @Handles(getPageById)
  async page({ params, query }: InputOf<typeof getPageById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { id: params.pageId }), query),
    );
  }

  @Handles(getPageByPath)
  async pageByPath({ params, query }: InputOf<typeof getPageByPath>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { path: params.pagePath }), query),
    );
  }

  @Handles(getReusableContentById)
  async reusableContent({ params, query }: InputOf<typeof getReusableContentById>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (scope, view) =>
      getReusableContent(scope, view, params.reusableContentId, query),
    );
  }

  @Handles(getSpacePageMetaLinks)
  async metaLinks({ params, query }: InputOf<typeof getSpacePageMetaLinks>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (_scope, view) => getMetaLinks(view, params.pageId));
  }

  @Handles(getDocumentById)
  async document({ params }: InputOf<typeof getDocumentById>, call: Call) {
    return showContent(call, this.#sources, { params }, (_scope, view) => getDocument(view, params.documentId));
  }

  @Handles(changeSpaceContent)
  async change({ params, body }: InputOf<typeof changeSpaceContent>, call: Call) {
    const { spaceId: space } = params;
    await requireLive(call, space);
    return changeContent(call, this.#sources.objects, { space, branch: space }, body);
  }

  @Handles(applyTemplateToSpace)
  async applyTemplate({ params, body }: InputOf<typeof applyTemplateToSpace>, call: Call): Promise<void> {
    await applyTemplate(call, this.#sources.objects, params.spaceId, body);
  }
}
