import { invalid } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { CommentTarget } from '../comment.events.js';
import { branchHeads, type ContentPlaces } from '../../spaces/index.js';
import { idOfPlace, type CommentPlace } from './comment-place.js';

interface GivenTarget {
  page?: string | undefined;
  node?: string | undefined;
  tableCell?: { record: string; definition: string } | undefined;
}

/**
 * What a new comment is about.
 * @throws AppError `invalid_request` naming `body.page` where it is missing, and `body.target` for what is not in the
 * newest revision; `unavailable` when content does not answer
 */
export async function resolveTarget(
  call: Call,
  places: ContentPlaces,
  place: CommentPlace,
  { page, node, tableCell }: GivenTarget,
): Promise<CommentTarget> {
  const { space, changeRequest } = place;
  const branch = { space: space.id, branch: idOfPlace(place) };
  const target = {
    space: space.id,
    changeRequest,
    review: null,
    page: page ?? null,
    node: node ?? null,
    tableCell: tableCell ?? null,
  };
  if (page === undefined) {
    if (node !== undefined || tableCell !== undefined)
      throw invalid('body.page', 'Must name the page of the node or table cell');
    const head = await call.store.read(branchHeads).byId(branch.branch);
    return { ...target, revision: head?.revision ?? null };
  }
  const { revision, isThere } = await places.find(call, branch, { page, node, tableCell });
  if (!isThere) throw invalid('body.target', 'Does not exist in the newest revision');
  return { ...target, revision };
}
