import { teamSeats } from '@scriptorium/access';
import { roleAtLeast, type InputOf, type submitReviewInChangeRequest } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Call } from '@scriptorium/platform';
import {
  changeRequest,
  requestState,
  submitReview,
  type NumberedRequest,
  type Reviewer,
  type ChangeRequestEvent,
} from '../change-requests/index.js';
import {
  comment,
  post,
  readBody,
  storeBody,
  withinCommentQuota,
  type CommentPlace,
  type NewText,
} from '../comments/index.js';

type Wanted = InputOf<typeof submitReviewInChangeRequest>['body'];
type Submitted = Extract<ChangeRequestEvent, { type: 'ReviewSubmitted' }>['data'];

/**
 * Reviews a change request; then posts the comment that comes with it. If this breaks off in between, a timer posts the
 * comment. Resolves to the review, and to the text of its comment.
 * @throws AppError `forbidden`, `invalid_request` and `too_large` naming the field, `limit_reached`
 */
export async function reviewRequest(
  call: Call,
  place: CommentPlace,
  doc: NumberedRequest,
  wanted: Wanted,
): Promise<{ id: string; text: NewText | undefined }> {
  const [id, commentId] = [call.idFor('review'), call.idFor('comment')];
  const reviewer = await reviewerOf(call, place);
  const text = wanted.comment === undefined ? undefined : await readBody(call, wanted.comment, 'body.comment');
  const here = call.store.within({ space: doc.space, changeRequest: doc._id });
  const review = {
    review: id,
    status: wanted.status,
    revision: doc.revision ?? '',
    comment: text === undefined ? null : { comment: commentId, ...text.written },
    limit: call.limits.reviewsPerChangeRequest,
  };
  const submit = async (): Promise<void> => {
    // Refuse before anything is stored. A review that was submitted before is not judged again: its request is met.
    const { state, repeated } = await requestState(call, doc._id);
    if (!repeated) submitReview(state, reviewer, review);
    if (text !== undefined) await storeBody(call, { space: doc.space, owner: commentId }, text);
    const { events } = await here.handle(changeRequest, doc._id, (now) => submitReview(now, reviewer, review));
    const submitted = events.find((event) => event.type === 'ReviewSubmitted');
    if (submitted !== undefined) await postReviewComment(here, doc._id, submitted.data);
  };
  await (text === undefined ? submit() : withinCommentQuota(call, doc.space, commentId, submit));
  return { id, text };
}

/** Posts the comment of a review, unless it was posted before. */
export async function postReviewComment(
  store: Pick<StoreScope, 'handle'>,
  request: string,
  { space, review, revision, comment: written }: Submitted,
): Promise<void> {
  if (written === null) return;
  const { comment: id, ...text } = written;
  const target = { space, changeRequest: request, review, page: null, node: null, tableCell: null, revision };
  await store.handle(comment, id, (state) => (state.status === 'absent' ? post(state, { ...target, ...text }) : []));
}

async function reviewerOf({ store, principal }: Call, { space }: CommentPlace): Promise<Reviewer> {
  const { organization, membership } = space.place;
  const seats = await store.read(teamSeats).find({ organization, user: principal.id }).toArray();
  const teams = seats.filter((seat) => seat.membership === membership).map(({ team }) => team);
  return { user: principal.id, membership, teams, mayReview: roleAtLeast(space.level, 'review') };
}
