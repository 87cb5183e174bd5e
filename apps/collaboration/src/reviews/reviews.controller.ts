import { ServiceAccess } from '@scriptorium/access';
import {
  getReviewInChangeRequest,
  listReviewsInChangeRequest,
  submitReviewInChangeRequest,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call, type Scope } from '@scriptorium/platform';
import { requireRequest } from '../change-requests/index.js';
import { commentingChangeRequest, showTo, type NewText } from '../comments/index.js';
import { ContentPlaces } from '../spaces/index.js';
import { getReview, listReviews, type ShownReviews } from './reviews.queries.js';
import { reviewRequest } from './submit-review.process.js';

interface RequestPath {
  spaceId: string;
  changeRequestId: string;
}
type Format = InputOf<typeof getReviewInChangeRequest>['query'];

@Controller()
export class ReviewsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly places: ContentPlaces,
  ) {}

  @Handles(listReviewsInChangeRequest)
  async list({ params, query }: InputOf<typeof listReviewsInChangeRequest>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) =>
      listReviews(scope, await this.#shown(call, scope, params, query), { ...query, operation: call.operation }),
    );
  }

  @Handles(getReviewInChangeRequest)
  async get({ params, query }: InputOf<typeof getReviewInChangeRequest>, call: Call) {
    return call.cached({ of: [params, query] }, async (scope) =>
      getReview(scope, await this.#shown(call, scope, params, query), params.reviewId),
    );
  }

  @Handles(submitReviewInChangeRequest)
  async submit({ params, query, body }: InputOf<typeof submitReviewInChangeRequest>, call: Call) {
    const [place, doc] = await this.#find(call, call.principal, params);
    const { id, text } = await reviewRequest(call, place, doc, body);
    return readAfterCreate(call, async () =>
      getReview(call, await this.#shown(call, call, params, { ...query, text }), id),
    );
  }

  #find(scope: Scope, principal: Principal, params: RequestPath) {
    return Promise.all([
      commentingChangeRequest.find(scope, this.access, principal, params),
      requireRequest(scope, params.spaceId, params.changeRequestId),
    ]);
  }

  async #shown(
    call: Call,
    scope: Scope,
    params: RequestPath,
    more: Format & { text?: NewText | undefined },
  ): Promise<ShownReviews> {
    const [place, request] = await this.#find(scope, call.principal, params);
    return { request, showing: showTo(call, this.places, place, more) };
  }
}
