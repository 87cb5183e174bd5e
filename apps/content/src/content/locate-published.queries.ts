import { AppError, type locatePublishedPages, type locatePublishedPath } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import { requireRequestBranch, revisions } from '../branches/index.js';
import { contentTree, type ContentObjects, type ContentTree } from '../objects/index.js';
import { findPage, pageAt, pathOf } from '../pages/index.js';
import { findHiddenPages, visibleTree } from '../visitors/index.js';
import { viewContent, type ContentPlace, type ViewScope } from './view.queries.js';

type Wanted = z.output<typeof locatePublishedPath.input>;
type Located = z.input<typeof locatePublishedPath.response>;

/** Earlier revisions in which a path is looked for, the newest first. */
const mostRevisions = 100;

/** What a path leads to in a space, as a visitor sees it. @throws AppError `not_found` for a change request or revision that is not there */
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
  const found = await pathIn(scope, objects, { tree, space }, path);
  const isMain = 'branch' in place && place.branch === space;
  const madeFrom = isMain && view.also.length === 0 ? { madeFrom: view.revision } : {};
  return { ...preview, ...request, ...(found === undefined ? {} : { path: found }), ...madeFrom };
}

type WantedPages = z.output<typeof locatePublishedPages.input>;

/** Where pages are in their spaces, as a visitor sees them. */
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
      return visibleTree(view.tree, await findHiddenPages(objects, view, reader));
    } catch (error) {
      if (error instanceof AppError && error.reason === 'not_found') return null;
      throw error;
    }
  };
  for (const { space, page } of places) {
    const tree = trees.get(space) ?? (reader.spaces.includes(space) ? await treeOf(space) : null);
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
  { store }: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { tree, space }: { tree: ContentTree; space: string },
  path: string,
): Promise<string | undefined> {
  if (path === '') return path;
  const present = await pageAt(tree, path);
  if (present !== undefined) return pathOf(tree, present);
  const earlier = store.read(revisions).find({ branch: space }).sort({ number: -1 }).limit(mostRevisions);
  for (const revision of await earlier.toArray()) {
    const former = await pageAt(contentTree(objects, tree.pool, revision.tree), path);
    const now = former === undefined ? undefined : await findPage(tree, former.id);
    if (now !== undefined) return pathOf(tree, now);
  }
  return undefined;
}
