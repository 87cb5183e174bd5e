import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../../test/rig.js';

describe('invitations by e-mail', () => {
  let rig: Rig;
  let path: string;
  beforeAll(async () => {
    rig = await startRig({ MAX_PENDING_INVITES_PER_ORGANIZATION: '20' });
    path = `/orgs/${rig.organization}/invites`;
  }, 60_000);
  afterAll(() => rig.stop());

  const isMember = async (person: Person) =>
    (await rig.send('GET', `/orgs/${rig.organization}/members/${person.id}`)).body;

  it('make owners of known addresses members at once, and stay pending for other addresses', async () => {
    const known = await rig.person('Known Person');
    const { status, body } = await rig.send('POST', path, {
      body: { emails: [known.email.toUpperCase(), { email: 'later@example.org', role: 'edit' }], role: 'review' },
    });
    expect([status, body]).toEqual([200, { users: [known.id], invited: 1 }]);
    expect(await isMember(known)).toMatchObject({ role: 'review' });
    const again = await rig.send('POST', path, { body: { emails: [known.email] } });
    expect(again.body).toEqual({ users: [], invited: 0 });
  });

  it('do not reveal in a dry run whether an address is known', async () => {
    const stranger = await rig.person('Known Stranger');
    const member = await rig.member('Known Member', 'read');
    const tried = async (...emails: string[]) => {
      const { status, body } = await rig.send('POST', `${path}?dryRun=true`, { body: { emails } });
      return [status, body];
    };
    expect(await tried('nobody.known@example.org')).toEqual([200, { users: [], invited: 1 }]);
    expect(await tried(stranger.email)).toEqual([200, { users: [], invited: 1 }]);
    expect(await tried(stranger.email, 'nobody.known@example.org', member.email)).toEqual([
      200,
      { users: [], invited: 2 },
    ]);
    expect((await rig.send('GET', `/orgs/${rig.organization}/members/${stranger.id}`)).status).toBe(404);
  });

  it('are accepted when somebody registers with the verified address', async () => {
    await rig.send('POST', path, { body: { emails: ['new.comer@example.org'], role: 'comment' } });
    const person = await rig.person('New Comer');
    await eventually(async () => (await isMember(person))['role'] === 'comment');
  });

  it('stay pending while the address is not verified', async () => {
    await rig.send('POST', path, { body: { emails: ['un.verified@example.org'], role: 'read' } });
    const created = await rig.send('POST', '/users', {
      body: { email: 'un.verified@example.org', displayName: 'Un Verified' },
    });
    const verified = await rig.person('Second Invited');
    await rig.send('POST', path, { body: { emails: [verified.email], role: 'read' } });
    expect((await rig.send('GET', `/orgs/${rig.organization}/members/${String(created.body['id'])}`)).status).toBe(404);
  });

  it('give the default role of the organization unless another is named', async () => {
    await rig.send('PATCH', `/orgs/${rig.organization}`, { body: { defaultRole: 'comment' } });
    const person = await rig.person('Default Role');
    await rig.send('POST', path, { body: { emails: [person.email] } });
    expect(await isMember(person)).toMatchObject({ role: 'comment' });
  });

  it('are allowed to admins, need valid addresses, and need a provider for single sign-on', async () => {
    const reader = await rig.member('Plain Reader', 'read');
    expect((await rig.send('POST', path, { token: reader.token, body: { emails: ['a@example.org'] } })).status).toBe(
      403,
    );
    expect((await rig.send('POST', path, { body: { emails: [] } })).status).toBe(400);
    expect((await rig.send('POST', path, { body: { emails: ['nope'] } })).status).toBe(400);
    expect((await rig.send('POST', path, { body: { emails: ['a@example.org'], sso: true } })).body.error.reason).toBe(
      'sso_unavailable',
    );
  });

  it('are limited in number while they are pending, and can be repeated at the limit', async () => {
    const crowd = Array.from({ length: 15 }, (_, i) => `crowd${i}@example.org`);
    const invite = (emails: string[]) => rig.send('POST', path, { body: { emails } });
    expect((await invite(crowd)).status).toBe(200);
    const over = await invite(crowd.map((email) => `more.${email}`));
    expect([over.status, over.body.error.reason]).toEqual([409, 'limit_reached']);
    expect(over.body.error.details).toEqual([{ path: 'pendingInvitesPerOrganization', message: 'At most 20' }]);
    expect((await invite(crowd)).status).toBe(200);
  });

  it('may name an address twice only with the same role', async () => {
    const invite = (emails: unknown[]) => rig.send('POST', path, { body: { emails, role: 'read' } });
    const alike = await invite(['crowd0@example.org', { email: 'Crowd0@example.org', role: 'read' }]);
    expect(alike.body).toMatchObject({ invited: 1 });
    const torn = await invite(['crowd0@example.org', { email: 'crowd0@example.org', role: 'admin' }]);
    expect([torn.status, torn.body.error.details?.[0]?.path]).toEqual([400, 'body.emails']);
  });
});
