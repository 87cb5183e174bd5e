import { ServiceAccess } from '@scriptorium/access';
import type {
  InputOf,
  listChangeRequestFileBacklinks,
  listChangeRequestLinks,
  listChangeRequestPageBacklinks,
  listPageLinksInChangeRequest,
  listPageLinksInSpace,
  listSpaceFileBacklinks,
  listSpaceLinks,
  listSpacePageBacklinks,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call, type Scope } from '@scriptorium/platform';
import { requireRequestBranch, takenFrom, ContentObjects } from '../../versions/index.js';
import { requireFile, requirePage, showContent, viewContent, type ContentView } from '../content/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { LinksOfRevisions } from './links-of-revisions.process.js';
import { listBacklinks, listLinks } from './links.queries.js';
import type { Judge } from './other-spaces.queries.js';

/** The operations about the links of one place: the main content of a space, or a change request. */
interface LinkReads {
  links: typeof listSpaceLinks | typeof listChangeRequestLinks;
  pageLinks: typeof listPageLinksInSpace | typeof listPageLinksInChangeRequest;
  pageBacklinks: typeof listSpacePageBacklinks | typeof listChangeRequestPageBacklinks;
  fileBacklinks: typeof listSpaceFileBacklinks | typeof listChangeRequestFileBacklinks;
}

type Input<O extends keyof LinkReads> = InputOf<LinkReads[O]>;
type LinkSources = Omit<Judge, 'principal'> & { seen: SeenContent };
type LinksController = new (
  access: ServiceAccess,
  objects: ContentObjects,
  revisions: LinksOfRevisions,
  seen: SeenContent,
) => object;

/** The controller of the links of one place. */
export function linksController(operations: LinkReads): LinksController {
  @Controller()
  class ContentLinksController {
    readonly #sources: LinkSources;

    constructor(access: ServiceAccess, objects: ContentObjects, revisions: LinksOfRevisions, seen: SeenContent) {
      this.#sources = { access, objects, revisions, seen };
    }

    @Handles(operations.links)
    async links({ params, query }: Pick<Input<'links'>, 'params' | 'query'>, call: Call) {
      return showLinks(call, this.#sources, { params, query });
    }

    @Handles(operations.pageLinks)
    async pageLinks({ params, query }: Input<'pageLinks'>, call: Call) {
      return showLinks(call, this.#sources, { params, query }, params.pageId);
    }

    @Handles(operations.pageBacklinks)
    async pageBacklinks({ params, query }: Input<'pageBacklinks'>, call: Call) {
      const { operation } = call;
      return showContent(call, this.#sources, { params, query }, async (scope, view) => {
        const { id } = await requirePage(view, { id: params.pageId });
        return listBacklinks(scope, this.#sources, view, { ...query, operation, scope: params, to: { page: id } });
      });
    }

    @Handles(operations.fileBacklinks)
    async fileBacklinks({ params, query }: Input<'fileBacklinks'>, call: Call) {
      const { operation } = call;
      return showContent(call, this.#sources, { params, query }, async (scope, view) => {
        await requireFile(scope, this.#sources.seen, view, params.fileId);
        const to = { file: params.fileId };
        return listBacklinks(scope, this.#sources, view, { ...query, operation, scope: params, to });
      });
    }
  }
  return ContentLinksController;
}

/** A page of the links of a content, or of one page of it. */
function showLinks(
  call: Call,
  sources: LinkSources,
  { params, query }: Pick<Input<'links'>, 'params' | 'query'>,
  ofPage?: string,
) {
  const { operation, principal } = call;
  return showContent(call, sources, { params, query }, async (scope, view) => {
    if (ofPage !== undefined) await requirePage(view, { id: ofPage });
    // What a change request goes back to is not opened by a preview of it.
    const base = view.reader === undefined ? await baseOf(scope, sources.objects, view, params) : undefined;
    const list = { ...query, operation, scope: params, ofPage, base };
    return listLinks(scope, { ...sources, principal }, view, list);
  });
}

/** The main content that a change request goes back to. */
async function baseOf(
  scope: Scope,
  objects: ContentObjects,
  { organization, space }: ContentView,
  params: { spaceId: string; changeRequestId?: string },
): Promise<ContentView | undefined> {
  if (params.changeRequestId === undefined) return undefined;
  const { request } = await requireRequestBranch(scope, space, params.changeRequestId);
  return viewContent(scope, objects, organization, { space, revision: takenFrom(request).revision });
}
