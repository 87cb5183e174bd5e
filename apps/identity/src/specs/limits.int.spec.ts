import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { eventually, startRig, type Answer, type Rig } from '../test/rig-with-store.js';

describe('the limit', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig({
      MAX_MEMBERS_PER_ORGANIZATION: '3',
      MAX_TEAMS_PER_ORGANIZATION: '1',
      MAX_MEMBERS_PER_TEAM: '1',
      MAX_TOKENS_PER_USER: '2',
      MAX_ORGANIZATIONS_PER_USER: '2',
      MAX_EMAIL_DOMAINS_PER_ORGANIZATION: '1',
    });
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const refusal = ({ status, body }: Answer) => [status, body.error.reason, body.error.details];
  const limit = (path: string, most: number) => [409, 'limit_reached', [{ path, message: `At most ${most}` }]];
  const createOrganization = async (title: string) => {
    const { token } = await rig.person(`Founder of ${title}`);
    const made = await rig.send('POST', '/orgs', { token, body: { title } });
    const path = `/orgs/${String(made.body['id'])}`;
    return {
      path,
      invite: (email: string) => rig.send('POST', `${path}/invites`, { token, body: { emails: [email] } }),
    };
  };
  const memberships = async (token: string) => (await rig.send('GET', '/orgs', { token })).body['count'];

  it('of teams, team members, tokens and e-mail domains is the one of the settings', async () => {
    const ann = await rig.member('Ann Limited', 'read');
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'One', members: [rig.owner.id] } });
    expect(made.status).toBe(201);
    expect(refusal(await rig.send('PUT', `${org}/teams`, { body: { title: 'Two' } }))).toEqual(
      limit('teamsPerOrganization', 1),
    );
    expect(refusal(await rig.send('PUT', `${org}/teams/${String(made.body['id'])}/members/${ann.id}`))).toEqual(
      limit('membersPerTeam', 1),
    );
    expect((await rig.send('POST', '/user/tokens', { token: ann.token, body: { label: '2' } })).status).toBe(201);
    expect(refusal(await rig.send('POST', '/user/tokens', { token: ann.token, body: { label: '3' } }))).toEqual(
      limit('tokensPerUser', 2),
    );
    const emailDomains = ['a.example', 'b.example'];
    expect(refusal(await rig.send('PATCH', org, { body: { emailDomains } }))).toEqual(
      limit('emailDomainsPerOrganization', 1),
    );
    expect((await rig.send('PATCH', org, { body: { emailDomains: ['A.example', 'a.example'] } })).body).toMatchObject({
      emailDomains: ['a.example'],
    });
  });

  it('of members refuses an invitation as a whole', async () => {
    const [bob, cleo] = [await rig.person('Bob Limited'), await rig.person('Cleo Limited')];
    const both = await rig.send('POST', `${org}/invites`, { body: { emails: [bob.email, cleo.email] } });
    expect(refusal(both)).toEqual(limit('membersPerOrganization', 3));
    expect(await memberships(bob.token)).toBe(0);
  });

  it('of organizations of a person applies to creating, to invitations, and to pending invitations', async () => {
    const [first, second, third] = [
      await createOrganization('First'),
      await createOrganization('Second'),
      await createOrganization('Third'),
    ];
    const email = 'dan.limited@example.org';
    for (const { invite } of [first, second, third]) expect((await invite(email)).body).toMatchObject({ invited: 1 });
    const dan = await rig.person('Dan Limited');
    await eventually(async () => (await memberships(dan.token)) === 2);
    const waiting = rig.store.collection(pendingInvites);
    await eventually(async () => (await waiting.count({ email })) === 1);
    expect(refusal(await rig.send('POST', '/orgs', { token: dan.token, body: { title: 'Own' } }))).toEqual(
      limit('organizationsPerUser', 2),
    );
    expect(refusal(await third.invite(email))).toEqual(limit('organizationsPerUser', 2));
    expect((await rig.send('DELETE', `${first.path}/members/${dan.id}`, { token: dan.token })).status).toBe(205);
    await eventually(async () => (await waiting.count({ email })) === 0);
    expect((await rig.send('GET', third.path, { token: dan.token })).status).toBe(200);
    expect((await rig.send('GET', first.path, { token: dan.token })).status).toBe(404);
  });
});
