import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Person, type Rig } from '../test/rig.js';

describe('invitations by e-mail', () => {
  let rig: Rig;
  let path: string;
  beforeAll(async () => {
    rig = await startRig();
    path = `/orgs/${rig.organization}/invites`;
  }, 60_000);
  afterAll(() => rig.stop());

  const isMember = async (person: Person) => (await rig.send('GET', `/orgs/${rig.organization}/members/${person.id}`)).body;
  const eventually = async (look: () => Promise<boolean>) => {
    const deadline = Date.now() + 10_000;
    while (!(await look())) expect(Date.now()).toBeLessThan(deadline);
  };

  it('make known people members at once, the others wait', async () => {
    const known = await rig.person('Known Person');
    const { status, body } = await rig.send('POST', path, {
      body: { emails: [known.email.toUpperCase(), { email: 'later@example.org', role: 'edit' }], role: 'review' },
    });
    expect([status, body]).toEqual([200, { users: [known.id], invited: 1 }]);
    expect(await isMember(known)).toMatchObject({ role: 'review' });
    const again = await rig.send('POST', path, { body: { emails: [known.email] } });
    expect(again.body).toEqual({ users: [], invited: 0 });
  });

  it('are accepted when a verified owner of the address appears', async () => {
    await rig.send('POST', path, { body: { emails: ['new.comer@example.org'], role: 'comment' } });
    const person = await rig.person('New Comer');
    await eventually(async () => (await isMember(person))['role'] === 'comment');
  });

  it('wait while the address is not verified', async () => {
    await rig.send('POST', path, { body: { emails: ['un.verified@example.org'], role: 'read' } });
    const created = await rig.send('POST', '/users', { body: { email: 'un.verified@example.org', displayName: 'Un Verified' } });
    const verified = await rig.person('Second Invited');
    await rig.send('POST', path, { body: { emails: [verified.email], role: 'read' } });
    expect((await rig.send('GET', `/orgs/${rig.organization}/members/${String(created.body['id'])}`)).status).toBe(404);
  });

  it('give the organization’s default role', async () => {
    await rig.send('PATCH', `/orgs/${rig.organization}`, { body: { defaultRole: 'comment' } });
    const person = await rig.person('Default Role');
    await rig.send('POST', path, { body: { emails: [person.email] } });
    expect(await isMember(person)).toMatchObject({ role: 'comment' });
  });

  it('are for admins, with addresses, and no SSO where there is none', async () => {
    const reader = await rig.member('Plain Reader', 'read');
    expect((await rig.send('POST', path, { token: reader.token, body: { emails: ['a@example.org'] } })).status).toBe(403);
    expect((await rig.send('POST', path, { body: { emails: [] } })).status).toBe(400);
    expect((await rig.send('POST', path, { body: { emails: ['nope'] } })).status).toBe(400);
    expect((await rig.send('POST', path, { body: { emails: ['a@example.org'], sso: true } })).body.error.reason).toBe('sso_unavailable');
  });

  it('are bounded', async () => {
    const crowd = (n: number) => Array.from({ length: 100 }, (_, i) => `crowd${n}.${i}@example.org`);
    const invite = (n: number) => rig.send('POST', path, { body: { emails: crowd(n) } });
    for (let n = 0; n < 9; n += 1) expect((await invite(n)).status).toBe(200);
    const over = await invite(9);
    expect([over.status, over.body.error.reason]).toEqual([409, 'limit_reached']);
  }, 60_000);
});
