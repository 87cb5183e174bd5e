import { nodeAccess } from '@scriptorium/access';
import { changeRequestEventSchemas } from '@scriptorium/contracts';
import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive } from '@scriptorium/platform';
import * as z from 'zod';
import { changeRequestEvents } from '../change-requests/index.js';
import { postReviewComment } from './submit-review.process.js';

/** The command of the timers that post comments of reviews whose request broke off. */
export const reviewCommentCommand = 'post_review_comment';

/** Longer than any request that reviews takes, ms. */
const afterMs = 60_000;

const Due = z.object({ request: z.string(), reviewer: z.string(), review: changeRequestEventSchemas.ReviewSubmitted });

/** A review with a comment is looked after: when its request broke off, a timer posts the comment. */
export const commentedReviewsReactor: Reactor = reactor({
  name: 'comments_of_reviews',
  entities: ['request'],
  events: [changeRequestEvents.pick('ReviewSubmitted')],
  react: async ({ data: review, entityId: request, meta: { actor, time } }, store) => {
    if (review.comment === null) return;
    const data: z.input<typeof Due> = { request, reviewer: actor.id, review };
    const id = `${reviewCommentCommand}:${review.review}`;
    await store.schedule({ id, at: Date.parse(time) + afterMs, command: reviewCommentCommand, data });
  },
});

export const reviewCommentTimer: TimerHandler = async ({ data }, store) => {
  const { request, reviewer, review } = Due.parse(data);
  requireLive(store, [nodeAccess]);
  const node = await store.read(nodeAccess).byId(review.space);
  // Nothing is written about a space that is purged.
  if (node === null) return;
  const by = store.as({ kind: 'user', id: reviewer }).within({ space: review.space, changeRequest: request });
  await postReviewComment(by, request, review);
};
