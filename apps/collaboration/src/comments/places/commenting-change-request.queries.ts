import { AppError, changeRequestComments } from '@scriptorium/contracts';
import { requireRequest } from '../../change-requests/index.js';
import { requireSpace } from '../../spaces/index.js';
import type { CommentingPlace } from './commenting-place.queries.js';

/** Change requests as places with comments. */
export const commentingChangeRequest: CommentingPlace = {
  operations: changeRequestComments,
  async find(scope, access, principal, { spaceId, changeRequestId }) {
    if (changeRequestId === undefined) throw new AppError('not_found');
    const [space, { _id: id }] = await Promise.all([
      requireSpace(scope, access, principal, spaceId),
      requireRequest(scope, spaceId, changeRequestId),
    ]);
    return { space, changeRequest: id, path: `/spaces/${spaceId}/change-requests/${id}` };
  },
};
