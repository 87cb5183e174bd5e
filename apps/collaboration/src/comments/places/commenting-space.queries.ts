import { spaceComments } from '@scriptorium/contracts';
import { requireSpace } from '../../spaces/index.js';
import type { CommentingPlace } from './commenting-place.queries.js';

/** The main content of spaces as a place with comments. */
export const commentingSpace: CommentingPlace = {
  operations: spaceComments,
  async find(scope, access, principal, { spaceId }) {
    const space = await requireSpace(scope, access, principal, spaceId);
    return { space, changeRequest: null, path: `/spaces/${spaceId}` };
  },
};
