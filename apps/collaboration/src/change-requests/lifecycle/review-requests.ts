import { AppError, limitReached } from '@scriptorium/contracts';
import { keyedGet } from '@scriptorium/event-sourcing';
import type { ChangeRequestEvent } from '../change-request.events.js';
import { requirePresent, type ChangeRequest, type Editor, type LatestReview } from './change-request.js';

/** People in their present stay in the organization, and teams. */
export interface Asked {
  users: readonly { user: string; membership: string }[];
  teams: readonly string[];
}

/** Requests reviews of those who are not asked yet. A draft is open then. @throws AppError `limit_reached` */
export function requestReviewers(
  state: ChangeRequest,
  { asked, revision, limit }: { asked: Asked; revision: string; limit: number },
): ChangeRequestEvent[] {
  const { space, status, requested } = requirePresent(state);
  const users = asked.users.filter(
    ({ user, membership }) => keyedGet(requested.users, user)?.membership !== membership,
  );
  const teams = asked.teams.filter((team) => keyedGet(requested.teams, team) === undefined);
  const isNew = users.filter(({ user }) => keyedGet(requested.users, user) === undefined).length + teams.length;
  if (isNew > 0 && requested.users.size + requested.teams.size + isNew > limit)
    throw limitReached('requestedReviewersPerChangeRequest', limit);
  return [
    ...(users.length + teams.length === 0
      ? []
      : [{ type: 'ReviewersRequested' as const, data: { space, revision, users, teams } }]),
    ...(status === 'draft' ? [{ type: 'ChangeRequestOpened' as const, data: { space } }] : []),
  ];
}

/**
 * Withdraws a request. Returns no event when there is none.
 * @throws AppError `forbidden` for others than its requester, the author, the person who is asked and those who may
 * review
 */
export function withdrawRequest(
  state: ChangeRequest,
  whose: { user: string } | { team: string },
  { user: by, mayReview }: Editor,
): ChangeRequestEvent[] {
  const { space, author, requested } = requirePresent(state);
  const isUser = 'user' in whose;
  const found = isUser ? keyedGet(requested.users, whose.user) : keyedGet(requested.teams, whose.team);
  if (found === undefined) return [];
  if (!mayReview && ![found.by, author, isUser ? whose.user : author].includes(by))
    throw new AppError('forbidden', [], {
      message: 'Only who requested it, who is asked, the author and those who may review can withdraw it',
    });
  const data = isUser ? { space, user: whose.user, team: null } : { space, user: null, team: whose.team };
  return [{ type: 'ReviewRequestWithdrawn', data }];
}

/** Whoever reviews: their present stay in the organization, and their teams. */
export interface Reviewer extends Editor {
  membership: string;
  teams: readonly string[];
}

export type NewReview = Pick<
  Extract<ChangeRequestEvent, { type: 'ReviewSubmitted' }>['data'],
  'review' | 'status' | 'revision' | 'comment'
>;

/**
 * Reviews a change request. Those who may review can, and whoever is asked to; who was asked and has reviewed can
 * review later revisions, too.
 * @throws AppError `forbidden`, also for its author; `limit_reached`
 */
export function submitReview(
  state: ChangeRequest,
  { user, mayReview, membership, teams }: Reviewer,
  { limit, ...review }: NewReview & { limit: number },
): ChangeRequestEvent[] {
  const { space, author, requested, reviewed, reviews } = requirePresent(state);
  if (author === user) throw new AppError('forbidden', [], { message: 'Nobody reviews their own change request' });
  const own = keyedGet(requested.users, user);
  const asked = own?.membership === membership ? own : undefined;
  const met = teams.filter((team) => keyedGet(requested.teams, team) !== undefined);
  const isAgain = isOutdatedOf(keyedGet(reviews, user), { revision: review.revision, membership, teams });
  if (!mayReview && asked === undefined && met.length === 0 && !isAgain)
    throw new AppError('forbidden', [], { message: 'Only those who may review and those who are asked to can review' });
  if (reviewed >= limit) throw limitReached('reviewsPerChangeRequest', limit);
  const requestedBy = asked?.by ?? keyedGet(requested.teams, met[0] ?? '')?.by ?? null;
  return [{ type: 'ReviewSubmitted', data: { space, ...review, requestedBy, teams: met } }];
}

/**
 * Whether somebody has reviewed an earlier revision because they were asked to, in their present stay or for a team
 * that they are in.
 */
function isOutdatedOf(
  latest: LatestReview | undefined,
  { revision, membership, teams }: Pick<Reviewer, 'membership' | 'teams'> & Pick<NewReview, 'revision'>,
): boolean {
  if (latest?.met === undefined || latest.revision === revision) return false;
  return latest.met.some((one) => ('team' in one ? teams.includes(one.team) : one.membership === membership));
}
