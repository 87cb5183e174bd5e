import { AppError, type ContentReference, type Principal } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { branches, type ContentObjects, findPage } from '../../../versions/index.js';
import { onSitesOf } from '../../../library/index.js';
import {
  conditionsOf,
  findHiddenPages,
  isPlain,
  readerOf,
  visibleTree,
  type Reader,
} from '../../page-visibility/index.js';
import { viewContent, type ContentPlace, type ContentView, type ViewScope } from './view.queries.js';

/**
 * The content of a revision as a caller sees it. Users see all of it.
 * @throws AppError `not_found` for a branch or revision that is not there, or is not opened to a visitor
 */
export async function viewAs(
  scope: ViewScope,
  objects: ContentObjects,
  { organization, principal, computed = true }: { organization: string; principal: Principal; computed?: boolean },
  place: ContentPlace,
): Promise<ContentView> {
  const view = await viewContent(scope, objects, organization, place, { computed });
  const reader = readerOf(principal);
  if (reader === undefined) return view;
  await requireOpened(scope, reader, place);
  return seenByReader(scope, objects, view, reader);
}

/** A content without what a visitor is not shown. That it is opened to them was judged. */
export async function seenByReader(
  scope: ViewScope,
  objects: ContentObjects,
  view: ContentView,
  reader: Reader,
): Promise<ContentView> {
  const hidden = new Set([
    ...(await findHiddenPages(objects, view, reader)),
    ...(await leadingNowhere(scope, objects, view, reader)),
  ]);
  const isPublic = await isOpenTo(scope, reader, view);
  if (isPublic) view.also.push('public');
  return { ...view, reader, hidden, tree: visibleTree(view.tree, hidden), ...(isPublic ? { isPublic } : {}) };
}

/** Whether a reader without claims sees what everybody does who reads a published site. */
async function isOpenTo(
  scope: Pick<Scope, 'store'>,
  reader: Reader,
  { space, organization }: ContentView,
): Promise<boolean> {
  if (reader.preview !== undefined || !isPlain(reader)) return false;
  return (await onSitesOf(scope, [space]))(space, organization)?.isOpen === true;
}

/** A preview opens one change request or one revision; other tokens open the main content as it is now. */
async function requireOpened(scope: Pick<Scope, 'store'>, reader: Reader, place: ContentPlace): Promise<void> {
  const { preview } = reader;
  const isOpened =
    'revision' in place
      ? place.revision === (await openedRevision(scope, reader, place.space))
      : place.branch === (preview === undefined ? place.space : 'changeRequest' in preview && preview.changeRequest);
  if (!isOpened) throw new AppError('not_found');
}

/** The revision of the main content of a space that is opened to a visitor; `null` if none is. */
export async function openedRevision(
  { store }: Pick<Scope, 'store'>,
  { preview }: Reader,
  space: string,
): Promise<string | null> {
  if (preview !== undefined) return 'revision' in preview ? preview.revision : null;
  return (await store.read(branches).byId(space))?.head?.revision ?? null;
}

/** Entries of the navigation that lead to other spaces, where this reader finds nothing. */
async function leadingNowhere(
  scope: ViewScope,
  objects: ContentObjects,
  view: ContentView,
  reader: Reader,
): Promise<string[]> {
  const { leadingOut } = await conditionsOf(objects, view);
  const nowhere: string[] = [];
  for (const { id, target } of leadingOut) {
    const isThere = await leadsSomewhere(scope, objects, view, reader, target);
    view.also.push([id, isThere]);
    if (!isThere) nowhere.push(id);
  }
  return nowhere;
}

async function leadsSomewhere(
  scope: ViewScope,
  objects: ContentObjects,
  view: ContentView,
  reader: Reader,
  target: ContentReference,
): Promise<boolean> {
  const { organization, space: own } = view;
  const space = 'space' in target ? target.space : undefined;
  if (space === undefined) return false;
  if (space !== own && (reader.preview !== undefined || !reader.spaces.includes(space))) return false;
  const page = target.kind === 'page' || target.kind === 'anchor' ? target.page : undefined;
  if (page === undefined) return true;
  if (space === own) return !(await findHiddenPages(objects, view, reader)).has(page);
  const head = (await scope.store.read(branches).byId(space))?.head;
  if (head == null) return false;
  const other = await viewContent(scope, objects, organization, { space, branch: space });
  const hidden = await findHiddenPages(objects, other, reader);
  return !hidden.has(page) && (await findPage(other.tree, page)) !== undefined;
}
