import { knownTeams, ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { reviewsAccess } from './access.js';
import { requestedReviewers } from './requested-reviewer.projection.js';
import { RequestedReviewersController } from './requested-reviewers.controller.js';
import { commentedReviewsReactor, reviewCommentCommand, reviewCommentTimer } from './review-comment.timer.js';
import { reviews as reviewDocs } from './review.projection.js';
import { ReviewsController } from './reviews.controller.js';

/** Reviews of change requests, and requests for them. */
export const reviews = defineDomain({
  name: 'reviews',
  controllers: [ReviewsController, RequestedReviewersController],
  projections: [knownTeams, requestedReviewers, reviewDocs],
  reactors: () => [commentedReviewsReactor],
  timers: () => ({ [reviewCommentCommand]: reviewCommentTimer }),
  resolvers: ({ use }) => reviewsAccess(use(ServiceAccess)),
});
