import { ServiceAccess } from '@scriptorium/access';
import {
  getRequestedReviewersInChangeRequest,
  removeRequestedReviewerFromChangeRequest,
  removeRequestedTeamFromChangeRequest,
  requestReviewersInChangeRequest,
  roleAtLeast,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { changeRequest, requireRequest, withdrawRequest } from '../change-requests/index.js';
import { requireSpace } from '../spaces/index.js';
import { requestReviews } from './request-reviewers.process.js';
import { allRequestedReviewers, listRequestedReviewers } from './requested-reviewers.queries.js';

@Controller()
export class RequestedReviewersController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(getRequestedReviewersInChangeRequest)
  async list({ params, query }: InputOf<typeof getRequestedReviewersInChangeRequest>, call: Call) {
    const { spaceId, changeRequestId } = params;
    return call.cached({ of: [params, query] }, async (scope) => {
      const { _id: id } = await requireRequest(scope, spaceId, changeRequestId);
      const [page, all] = await Promise.all([
        listRequestedReviewers(scope, id, { ...query, operation: call.operation }),
        allRequestedReviewers(scope, id),
      ]);
      return { ...page, ...all };
    });
  }

  @Handles(requestReviewersInChangeRequest)
  async request({ params, body }: InputOf<typeof requestReviewersInChangeRequest>, call: Call) {
    const { spaceId, changeRequestId } = params;
    const space = await requireSpace(call, this.access, call.principal, spaceId);
    const doc = await requireRequest(call, spaceId, changeRequestId);
    await requestReviews(call, this.access, space, doc, body);
    return allRequestedReviewers(call, doc._id);
  }

  @Handles(removeRequestedReviewerFromChangeRequest)
  async removeUser({ params }: InputOf<typeof removeRequestedReviewerFromChangeRequest>, call: Call) {
    return this.#withdraw(call, params, { user: params.userId });
  }

  @Handles(removeRequestedTeamFromChangeRequest)
  async removeTeam({ params }: InputOf<typeof removeRequestedTeamFromChangeRequest>, call: Call) {
    return this.#withdraw(call, params, { team: params.teamId });
  }

  async #withdraw(
    call: Call,
    { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
    whose: { user: string } | { team: string },
  ): Promise<boolean> {
    const { level } = await requireSpace(call, this.access, call.principal, spaceId);
    const { _id: id } = await requireRequest(call, spaceId, changeRequestId);
    const editor = { user: call.principal.id, mayReview: roleAtLeast(level, 'review') };
    const { events } = await call.store
      .within({ space: spaceId, changeRequest: id })
      .handle(changeRequest, id, (state) => withdrawRequest(state, whose, editor));
    return events.length > 0;
  }
}
