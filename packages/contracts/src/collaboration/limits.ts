import type { LimitDeclaration } from '../kernel/limits.js';

/** What can grow in collaboration. */
export const collaborationLimits = {
  commentsPerSpace: {
    preset: 50_000,
    of: 'comments of a space, with those of its change requests and without replies',
    most: 500_000,
  },
  changeRequestsPerSpace: { preset: 100_000, of: 'change requests of a space, whatever their status', most: 1_000_000 },
  openChangeRequestsPerSpace: { preset: 5_000, of: 'drafts and open change requests of a space', most: 100_000 },
  repliesPerComment: { preset: 1_000, of: 'replies to a comment', most: 5_000 },
  reactionsPerComment: {
    preset: 2_000,
    of: 'reactions to a comment and its replies, each emoji of each person counted',
    most: 10_000,
  },
  reviewsPerChangeRequest: { preset: 1_000, of: 'reviews of a change request', most: 5_000 },
  requestedReviewersPerChangeRequest: {
    preset: 100,
    of: 'people and teams together who are asked to review a change request',
    most: 500,
  },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
