import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { startRig, type Person, type Rig } from '../test/rig.js';

describe('where single sign-on is enforced', () => {
  let rig: Rig;
  let org: string;
  let path: string;
  let member: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    member = await rig.member('Mia Member', 'create');
    guest = await rig.member('Gus Guest', null);
    path = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
    await rig.send('POST', `${path}/permissions`, { body: { role: 'read', users: [guest.id] } });
    const provider = { label: 'x', ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example' };
    await rig.send('POST', `${org}/saml`, { body: { ...provider, certificate: someCertificate } });
    expect((await rig.send('PATCH', org, { body: { sso: true } })).status).toBe(200);
  }, 60_000);
  afterAll(() => rig.stop());

  const refused = async ({ token }: Person, method: string, target: string) => {
    const { status, body } = await rig.send(method, target, { token });
    return [status, body?.error?.reason];
  };

  it('members who have not come by it are refused, also admins, with the reason', async () => {
    for (const person of [member, rig.owner]) {
      expect(await refused(person, 'GET', path)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'GET', `${org}/spaces`)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'POST', `${org}/spaces`)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'DELETE', `${path}/permissions/users/${guest.id}`)).toEqual([403, 'sso_required']);
    }
  });

  it('guests are not asked for it', async () => {
    expect((await rig.send('GET', path, { token: guest.token })).status).toBe(200);
  });

  it('what somebody could not see anyway stays hidden', async () => {
    expect(await refused(guest, 'GET', '/spaces/unknown')).toEqual([404, 'not_found']);
    expect(await refused(member, 'GET', '/spaces/unknown')).toEqual([404, 'not_found']);
  });
});
