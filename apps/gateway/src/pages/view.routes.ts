import {
  AppError,
  getContentByUrl,
  getOrganizationById,
  getPageById,
  getPageInChangeRequestById,
  getPageInRevisionById,
  getSiteById,
  listAllContentInOrganizationById,
  listPages,
  listPagesInChangeRequest,
  listPagesInRevisionById,
  listSpacesInCollectionById,
} from '@scriptorium/contracts';
import { type PageAnswer, type PageHandler, type WebPageRequest, paths } from './page-request.js';
import {
  contentPage,
  invitationPage,
  listPage,
  openingPage,
  signInFirstPage,
  sitePage,
  spacePage,
} from './view.page.js';

/** Where the application is. */
export interface ViewConfig {
  /** Address of the gateway, without a slash at its end. */
  publicUrl: string;
  /** Address of an application that shows content, if there is one. */
  appUrl?: string | undefined;
}

const listed = { limit: 1000 };
const form = { format: 'markdown' };

/**
 * What `urls.app` of answers lead to: the application, if there is one; otherwise pages that show titles and texts to
 * whoever is signed in and may see them.
 */
export function viewRoutes(config: ViewConfig): {
  get: Record<string, PageHandler>;
  post: Record<string, PageHandler>;
} {
  const app = (config.appUrl ?? config.publicUrl).replace(/\/+$/, '');
  const isElsewhere = new URL(app).origin !== new URL(config.publicUrl).origin;
  const orElsewhere =
    (show: (target: string, params: { inviteId?: string }) => string): PageHandler =>
    ({ request }) => {
      const target = request.raw.url ?? '/';
      const params = request.params as { inviteId?: string };
      return Promise.resolve(isElsewhere ? { redirectTo: `${app}${target}` } : { page: show(target, params) });
    };
  const open = orElsewhere(openingPage);
  const join = orElsewhere((_target, { inviteId = '' }) => invitationPage(inviteId));
  return {
    get: { '/o/*': open, '/join/:inviteId': join, [paths.view]: (page) => view(page, app) },
    post: {},
  };
}

async function view(page: WebPageRequest, app: string): Promise<PageAnswer> {
  const { path } = page.request.query as { path?: unknown };
  if (typeof path !== 'string' || !/^\/o\/[\w-]/.test(path)) throw new AppError('not_found');
  try {
    return { page: await shown(page, app, path) };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'unauthenticated') throw error;
    return { refused: error, page: signInFirstPage(path) };
  }
}

async function shown(page: WebPageRequest, app: string, path: string): Promise<string> {
  const [, , organizationId = '', kind, id = ''] = path.split(/[?#]/, 1)[0]?.split('/') ?? [];
  if (kind === undefined || kind === '') {
    const params = { organizationId };
    const { title } = await page.read(getOrganizationById, { params });
    const { items } = await page.read(listAllContentInOrganizationById, { params, query: listed });
    return listPage(title, items);
  }
  if (kind === 'sites') return sitePage(await page.read(getSiteById, { params: { organizationId, siteId: id } }));
  return content(page, `${app}${path}`);
}

/** A collection, a space, or a page: in the main content, a change request or a revision. */
async function content(page: WebPageRequest, url: string): Promise<string> {
  const found = await page.read(getContentByUrl, { query: { url } });
  if ('collection' in found) {
    const params = { collectionId: found.collection.id };
    const { items } = await page.read(listSpacesInCollectionById, { params, query: listed });
    return listPage(found.collection.title, items);
  }
  const { space, changeRequest, page: named } = found;
  const revisionId = /\/~\/revisions\/([\w-]+)/.exec(url)?.[1];
  const reads = readsOf(page, { spaceId: space.id, changeRequestId: changeRequest?.id, revisionId });
  if (named === undefined) return spacePage(space, (await reads.pages()).pages);
  return contentPage(space, named.type === 'document' ? await reads.page(named.id) : named);
}

interface Place {
  spaceId: string;
  changeRequestId: string | undefined;
  revisionId: string | undefined;
}

function readsOf(page: WebPageRequest, { spaceId, changeRequestId, revisionId }: Place) {
  if (changeRequestId !== undefined) {
    const params = { spaceId, changeRequestId };
    return {
      pages: () => page.read(listPagesInChangeRequest, { params }),
      page: (pageId: string) => page.read(getPageInChangeRequestById, { params: { ...params, pageId }, query: form }),
    };
  }
  if (revisionId !== undefined) {
    const params = { spaceId, revisionId };
    return {
      pages: () => page.read(listPagesInRevisionById, { params }),
      page: (pageId: string) => page.read(getPageInRevisionById, { params: { ...params, pageId }, query: form }),
    };
  }
  return {
    pages: () => page.read(listPages, { params: { spaceId } }),
    page: (pageId: string) => page.read(getPageById, { params: { spaceId, pageId }, query: form }),
  };
}
