import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../../test/rig.js';

describe('the mails about invitations', () => {
  let rig: Rig;
  let second: Person;
  let passes = 0;
  beforeAll(async () => {
    rig = await startRig({ INVITATION_MAILS_PER_DAY: '3' });
    second = await rig.member('Second Admin', 'admin');
  }, 60_000);
  afterAll(() => rig.stop());

  const found = async (token: string) =>
    `/orgs/${String((await rig.send('POST', '/orgs', { token, body: { title: 'Found' } })).body['id'])}`;
  const invite = (org: string, names: readonly string[], token = rig.owner.token) =>
    rig.send('POST', `${org}/invites`, { token, body: { emails: names.map((name) => rig.email(name)) } });
  const mailed = async (names: readonly string[]) =>
    (await Promise.all(names.map((name) => rig.mailTo(rig.email(name))))).filter((mails) => mails.length > 0).length;
  const names = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at}`);
  /** A mail that nobody holds back, which is sent after those before it. */
  const passed = async (): Promise<void> => {
    const { email } = await rig.person(`After ${(passes += 1)}`);
    await rig.send('POST', '/auth/email-link', { token: null, body: { email } });
    await eventually(async () => (await rig.mailTo(email)).length > 0);
  };

  it('of one request to many strangers are no more than a user may send in a day, and the others are told', async () => {
    const { token } = await rig.person('Stranger');
    const many = names(8, 'many');
    const { status, body } = await invite(await found(token), many, token);
    expect([status, body]).toEqual([200, { users: [], invited: 8, delayed: 5 }]);
    await eventually(async () => (await mailed(many)) === 3);
    await passed();
    expect(await mailed(many)).toBe(3);
  });

  it('from several organizations of one user are counted together', async () => {
    const { token } = await rig.person('Founder');
    const rounds = names(5, 'round');
    const answers = [];
    for (const name of rounds) answers.push((await invite(await found(token), [name], token)).body['delayed'] ?? 0);
    await eventually(async () => (await mailed(rounds)) === 3);
    await passed();
    expect([await mailed(rounds), answers.slice(0, 1)]).toEqual([3, [0]]);
    expect((await invite(await found(token), ['last'], token)).body).toEqual({ users: [], invited: 1, delayed: 1 });
  });

  it('of one organization are counted together, whoever invites', async () => {
    const org = `/orgs/${rig.organization}`;
    const [first, others] = [names(2, 'first'), names(3, 'other')];
    expect((await invite(org, first)).body).toEqual({ users: [], invited: 2 });
    await eventually(async () => (await mailed(first)) === 2);
    expect((await invite(org, others, second.token)).body).toEqual({ users: [], invited: 3, delayed: 2 });
    await eventually(async () => (await mailed(others)) === 1);
    await passed();
    expect(await mailed(others)).toBe(1);
    // The invitations hold, mailed or not.
    const { body } = await rig.send('POST', '/users', {
      body: { email: rig.email('other2'), displayName: 'Other', emailVerified: true },
    });
    await eventually(async () => (await rig.send('GET', `${org}/members/${String(body['id'])}`)).status === 200);
  });
});

describe('invitations of as many people as a request takes', () => {
  it('are answered in time', async () => {
    const rig = await startRig();
    const emails = names500(rig);
    const { status, body } = await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails } });
    expect([status, body['users']]).toEqual([200, []]);
    const remaining = (body['remaining'] ?? []) as string[];
    expect(Number(body['invited']) + remaining.length).toBe(500);
    expect(emails.slice(Number(body['invited']))).toEqual(remaining);
    expect(body['delayed']).toBe(300 - remaining.length);
    const over = await rig.send('POST', `/orgs/${rig.organization}/invites`, {
      body: { emails: [...emails, 'a@b.example'] },
    });
    expect([over.status, over.body.error.details?.[0]?.path]).toEqual([400, 'body.emails']);
    await rig.stop();
  }, 60_000);
});

function names500(rig: Rig): string[] {
  return Array.from({ length: 500 }, (_, at) => rig.email(`crowd${at}`));
}
