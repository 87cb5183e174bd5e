import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type ContentByUrl, type Principal, roleAtLeast } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { requireRequestBranch, type ContentObjects, findPage, pageAt } from '../../versions/index.js';
import { getCollection, viewNode, getSpace } from '../../library/index.js';
import { renderAlone, viewContent, type ContentView } from '../content/index.js';
import { readAppAddress, type AppAddress } from './app-address.js';

interface Parts {
  access: ServiceAccess;
  objects: ContentObjects;
}

/** What an address of the application is of, as far as the caller may see it. @throws AppError `not_found` */
export async function findContent(
  scope: Scope,
  { access, objects }: Parts,
  principal: Principal,
  url: string,
): Promise<ContentByUrl> {
  const address = readAppAddress(url, scope.urls.app);
  if (address === undefined) throw new AppError('not_found');
  const [kind, id] =
    'space' in address ? (['space', address.space] as const) : (['collection', address.collection] as const);
  const node = await viewNode(scope, access, principal, id);
  const isThere = node?.kind === kind && node.organization === address.organization && node.deletedAt === null;
  if (!isThere || !roleAtLeast(node.level, 'read')) throw new AppError('not_found');
  if (node.place.withoutSSO) throw new AppError('sso_required');
  if (!('space' in address)) return { collection: await getCollection(scope, access, principal, id) };
  return { space: await getSpace(scope, access, principal, id), ...(await partsOf(scope, objects, address)) };
}

/** The change request and the page that an address names. @throws AppError `not_found` for one that is not there */
async function partsOf(
  scope: Scope,
  objects: ContentObjects,
  { organization, space, changeRequest, revision, page }: Extract<AppAddress, { space: string }>,
) {
  const request = changeRequest === undefined ? undefined : await requireRequestBranch(scope, space, changeRequest);
  const place = revision === undefined ? { space, branch: request?.id ?? space } : { space, revision };
  const shownRequest =
    request === undefined ? {} : { changeRequest: { object: 'change-request' as const, id: request.id } };
  if (page === undefined && revision === undefined) return shownRequest;
  const view = await viewContent(scope, objects, organization, place);
  return page === undefined ? shownRequest : { ...shownRequest, page: await shownPage(scope, view, page) };
}

/** A page by its id or path. */
async function shownPage(scope: Scope, view: ContentView, named: string) {
  const found = (await findPage(view.tree, named)) ?? (await pageAt(view.tree, named));
  const shown = found && (await renderAlone(view, [found], scope.urls)).get(found.id);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}
