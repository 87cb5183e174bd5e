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
import { CachedResponse, Controller, Handles, type Call, type Scope } from '@scriptorium/platform';
import { requireNode } from '../library/index.js';
import { ContentObjects } from '../objects/index.js';
import type { PageAttributes } from '../pages/index.js';
import { requireLive } from '../spaces/index.js';
import { applyTemplate } from './apply-template.process.js';
import { changeContent } from './change-content.process.js';
import {
  getDocument,
  getPage,
  getReusableContent,
  getRevision,
  listPages as pagesOf,
  requirePage,
} from './content.queries.js';
import { viewContent, type ContentView } from './view.queries.js';

/** The main content of spaces. */
@Controller()
export class ContentController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
  ) {}

  @Handles(getCurrentRevision)
  async revision({ params, query }: InputOf<typeof getCurrentRevision>, call: Call) {
    return this.show(call, params, query, (scope, view) => getRevision(scope, view));
  }

  @Handles(listPages)
  async pages({ params, query }: InputOf<typeof listPages>, call: Call) {
    return this.show(call, params, query, (scope, view) => pagesOf(scope, view));
  }

  @Handles(getPageById)
  async page({ params, query }: InputOf<typeof getPageById>, call: Call) {
    return this.show(call, params, query, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { id: params.pageId }), query),
    );
  }

  @Handles(getPageByPath)
  async pageByPath({ params, query }: InputOf<typeof getPageByPath>, call: Call) {
    return this.show(call, params, query, async (scope, view) =>
      getPage(scope, view, await requirePage(view, { path: params.pagePath }), query),
    );
  }

  @Handles(getReusableContentById)
  async reusableContent({ params, query }: InputOf<typeof getReusableContentById>, call: Call) {
    return this.show(call, params, query, (scope, view) =>
      getReusableContent(scope, view, params.reusableContentId, query),
    );
  }

  @Handles(getSpacePageMetaLinks)
  async metaLinks({ params, query }: InputOf<typeof getSpacePageMetaLinks>, call: Call) {
    return this.show(call, params, query, async (_scope, { tree, ...view }) => {
      const { attributes } = await requirePage({ ...view, tree }, { id: params.pageId });
      const { metaLinks } = attributes === undefined ? {} : ((await tree.object(attributes)) as PageAttributes);
      return metaLinks ?? {};
    });
  }

  @Handles(getDocumentById)
  async document({ params }: InputOf<typeof getDocumentById>, call: Call) {
    return this.show(call, params, {}, (_scope, view) => getDocument(view, params.documentId));
  }

  @Handles(changeSpaceContent)
  async change({ params, body }: InputOf<typeof changeSpaceContent>, call: Call) {
    const { spaceId: space } = params;
    await requireLive(call, space);
    return changeContent(call, this.objects, { space, branch: space }, body);
  }

  @Handles(applyTemplateToSpace)
  async applyTemplate({ params, body }: InputOf<typeof applyTemplateToSpace>, call: Call): Promise<void> {
    await applyTemplate(call, this.objects, params.spaceId, body);
  }

  /** An answer from the present content. Its entity tag is made of the revision and of what was asked for. */
  private show<T>(
    call: Call,
    params: { spaceId: string },
    query: object,
    read: (scope: Scope, view: ContentView) => Promise<T>,
  ): Promise<CachedResponse<T>> {
    const { spaceId: space } = params;
    return call.cached({ of: [params, query] }, async (scope) => {
      const { organization } = await requireNode(scope, this.access, call.principal, space);
      const view = await viewContent(scope, this.objects, organization, { space, branch: space });
      const shows = [organization, view.revision, call.operation, params, query];
      return CachedResponse.tagged(await read(scope, view), shows);
    });
  }
}
