import type { locatePublishedPath } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import { requireRequestBranch } from '../branches/index.js';
import type { ContentObjects, ContentTree } from '../objects/index.js';
import { findPage, pageAt, pathOf } from '../pages/index.js';
import { findHiddenPages, visibleTree } from '../visitors/index.js';
import { formerPath } from './former-paths.queries.js';
import { viewContent, type ContentPlace, type ViewScope } from './view.queries.js';

type Wanted = z.output<typeof locatePublishedPath.input>;
type Located = z.input<typeof locatePublishedPath.response>;

/** What a path leads to in a space, as a visitor sees it. @throws AppError `not_found` for a change request or revision that is not there */
export async function locatePublished(
  scope: ViewScope,
  objects: ContentObjects,
  { organization, space, path, page, changeRequest, revision, reader }: Wanted,
): Promise<Located> {
  const place = await placeOf(scope, space, { changeRequest, revision });
  const view = await viewContent(scope, objects, organization, place);
  const tree = visibleTree(view.tree, await findHiddenPages(objects, view, reader));
  const preview = 'revision' in place ? { revision: place.revision } : {};
  const request = 'branch' in place && place.branch !== space ? { changeRequest: place.branch } : {};
  const found =
    page === undefined
      ? await pathIn(scope, objects, { tree, space, root: view.root }, path)
      : await pathOfPage(tree, page);
  return { ...preview, ...request, ...(found === undefined ? {} : { path: found }) };
}

async function placeOf(
  scope: Pick<Scope, 'store'>,
  space: string,
  { changeRequest, revision }: Pick<Wanted, 'changeRequest' | 'revision'>,
): Promise<ContentPlace> {
  if (revision !== undefined) return { space, revision };
  if (changeRequest === undefined) return { space, branch: space };
  return { space, branch: (await requireRequestBranch(scope, space, changeRequest)).id };
}

async function pathOfPage(tree: ContentTree, id: string): Promise<string | undefined> {
  const page = await findPage(tree, id);
  return page === undefined ? undefined : pathOf(tree, page);
}

/** The present path of the page that has this path, or had it in an earlier revision of the main content. */
async function pathIn(
  scope: Pick<Scope, 'store'>,
  objects: ContentObjects,
  present: { tree: ContentTree; space: string; root: string },
  path: string,
): Promise<string | undefined> {
  if (path === '') return path;
  const page = await pageAt(present.tree, path);
  if (page !== undefined) return pathOf(present.tree, page);
  return formerPath(scope, objects, present, path);
}
