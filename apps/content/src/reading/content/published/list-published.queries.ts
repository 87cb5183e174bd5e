import type { ServiceAccess } from '@scriptorium/access';
import { contentBounds, type listPublishedPages, type Principal } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import {
  branches,
  type ContentObjects,
  type ContentTree,
  idIn,
  keys,
  type PageRecord,
} from '../../../versions/index.js';
import { spaces as spacesModel, viewNode } from '../../../library/index.js';
import { viewAs } from '../view/reader-view.queries.js';

type Listed = z.input<typeof listPublishedPages.response>['items'][number];
type ListedPage = Listed['pages'][number];

/** The pages of spaces that are in the navigation, as a caller sees them. */
export async function listPublished(
  scope: Scope,
  { access, objects }: { access: ServiceAccess; objects: ContentObjects },
  principal: Principal,
  { organization, spaces }: z.output<typeof listPublishedPages.input>,
): Promise<{ items: Listed[] }> {
  const items: Listed[] = [];
  let left: number = contentBounds.listedPages;
  for (const space of new Set(spaces)) {
    if (left === 0) break;
    const node = await viewNode(scope, access, principal, space);
    if (node?.kind !== 'space' || node.organization !== organization || node.deletedAt !== null) continue;
    if (node.level === null || node.place.withoutSSO) continue;
    if ((await scope.store.read(branches).byId(space))?.head == null) continue;
    const view = await viewAs(scope, objects, { organization, principal }, { space, branch: space });
    const pages = (await pagesOf(view.tree)).slice(0, left);
    left -= pages.length;
    const { language = null } = (await scope.store.read(spacesModel).byId(space)) ?? {};
    items.push({ space, ...(language === null ? {} : { language }), pages });
  }
  return { items };
}

async function pagesOf(tree: ContentTree): Promise<ListedPage[]> {
  const entries = await tree.range(keys.pages);
  const children = new Map<string | undefined, (PageRecord & { id: string })[]>();
  for (const [key, record] of entries) {
    const page = { ...(record as PageRecord), id: idIn(key) };
    const siblings = children.get(page.parent);
    if (siblings === undefined) children.set(page.parent, [page]);
    else siblings.push(page);
  }
  const below = (parent: string | undefined, path: string): ListedPage[] =>
    (children.get(parent) ?? [])
      .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
      .flatMap((page) => {
        if (page.hidden === true || page.type === 'link') return [];
        const own = path === '' ? (page.slug ?? '') : `${path}/${page.slug ?? ''}`;
        return [...(page.type === 'document' ? [listed(page, own)] : []), ...below(page.id, own)];
      });
  return below(undefined, '');
}

function listed(
  { id, title, description, updatedAt, noIndex, noRobotsIndex }: PageRecord & { id: string },
  path: string,
): ListedPage {
  const flags = { noIndex: noIndex === true, noRobotsIndex: noRobotsIndex === true };
  return { id, title, path, ...(description === undefined ? {} : { description }), updatedAt, ...flags };
}
