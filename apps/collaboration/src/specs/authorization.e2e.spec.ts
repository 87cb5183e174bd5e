import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answersOf,
  createSpaceCallers,
  eventually,
  operationsOf,
  readAuthorizationTable,
  spaceCallers,
  type SpaceCallers,
} from '@scriptorium/testing';
import { startRig, type Person, type Rig } from '../test/rig.js';

/*
 * Who may do what, written from the contract documents, not from the code. `granted` and `teamed` are guests of the
 * organization: a space has granted `read` to the one and `create` to a team of the other. The operator is no member.
 * Comments and replies are those of somebody else, as are change requests.
 */
const table = `
  operation                                 anonymous stranger removed operator guest granted teamed read comment edit review create admin
  listCommentsInSpace                       401       404      404     404      404   200     200    200  200     200  200    200    200
  postCommentInSpace                        401       404      404     404      404   403     200    403  200     200  200    200    200
  getCommentInSpace                         401       404      404     404      404   200     200    200  200     200  200    200    200
  updateCommentInSpace                      401       404      404     404      404   403     200    403  200     200  200    200    200
  deleteCommentInSpace                      401       404      404     404      404   403     205    403  403     403  403    205    205
  listCommentRepliesInSpace                 401       404      404     404      404   200     200    200  200     200  200    200    200
  postCommentReplyInSpace                   401       404      404     404      404   403     200    403  200     200  200    200    200
  getCommentReplyInSpace                    401       404      404     404      404   200     200    200  200     200  200    200    200
  updateCommentReplyInSpace                 401       404      404     404      404   403     200    403  200     200  200    200    200
  deleteCommentReplyInSpace                 401       404      404     404      404   403     205    403  403     403  403    205    205
  listCommentersInSpace                     401       404      404     404      404   200     200    200  200     200  200    200    200
  listChangeRequestsForSpace                401       404      404     404      404   200     200    200  200     200  200    200    200
  listChangeRequestsForOrganization         401       404      404     404      200   200     200    200  200     200  200    200    200
  createChangeRequest                       401       404      404     404      404   403     201    403  403     201  201    201    201
  createChangeRequestForIssuesCluster       401       404      404     404      404   404     404    403  403     201  201    201    201
  getChangeRequestById                      401       404      404     404      404   200     200    200  200     200  200    200    200
  updateChangeRequestById                   401       404      404     404      404   403     200    403  403     403  200    200    200
  listContributorsInChangeRequest           401       404      404     404      404   200     200    200  200     200  200    200    200
  listReviewsInChangeRequest                401       404      404     404      404   200     200    200  200     200  200    200    200
  getReviewInChangeRequest                  401       404      404     404      404   200     200    200  200     200  200    200    200
  getRequestedReviewersInChangeRequest      401       404      404     404      404   200     200    200  200     200  200    200    200
  getChangeRequestUpdateStatus              401       404      404     404      404   200     200    200  200     200  200    200    200
  requestReviewersInChangeRequest           401       404      404     404      404   403     200    403  403     200  200    200    200
  removeRequestedReviewerFromChangeRequest  401       404      404     404      404   403     205    403  403     403  205    205    205
  removeRequestedTeamFromChangeRequest      401       404      404     404      404   403     205    403  403     403  205    205    205
  submitReviewInChangeRequest               401       404      404     404      404   403     201    403  403     403  201    201    201
  updateChangeRequest                       401       404      404     404      404   403     200    403  403     200  200    200    200
  mergeChangeRequest                        401       404      404     404      404   403     200    403  403     403  200    200    200
  listCommentsInChangeRequest               401       404      404     404      404   200     200    200  200     200  200    200    200
  postCommentInChangeRequest                401       404      404     404      404   403     200    403  200     200  200    200    200
  getCommentInChangeRequest                 401       404      404     404      404   200     200    200  200     200  200    200    200
  updateCommentInChangeRequest              401       404      404     404      404   403     200    403  200     200  200    200    200
  deleteCommentInChangeRequest              401       404      404     404      404   403     205    403  403     403  403    205    205
  listCommentRepliesInChangeRequest         401       404      404     404      404   200     200    200  200     200  200    200    200
  postCommentReplyInChangeRequest           401       404      404     404      404   403     200    403  200     200  200    200    200
  getCommentReplyInChangeRequest            401       404      404     404      404   200     200    200  200     200  200    200    200
  updateCommentReplyInChangeRequest         401       404      404     404      404   403     200    403  200     200  200    200    200
  deleteCommentReplyInChangeRequest         401       404      404     404      404   403     205    403  403     403  403    205    205
  listCommentersInChangeRequest             401       404      404     404      404   200     200    200  200     200  200    200    200
  listNotifications                         401       200      200     200      200   200     200    200  200     200  200    200    200
  markNotificationRead                      401       404      404     404      404   404     404    404  404     404  404    404    404
  markAllNotificationsRead                  401       204      204     204      204   204     204    204  204     204  204    204    204
  getNotificationSettings                   401       404      404     404      200   200     200    200  200     200  200    200    200
  updateNotificationSettings                401       404      404     404      200   200     200    200  200     200  200    200    200
  listCollaborationConsumers                401       403      403     200      403   403     403    403  403     403  403    403    403
  listCollaborationParkedEvents             401       403      403     200      403   403     403    403  403     403  403    403    403
  retryCollaborationParkedEvent             401       403      403     404      403   403     403    403  403     403  403    403    403
  rebuildCollaborationProjection            401       403      403     200      403   403     403    403  403     403  403    403    403
  listCollaborationTimers                   401       403      403     200      403   403     403    403  403     403  403    403    403
  listCollaborationRuns                     401       403      403     200      403   403     403    403  403     403  403    403    403
  cancelCollaborationRun                    401       403      403     404      403   403     403    403  403     403  403    403    403
`;

const rows = readAuthorizationTable(table, spaceCallers);

type Request = readonly [method: string, path: string, body?: object];
const says = { body: { markdown: 'Text.' } };
const reacts = { addedReactions: ['1f389'] };
interface Paths {
  space: string;
  request: string;
  comment: string;
  reply: string;
  /** The id of a review. */
  review: string;
  /** The id of a cluster of issues. */
  cluster: string;
  /** Those whose reviews are requested. */
  asked: { users: string[]; teams: string[] };
}
/** The requests about the comments of a place: from the path of the place, of a comment or of a reply. */
const commentRequests = (Place: string, place: 'space' | 'request'): Record<string, (paths: Paths) => Request> => ({
  [`listCommentsIn${Place}`]: (paths) => ['GET', `${paths[place]}/comments`],
  [`postCommentIn${Place}`]: (paths) => ['POST', `${paths[place]}/comments`, says],
  [`listCommentersIn${Place}`]: (paths) => ['GET', `${paths[place]}/commenters`],
  [`getCommentIn${Place}`]: ({ comment }) => ['GET', comment],
  [`updateCommentIn${Place}`]: ({ comment }) => ['PUT', comment, reacts],
  [`deleteCommentIn${Place}`]: ({ comment }) => ['DELETE', comment],
  [`listCommentRepliesIn${Place}`]: ({ comment }) => ['GET', `${comment}/replies`],
  [`postCommentReplyIn${Place}`]: ({ comment }) => ['POST', `${comment}/replies`, says],
  [`getCommentReplyIn${Place}`]: ({ reply }) => ['GET', reply],
  [`updateCommentReplyIn${Place}`]: ({ reply }) => ['PUT', reply, reacts],
  [`deleteCommentReplyIn${Place}`]: ({ reply }) => ['DELETE', reply],
});
const requests: Record<string, (paths: Paths & { org: string }) => Request> = {
  ...commentRequests('Space', 'space'),
  ...commentRequests('ChangeRequest', 'request'),
  listChangeRequestsForSpace: ({ space }) => ['GET', `${space}/change-requests`],
  listChangeRequestsForOrganization: ({ org }) => ['GET', `${org}/change-requests`],
  createChangeRequestForIssuesCluster: ({ org, cluster, space }) => [
    'POST',
    `${org}/conversations-clusters/${cluster}/change-requests`,
    { space: space.slice('/spaces/'.length) },
  ],
  createChangeRequest: ({ space }) => ['POST', `${space}/change-requests`],
  getChangeRequestById: ({ request }) => ['GET', request],
  listContributorsInChangeRequest: ({ request }) => ['GET', `${request}/contributors`],
  listReviewsInChangeRequest: ({ request }) => ['GET', `${request}/reviews`],
  getReviewInChangeRequest: ({ request, review }) => ['GET', `${request}/reviews/${review}`],
  getRequestedReviewersInChangeRequest: ({ request }) => ['GET', `${request}/requested-reviewers`],
  getChangeRequestUpdateStatus: ({ request }) => ['GET', `${request}/update`],
  requestReviewersInChangeRequest: ({ request, asked }) => ['POST', `${request}/requested-reviewers`, asked],
  removeRequestedReviewerFromChangeRequest: ({ request, asked }) => [
    'DELETE',
    `${request}/requested-reviewers/${asked.users.join()}`,
  ],
  removeRequestedTeamFromChangeRequest: ({ request, asked }) => [
    'DELETE',
    `${request}/requested-reviewers/teams/${asked.teams.join()}`,
  ],
  submitReviewInChangeRequest: ({ request }) => ['POST', `${request}/reviews`, { status: 'approved' }],
  updateChangeRequest: ({ request }) => ['POST', `${request}/update`],
  mergeChangeRequest: ({ request }) => ['POST', `${request}/merge`],
  updateChangeRequestById: ({ request }) => ['PATCH', request, { status: 'open' }],
  listNotifications: () => ['GET', '/user/notifications'],
  // Of somebody else, or of nobody.
  markNotificationRead: () => ['POST', '/user/notifications/x_y/read'],
  markAllNotificationsRead: () => ['POST', '/user/notifications/read'],
  getNotificationSettings: ({ org }) => ['GET', `${org}/notification-settings`],
  updateNotificationSettings: ({ org }) => ['PATCH', `${org}/notification-settings`, { email: 'off' }],
  listCollaborationConsumers: () => ['GET', '/operator/collaboration/consumers'],
  listCollaborationParkedEvents: () => ['GET', '/operator/collaboration/parked-events'],
  retryCollaborationParkedEvent: () => ['POST', '/operator/collaboration/parked-events/x/retry'],
  rebuildCollaborationProjection: () => ['POST', '/operator/collaboration/projections/comment_v2/rebuild'],
  listCollaborationTimers: () => ['GET', '/operator/collaboration/timers'],
  listCollaborationRuns: () => ['GET', '/operator/collaboration/runs'],
  cancelCollaborationRun: () => ['POST', '/operator/collaboration/runs/x/cancel'],
};

describe('authorization', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  /** A change request of the owner. */
  let request: string;
  let author: Person;
  let review: string;
  let cluster: string;
  let asked: Paths['asked'];
  let callers: SpaceCallers;

  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    space = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
    const made = await rig.send('POST', `${space}/change-requests`);
    request = `${space}/change-requests/${String(made.body['id'])}`;
    callers = await createSpaceCallers(rig);
    const grant = (body: object) => rig.send('POST', `${space}/permissions`, { body });
    await grant({ role: 'read', users: [callers.granted] });
    await grant({ role: 'create', teams: [callers.team] });
    author = await rig.member('Au Thor', 'comment');
    asked = { users: [author.id], teams: [callers.team] };
    const { token } = await rig.member('Re Viewer', 'review');
    const reviewed = await rig.send('POST', `${request}/reviews`, { token, body: { status: 'approved' } });
    review = String(reviewed.body['id']);
    const parts = [{ type: 'message', role: 'user', body: 'The PDF export fails' }];
    await rig.send('POST', `${org}/conversations`, { body: { id: 'c-1', parts } });
    const clusters = async () => (await rig.send('GET', `${org}/conversations-clusters`)).body.items;
    await eventually(async () => (await clusters()).length === 1, 30_000);
    cluster = String((await clusters())[0]?.['id']);
  }, 60_000);
  afterAll(() => rig.stop());

  const posted = async (path: string): Promise<string> => {
    const { body } = await rig.send('POST', path, { token: author.token, body: says });
    return `${path}/${String(body['id'])}`;
  };
  const refused = new Map<string, string>();
  /** A comment and a reply to it. Callers who are refused share them, others may delete theirs. */
  const commentFor = async (operation: string, place: string, isRefused: boolean) => {
    if (!operation.includes('Comment')) return { comment: '', reply: '' };
    const shared = isRefused ? refused.get(place) : undefined;
    const comment = shared ?? (await posted(`${place}/comments`));
    if (isRefused) refused.set(place, comment);
    const reply = operation.includes('Reply') ? await posted(`${comment}/replies`) : '';
    return { comment, reply };
  };
  const statusFor = async (operation: string, token: string | null, isRefused: boolean): Promise<number> => {
    const place = operation.includes('InChangeRequest') ? request : space;
    const { comment, reply } = await commentFor(operation, place, isRefused);
    if (operation.startsWith('removeRequested'))
      await rig.send('POST', `${request}/requested-reviewers`, { body: asked });
    const paths = { org, space, request, comment, reply, review, cluster, asked };
    const [method = '', path = '', body] = requests[operation]?.(paths) ?? [];
    return (await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) })).status;
  };

  it('has a row for every operation', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('collaboration'));
  });

  it.each(rows)(
    'of $operation',
    async (row) => {
      const answered = await answersOf(row, (caller, isRefused) =>
        statusFor(row.operation, callers.tokens[caller], isRefused),
      );
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
