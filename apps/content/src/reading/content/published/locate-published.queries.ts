import { AppError, type locatePublishedPages, type locatePublishedPath } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import {
  requireRequestBranch,
  type ContentObjects,
  type ContentTree,
  findPage,
  pageAt,
  pathOf,
} from '../../../versions/index.js';
import { findHiddenPages, visibleTree } from '../../page-visibility/index.js';
import { formerPath } from './former-paths.queries.js';
import { viewContent, type ContentPlace, type ViewScope } from '../view/view.queries.js';

type Wanted = z.output<typeof locatePublishedPath.input>;
type Located = z.input<typeof locatePublishedPath.response>;

/**
 * What a path leads to in a space, as a visitor sees it. @throws AppError `not_found` for a change request or revision
 * that is not there
 */
export async function locatePublished(
  scope: ViewScope,
  objects: ContentObjects,
  { organization, space, path, changeRequest, revision, reader }: Wanted,
): Promise<Located> {
  const place = await placeOf(scope, space, { changeRequest, revision });
  const view = await viewContent(scope, objects, organization, place);
  const tree = visibleTree(view.tree, await findHiddenPages(objects, view, reader));
  const preview = 'revision' in place ? { revision: place.revision } : {};
  const request = 'branch' in place && place.branch !== space ? { changeRequest: place.branch } : {};
  const found = await pathIn(scope, objects, { tree, space, root: view.root }, path);
  const isMain = 'branch' in place && place.branch === space;
  const madeFrom = isMain && view.also.length === 0 ? { madeFrom: view.revision } : {};
  return { ...preview, ...request, ...(found === undefined ? {} : { path: found }), ...madeFrom };
}

type WantedPages = z.output<typeof locatePublishedPages.input>;

/** Where pages are in their spaces, as a visitor sees them, or all of them. */
export async function locatePages(
  scope: ViewScope,
  objects: ContentObjects,
  { organization, places, untilFound, changeRequest, revision, reader }: WantedPages,
): Promise<(string | null)[]> {
  const paths: (string | null)[] = [];
  const trees = new Map<string, ContentTree | null>();
  const treeOf = async (space: string): Promise<ContentTree | null> => {
    try {
      const place = await placeOf(scope, space, { changeRequest, revision });
      const view = await viewContent(scope, objects, organization, place);
      return reader === undefined ? view.tree : visibleTree(view.tree, await findHiddenPages(objects, view, reader));
    } catch (error) {
      if (error instanceof AppError && error.reason === 'not_found') return null;
      throw error;
    }
  };
  for (const { space, page } of places) {
    const isOpen = reader === undefined || reader.spaces.includes(space);
    const tree = trees.get(space) ?? (isOpen ? await treeOf(space) : null);
    trees.set(space, tree);
    const path = tree === null ? undefined : await pathOfPage(tree, page);
    paths.push(path ?? null);
    if (untilFound && path !== undefined) break;
  }
  return paths;
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
