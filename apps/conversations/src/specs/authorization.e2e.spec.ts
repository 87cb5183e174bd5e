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
import { said } from '../test/conversation-rig.js';
import { get, startRig, type Rig } from '../test/rig.js';

/*
 * Who may do what, written from the contract documents, not from the code. `granted` and `teamed` are guests here. The
 * operator is no member.
 */
const table = `
  operation                          anonymous stranger removed operator guest granted teamed read comment edit review create admin
  ingestConversation                 401       404      404     404      403   403     403    403  403     403  403    403    204
  listConversations                  401       404      404     404      403   403     403    200  200     200  200    200    200
  getConversationById                401       404      404     404      404   404     404    200  200     200  200    200    200
  deleteConversationById             401       204      204     204      204   204     204    403  403     403  403    403    205
  listConversationsIssues            401       404      404     404      403   403     403    200  200     200  200    200    200
  getConversationIssueById           401       404      404     404      404   404     404    200  200     200  200    200    200
  listConversationsIssuesClusters    401       404      404     404      403   403     403    200  200     200  200    200    200
  getConversationsIssuesClusterById  401       404      404     404      404   404     404    200  200     200  200    200    200
  listIssuesInConversationsCluster   401       404      404     404      404   404     404    200  200     200  200    200    200
  updateConversationsIssuesCluster   401       404      404     404      404   404     404    403  403     403  403    200    200
  moveIssuesToConversationsCluster   401       404      404     404      404   404     404    403  403     403  403    200    200
  listConversationsConsumers         401       403      403     200      403   403     403    403  403     403  403    403    403
  listConversationsParkedEvents      401       403      403     200      403   403     403    403  403     403  403    403    403
  retryConversationsParkedEvent      401       403      403     404      403   403     403    403  403     403  403    403    403
  rebuildConversationsProjection     401       403      403     200      403   403     403    403  403     403  403    403    403
  listConversationsTimers            401       403      403     200      403   403     403    403  403     403  403    403    403
  listConversationsRuns              401       403      403     200      403   403     403    403  403     403  403    403    403
  cancelConversationsRun             401       403      403     404      403   403     403    403  403     403  403    403    403
`;

const rows = readAuthorizationTable(table, spaceCallers);

type Request = readonly [method: string, path: string, body?: object];
const operator = '/operator/conversations';
interface Ids {
  org: string;
  conversation: string;
  issue: string;
  cluster: string;
}
const requests: Record<string, (ids: Ids) => Request> = {
  ingestConversation: ({ org }) => ['POST', `${org}/conversations`, said('other', 'Hello')],
  listConversations: ({ org }) => ['GET', `${org}/conversations`],
  getConversationById: ({ org, conversation }) => ['GET', `${org}/conversations/${conversation}`],
  deleteConversationById: ({ org, conversation }) => ['DELETE', `${org}/conversations/${conversation}`],
  listConversationsIssues: ({ org }) => ['GET', `${org}/conversations-issues`],
  getConversationIssueById: ({ org, issue }) => ['GET', `${org}/conversations-issues/${issue}`],
  listConversationsIssuesClusters: ({ org }) => ['GET', `${org}/conversations-clusters`],
  getConversationsIssuesClusterById: ({ org, cluster }) => ['GET', `${org}/conversations-clusters/${cluster}`],
  listIssuesInConversationsCluster: ({ org, cluster }) => ['GET', `${org}/conversations-clusters/${cluster}/issues`],
  updateConversationsIssuesCluster: ({ org, cluster }) => [
    'PATCH',
    `${org}/conversations-clusters/${cluster}`,
    { label: 'Cards' },
  ],
  moveIssuesToConversationsCluster: ({ org, cluster, issue }) => [
    'POST',
    `${org}/conversations-clusters/${cluster}/issues`,
    { issues: [issue] },
  ],
  listConversationsConsumers: () => ['GET', `${operator}/consumers`],
  listConversationsParkedEvents: () => ['GET', `${operator}/parked-events`],
  retryConversationsParkedEvent: () => ['POST', `${operator}/parked-events/x/retry`],
  rebuildConversationsProjection: () => ['POST', `${operator}/projections/conversation_v1/rebuild`],
  listConversationsTimers: () => ['GET', `${operator}/timers`],
  listConversationsRuns: () => ['GET', `${operator}/runs`],
  cancelConversationsRun: () => ['POST', `${operator}/runs/x/cancel`],
};

describe('authorization', () => {
  let rig: Rig;
  let callers: SpaceCallers;
  let ids: Ids;

  beforeAll(async () => {
    rig = await startRig();
    const org = `/orgs/${rig.organization}`;
    callers = await createSpaceCallers(rig);
    await rig.send('POST', `${org}/conversations`, { body: [said('one', 'Where is my card?'), said('two', 'Hello')] });
    const listed = async (path: string) => (await rig.send('GET', `${org}/${path}`)).body.items;
    await eventually(async () => (await listed('conversations-issues')).length === 1);
    const [found] = await listed('conversations-issues');
    const [conversation] = await listed('conversations?externalId=two');
    ids = {
      org,
      conversation: String(conversation?.['id']),
      issue: String(get(found, 'issue.id')),
      cluster: String(get(found, 'issue.cluster')),
    };
  }, 60_000);
  afterAll(() => rig.stop());

  const statusFor = async (operation: string, token: string | null): Promise<number> => {
    const [method = '', path = '', body] = requests[operation]?.(ids) ?? [];
    return (await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) })).status;
  };

  it('has a row for every operation', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('conversations'));
  });

  it.each(rows)(
    'of $operation',
    async (row) => {
      const answered = await answersOf(row, (caller) => statusFor(row.operation, callers.tokens[caller]));
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
