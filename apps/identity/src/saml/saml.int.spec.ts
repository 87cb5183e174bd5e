import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentityProvider, type TestProvider } from '../test/identity-provider.js';
import { startRig, type Rig } from '../test/rig.js';
import { metadataOver, ssoVisitor } from '../test/sso-visitor.js';

describe('signing in through a provider', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    idp = await startIdentityProvider(metadataOver(rig));
    const made = await rig.send('POST', `${org}/saml`, { body: { label: 'Main', ...idp.settings, defaultRole: 'edit' } });
    provider = String(made.body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  it('makes somebody new a member', async () => {
    const one = ssoVisitor(rig, idp);
    const answer = await one.arrive(provider, { email: 'New.Person@acme.example', firstName: 'New', lastName: 'Person' });
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([302, '/sign-in/arrived', '']);
    const session = await one.send('GET', '/auth/session');
    expect(session.body).toMatchObject({ method: 'saml', organization: rig.organization, user: { displayName: 'New Person' } });
  });
});
