import * as z from 'zod';
import { Id, Location, Timestamp, listOf, paging } from '../kernel/common.js';
import { embed } from '../kernel/embed.js';
import { Team } from '../identity/people/teams.js';
import { User } from '../identity/people/users.js';
import { operation } from '../kernel/operation.js';
import { DocumentFormat } from '../kernel/rich-document.js';
import { changeRequestParams, changeRequestPath, Subject } from './change-requests.js';
import { Comment, CommentBodyInput, DescriptionInput } from './comment.js';
import { collaborationBounds } from './bounds.js';

const base = { service: 'collaboration', tag: 'Change requests' } as const;
const params = z.object(changeRequestParams);
const person = embed('user', User);
const reading = { scope: 'space:read', view: ['read'], allow: ['read'] } as const;
const ofRequest = { ...reading, resource: 'recoverable_change_request' } as const;
const formatQuery = {
  format: DocumentFormat.optional().meta({ description: 'The form of the comment: `markdown` unless given.' }),
};

export const ReviewStatus = z.enum(['approved', 'changes-requested']).meta({ id: 'ReviewStatus' });

export const Review = z
  .object({
    object: z.literal('change-request-review'),
    id: Id,
    status: ReviewStatus,
    revision: Id.meta({ description: 'The newest revision of the change request when it was reviewed.' }),
    outdated: z.boolean().meta({ description: 'Whether the change request has another revision since.' }),
    reviewer: person,
    requestedBy: person.optional().meta({ description: 'Who had asked for it.' }),
    comment: Comment.optional().meta({ description: 'A comment of the change request that was posted with it.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Location,
  })
  .meta({ id: 'Review' });
export type Review = z.input<typeof Review>;

const requested = {
  object: z.literal('change-request-requested-reviewer'),
  revision: Id.meta({ description: 'The newest revision of the change request when the review was requested.' }),
  requestedBy: person,
  createdAt: Timestamp,
};
const RequestedUser = z
  .object({
    ...requested,
    kind: z.literal('user'),
    user: person,
    team: embed('team', Team).optional().meta({ description: 'The requested team that the person is in.' }),
  })
  .meta({ id: 'RequestedUser' });
const RequestedTeam = z
  .object({ ...requested, kind: z.literal('team'), team: embed('team', Team) })
  .meta({ id: 'RequestedTeam' });

/** Somebody whose review is requested: a person, or a team of which anybody can review. */
export const RequestedReviewer = z
  .discriminatedUnion('kind', [RequestedUser, RequestedTeam])
  .meta({ id: 'RequestedReviewer' });
export type RequestedReviewer = z.input<typeof RequestedReviewer>;

/** Everybody who is asked at present. */
const allRequested = {
  users: z.array(RequestedUser).meta({ description: 'All people, those of requested teams included.' }),
  teams: z.array(RequestedTeam).meta({ description: 'All requested teams.' }),
};

export const listReviewsInChangeRequest = operation({
  ...base,
  id: 'listReviewsInChangeRequest',
  method: 'GET',
  path: `${changeRequestPath}/reviews`,
  summary: 'List the reviews of a change request, the oldest first',
  access: ofRequest,
  params,
  query: z.object({
    ...paging,
    ...formatQuery,
    outdated: z.boolean().optional().meta({ description: 'Only those that are outdated, or that are not.' }),
  }),
  response: listOf(Review),
});

export const submitReviewInChangeRequest = operation({
  ...base,
  id: 'submitReviewInChangeRequest',
  method: 'POST',
  path: `${changeRequestPath}/reviews`,
  summary: 'Review a change request of somebody else: those who may review, and whoever was asked to',
  access: { scope: 'space:write', resource: 'change_request', view: ['read'], allow: ['comment'] },
  params,
  query: z.object(formatQuery),
  body: z.object({ status: ReviewStatus, comment: CommentBodyInput.optional() }),
  response: Review,
  status: 201,
  reasons: ['limit_reached'],
});

export const getReviewInChangeRequest = operation({
  ...base,
  id: 'getReviewInChangeRequest',
  method: 'GET',
  path: `${changeRequestPath}/reviews/{reviewId}`,
  summary: 'Get a review of a change request',
  access: { ...reading, resource: 'recoverable_review' },
  params: z.object({ ...changeRequestParams, reviewId: Id }),
  query: z.object(formatQuery),
  response: Review,
});

export const getRequestedReviewersInChangeRequest = operation({
  ...base,
  id: 'getRequestedReviewersInChangeRequest',
  method: 'GET',
  path: `${changeRequestPath}/requested-reviewers`,
  summary: 'List the requests for reviews, the oldest first, and all people and teams that are asked',
  access: ofRequest,
  params,
  query: z.object(paging),
  response: listOf(RequestedReviewer).extend(allRequested),
});

const ids = z.array(Id).max(collaborationBounds.requestedReviewers);

export const requestReviewersInChangeRequest = operation({
  ...base,
  id: 'requestReviewersInChangeRequest',
  method: 'POST',
  path: `${changeRequestPath}/requested-reviewers`,
  summary: 'Request reviews of people and teams. A draft is open then',
  access: { scope: 'space:write', resource: 'change_request', view: ['read'], allow: ['edit'] },
  params,
  body: z
    .object({
      users: ids.optional(),
      teams: ids.optional(),
      subject: Subject.optional(),
      description: DescriptionInput.optional(),
    })
    .refine(({ users = [], teams = [] }) => users.length + teams.length > 0, {
      message: 'Must name a user or a team',
      path: ['users'],
    }),
  response: z.object(allRequested),
  reasons: ['limit_reached', 'conflict'],
});

const withdrawing = { scope: 'space:write', view: ['read'], allow: ['read'] } as const;

export const removeRequestedReviewerFromChangeRequest = operation({
  ...base,
  id: 'removeRequestedReviewerFromChangeRequest',
  method: 'DELETE',
  path: `${changeRequestPath}/requested-reviewers/{userId}`,
  summary: 'Withdraw the request for a review of a person',
  access: { ...withdrawing, resource: 'requested_reviewer' },
  params: z.object({ ...changeRequestParams, userId: Id }),
});

export const removeRequestedTeamFromChangeRequest = operation({
  ...base,
  id: 'removeRequestedTeamFromChangeRequest',
  method: 'DELETE',
  path: `${changeRequestPath}/requested-reviewers/teams/{teamId}`,
  summary: 'Withdraw the request for a review of a team',
  access: { ...withdrawing, resource: 'requested_reviewer' },
  params: z.object({ ...changeRequestParams, teamId: Id }),
});
