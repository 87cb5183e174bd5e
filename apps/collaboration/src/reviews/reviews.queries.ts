import { AppError, referTo, type Comment, type Review } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { NumberedRequest } from '../change-requests/index.js';
import { findCommentsById, type Showing } from '../comments/index.js';
import { reviews, type ReviewDocument } from './review.projection.js';

/** What reviews of a change request are shown with. */
export interface ShownReviews {
  request: NumberedRequest;
  showing: Showing;
}

/** @throws AppError `not_found` */
export async function getReview(scope: Scope, shown: ShownReviews, id: string): Promise<Review> {
  const doc = await scope.store.read(reviews).byId(id);
  if (doc?.changeRequest !== shown.request._id) throw new AppError('not_found');
  const [review] = await renderReviews(scope, shown, [doc]);
  if (review === undefined) throw new AppError('not_found');
  return review;
}

/** The reviews of a change request, the oldest first. */
export async function listReviews(
  scope: Scope,
  shown: ShownReviews,
  filter: PageRequest & { operation: string; outdated?: boolean | undefined },
): Promise<Page<Review>> {
  const { _id: changeRequest, revision } = shown.request;
  const { operation, outdated } = filter;
  const head = revision ?? '';
  const page = await findPage(scope.cursors, {
    model: scope.store.read(reviews),
    filter: {
      changeRequest,
      ...(outdated === undefined ? {} : { revision: outdated ? { $ne: head } : head }),
    },
    sort: 'createdAt',
    binding: { operation, scope: { changeRequest, outdated }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: await renderReviews(scope, shown, page.items) };
}

async function renderReviews(
  scope: Scope,
  { request, showing }: ShownReviews,
  docs: readonly Stored<ReviewDocument>[],
): Promise<Review[]> {
  const comments = await findCommentsById(
    scope,
    showing,
    docs.flatMap(({ comment }) => comment ?? []),
  );
  const location = (id: string): string => `${scope.urls.api}${showing.place.path}/reviews/${id}`;
  return docs.map((doc) =>
    renderReview(doc, {
      outdated: doc.revision !== request.revision,
      comment: comments.get(doc.comment ?? ''),
      location: location(doc._id),
    }),
  );
}

function renderReview(
  { _id: id, status, revision, reviewer, requestedBy, createdAt }: Stored<ReviewDocument>,
  { outdated, comment, location }: { outdated: boolean; comment: Comment | undefined; location: string },
): Review {
  return {
    object: 'change-request-review',
    id,
    status,
    revision,
    outdated,
    reviewer: referTo('user', reviewer),
    ...(requestedBy === null ? {} : { requestedBy: referTo('user', requestedBy) }),
    ...(comment === undefined ? {} : { comment }),
    createdAt,
    updatedAt: createdAt,
    urls: { location },
  };
}
