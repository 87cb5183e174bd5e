import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { eventually, startRig, type Answer, type Rig } from '../test/rig-with-store.js';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const outcomes = (answers: Answer[], success: number) =>
  [success, 409].map((wanted) => answers.filter(({ status }) => status === wanted).length);

describe('with many requests at the same time,', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig({
      MAX_MEMBERS_PER_ORGANIZATION: '4',
      MAX_TEAMS_PER_ORGANIZATION: '3',
      MAX_MEMBERS_PER_TEAM: '2',
      MAX_TOKENS_PER_USER: '3',
      MAX_ORGANIZATIONS_PER_USER: '2',
      MAX_PENDING_INVITES_PER_ORGANIZATION: '3',
    });
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const invite = (...emails: string[]) => rig.send('POST', `${org}/invites`, { body: { emails, role: 'read' } });
  const createOrganization = (token: string, key: string) =>
    rig.send('POST', '/orgs', { token, body: { title: `Of ${key}` }, headers: { 'idempotency-key': key } });

  it('the limit of teams is kept exactly, and repeated requests get their first result', async () => {
    const make = (i: number) =>
      rig.send('PUT', `${org}/teams`, { body: { title: `Team ${i}` }, headers: { 'idempotency-key': `team-${i}` } });
    const answers = await Promise.all(times(12, make));
    expect(outcomes(answers, 201)).toEqual([3, 9]);
    expect((await rig.send('GET', `${org}/teams`)).body).toMatchObject({ count: 3 });
    const again = await Promise.all(times(12, make));
    expect(again.map(({ status, body }) => [status, body['id']])).toEqual(
      answers.map(({ status, body }) => [status, body['id']]),
    );
  });

  it('the limit of organizations that a person creates is kept exactly, and repeated requests get their first result', async () => {
    const { token } = await rig.person('Fay Founder');
    const answers = await Promise.all(times(10, (i) => createOrganization(token, `org-${i}`)));
    expect(outcomes(answers, 201)).toEqual([2, 8]);
    const again = await Promise.all(times(10, (i) => createOrganization(token, `org-${i}`)));
    expect(again.map(({ status, body }) => [status, body['id']])).toEqual(
      answers.map(({ status, body }) => [status, body['id']]),
    );
  });

  it('the limit of tokens is kept exactly, and repeated requests get their first result', async () => {
    const { token } = await rig.person('Tom Tokens');
    const make = (i: number) =>
      rig.send('POST', '/user/tokens', {
        token,
        body: { label: `${i}` },
        headers: { 'idempotency-key': `token-${i}` },
      });
    const answers = await Promise.all(times(8, make));
    expect(outcomes(answers, 201)).toEqual([2, 6]);
    const again = await Promise.all(times(8, make));
    expect(again.map(({ status, body }) => [status, body['id']])).toEqual(
      answers.map(({ status, body }) => [status, body['id']]),
    );
  });

  it('the limit of pending invitations is kept exactly, and applies neither to repeated invitations nor to known people', async () => {
    const emails = times(20, (i) => `waiting${i}@example.org`);
    const answers = await Promise.all(emails.map((email) => invite(email)));
    expect(outcomes(answers, 200)).toEqual([3, 17]);
    const pending = emails.filter((_, i) => answers[i]?.status === 200);
    expect(await rig.store.collection(pendingInvites).count({ organization: rig.organization })).toBe(3);
    expect((await invite(...pending)).body).toEqual({ users: [], invited: 3 });
    const known = await rig.person('Kim Known');
    expect((await invite(known.email, ...pending)).body).toEqual({ users: [known.id], invited: 3 });
    expect((await invite('one.more@example.org')).body.error).toMatchObject({ reason: 'limit_reached' });
  });

  it('the limits of members of an organization and of a team are kept exactly', async () => {
    const people = await Promise.all(times(8, (i) => rig.person(`Crowd ${i}`)));
    const joined = await Promise.all(people.map(({ email }) => invite(email)));
    // The owner and the known person are members already.
    expect(outcomes(joined, 200)).toEqual([2, 6]);
    const { items } = (await rig.send('GET', `${org}/members`)).body;
    expect(items).toHaveLength(4);
    const team = `${org}/teams/${String((await rig.send('GET', `${org}/teams`)).body.items[0]?.['id'])}`;
    const added = await Promise.all(items.map(({ id }) => rig.send('PUT', `${team}/members/${String(id)}`)));
    expect(outcomes(added, 204)).toEqual([2, 2]);
    expect((await rig.send('GET', `${team}/members`)).body).toMatchObject({ count: 2 });
  });
});

describe('an organization at its limit of members', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ MAX_MEMBERS_PER_ORGANIZATION: '2' });
  }, 60_000);
  afterAll(() => rig.stop());

  it('admits people with pending invitations in the order of invitation when a member leaves', async () => {
    const org = `/orgs/${rig.organization}`;
    const waiting = ['first', 'never.registers', 'second'].map((name) => `${name}@example.org`);
    for (const email of waiting)
      expect((await rig.send('POST', `${org}/invites`, { body: { emails: [email] } })).body).toMatchObject({
        invited: 1,
      });
    const leaver = await rig.member('Lea Leaver', 'read');
    const [second, first] = [await rig.person('Second'), await rig.person('First')];
    const members = async () => (await rig.send('GET', `${org}/members`)).body.items.map(({ id }) => id);
    const leave = (id: string) => rig.send('DELETE', `${org}/members/${id}`);
    expect(await members()).not.toContain(second.id);
    await leave(leaver.id);
    await eventually(async () => (await members()).includes(first.id));
    expect(await members()).toHaveLength(2);
    await leave(first.id);
    await eventually(async () => (await members()).includes(second.id));
    const left = rig.store.collection(pendingInvites);
    await eventually(async () => (await left.count({ organization: rig.organization })) === 1);
    expect(await left.findOne({ organization: rig.organization })).toMatchObject({
      email: 'never.registers@example.org',
    });
  });
});
