import type { ServiceAccess } from '@scriptorium/access';
import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { findRequest } from '../change-requests/index.js';
import { accessToPart } from '../spaces/index.js';
import { requestedReviewers, requestKey } from './requested-reviewer.projection.js';
import { reviews } from './review.projection.js';

interface ReviewPath {
  spaceId?: string;
  changeRequestId?: string;
  reviewId?: string;
  userId?: string;
  teamId?: string;
}

/** How access to reviews, and to requests for them, is resolved: by the level on the space. */
export function reviewsAccess(access: ServiceAccess): AccessResolvers {
  return {
    recoverable_review: async (scope, principal, path: ReviewPath) => {
      const { reviewId = '' } = path;
      const { part, request } = await partOfRequest(scope, access, principal, { path, recoverable: true });
      const review = await scope.store.read(reviews).byId(reviewId);
      return { ...part, exists: request !== null && review?.changeRequest === request._id };
    },
    requested_reviewer: async (scope, principal, path: ReviewPath) => {
      const { userId, teamId = '' } = path;
      const { part, request } = await partOfRequest(scope, access, principal, { path, recoverable: false });
      const whose = userId === undefined ? { team: teamId } : { user: userId };
      const found = request && (await scope.store.read(requestedReviewers).byId(requestKey(request._id, whose)));
      return { ...part, exists: found !== null };
    },
  };
}

async function partOfRequest(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { path: { spaceId: id = '', changeRequestId = '' }, recoverable }: { path: ReviewPath; recoverable: boolean },
): Promise<{ part: ResourceAccess; request: Awaited<ReturnType<typeof findRequest>> }> {
  const [part, request] = await Promise.all([
    accessToPart(scope, access, principal, { id, recoverable }),
    findRequest(scope, id, changeRequestId),
  ]);
  return { part: { ...part, parentVisible: part.parentVisible && request !== null }, request };
}
