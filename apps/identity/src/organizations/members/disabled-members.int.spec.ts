import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visitor } from '../../test/browser.js';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { eventually, startRig, type Answer, type Person, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

const password = 'velvet-otter-lamp-91';

describe('a disabled member', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    idp = await startIdentityProvider(metadataOver(rig));
    provider = String((await rig.send('POST', `${org}/saml`, { body: { label: 'Main', ...idp.settings } })).body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  /** A member with a password. */
  const member = async (name: string, role: string | null = 'edit'): Promise<Person> => {
    const email = rig.email(name);
    const { body } = await rig.send('POST', '/users', {
      body: { email, displayName: name, emailVerified: true, password },
    });
    const id = String(body['id']);
    const token = await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
    await rig.send('POST', `${org}/invites`, { body: { emails: [email], role } });
    return { id, email, token: String(token.body['token']) };
  };
  const set = (id: string, body: object, token?: string) =>
    rig.send('PATCH', `${org}/members/${id}`, { body, ...(token && { token }) });
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];
  const paths = ['', '/members', '/teams', '/sso', '/saml', '/agent-instructions', '/audit-events'].map(
    (path) => `${org}${path}`,
  );

  it('is disabled and enabled by admins alone, and keeps role and teams', async () => {
    const { id, token } = await member('kept');
    const team = String((await rig.send('PUT', `${org}/teams`, { body: { title: 'A', members: [id] } })).body['id']);
    expect(refusal(await set(rig.owner.id, { disabled: true }, token))[0]).toBe(403);
    expect(refusal(await set(id, { disabled: 'yes' }))).toEqual([400, 'invalid_request', 'body.disabled']);
    expect((await set('nobody', { disabled: true })).status).toBe(404);
    const tried = await rig.send('PATCH', `${org}/members/${id}?dryRun=true`, { body: { disabled: true } });
    expect([tried.body['disabled'], (await rig.send('GET', org, { token })).status]).toEqual([true, 200]);
    expect((await set(id, { disabled: true, role: 'comment' })).body).toMatchObject({
      disabled: true,
      role: 'comment',
      teams: 1,
    });
    expect((await rig.send('GET', `${org}/members/${id}`)).body).toMatchObject({ disabled: true, spaces: 0 });
    expect((await set(id, { disabled: true })).status).toBe(200);
    expect((await set(id, { disabled: false })).body).toMatchObject({ disabled: false, role: 'comment' });
    expect((await rig.send('GET', org, { token })).status).toBe(200);
    expect((await rig.send('GET', `${org}/teams/${team}/members`)).body['count']).toBe(1);
    const actions = (await rig.send('GET', `${org}/audit-events`)).body.items.map(({ action }) => action);
    expect(actions.filter((action) => /^member_(dis|en)abled$/.test(String(action)))).toEqual([
      'member_enabled',
      'member_disabled',
    ]);
  });

  it('is never the last admin', async () => {
    expect(refusal(await set(rig.owner.id, { disabled: true }))).toEqual([409, 'last_admin', 'body.disabled']);
    expect((await rig.send('GET', org)).status).toBe(200);
  });

  it('has no access by a token or a session, at once, and keeps their account', async () => {
    const { id, email, token } = await member('shut out');
    const browser = visitor(rig);
    expect((await browser.send('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    const made = async () =>
      String((await browser.send('POST', '/user/tokens', { body: { label: 'by session' } })).body['token']);
    const tokens = [token, await made()];
    for (const own of tokens) expect((await rig.send('GET', `${org}/members`, { token: own })).status).toBe(200);
    await set(id, { disabled: true });
    for (const own of [...tokens, await made()]) {
      const ask = (path: string) => rig.send('GET', path, { token: own });
      for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 404]);
      expect((await ask(`${org}/members/${id}`)).status).toBe(404);
      expect((await ask('/orgs')).body['count']).toBe(0);
      expect((await ask('/user')).body['id']).toBe(id);
      expect((await ask(`/users/${rig.owner.id}`)).body).not.toHaveProperty('email');
    }
    expect((await rig.send('POST', `${org}/ping`, { token })).status).toBe(404);
    expect((await rig.send('DELETE', `${org}/members/${id}`, { token })).status).toBe(404);
    const other = await rig.send('POST', '/orgs', { token, body: { title: 'Their own' } });
    expect((await rig.send('GET', `/orgs/${String(other.body['id'])}`, { token })).status).toBe(200);
    await rig.send('DELETE', `/orgs/${String(other.body['id'])}`, { token });
  });

  it('comes in again by no invitation, link or domain', async () => {
    const { id, email, token } = await member('comes again', null);
    const link = await rig.send('POST', `${org}/link-invites`, { body: { role: 'admin' } });
    await set(id, { disabled: true });
    await rig.send('POST', `${org}/invites`, { body: { emails: [{ email, role: 'admin' }] } });
    const refused = [await rig.send('POST', `${org}/invites/${String(link.body['id'])}`, { token })];
    await rig.send('PATCH', org, { body: { emailDomains: [email.slice(email.indexOf('@') + 1)] } });
    refused.push(await rig.send('POST', `${org}/join`, { token }));
    for (const { status, body } of refused)
      expect([status, body.error.reason, body.error.message]).toEqual([
        403,
        'forbidden',
        'An admin of the organization has disabled your membership',
      ]);
    expect((await rig.send('GET', org, { token })).status).toBe(404);
    expect((await rig.send('GET', `${org}/members/${id}`)).body).toMatchObject({ disabled: true, role: null });
  });

  it('loses the sessions that a provider began, and gets no other one until they are enabled', async () => {
    const { id, email } = await member('by provider');
    await rig.send('POST', `${org}/members/${id}/sso`);
    const one = ssoVisitor(rig, idp);
    const signIn = async () => (await one.signInThrough(provider, { email })).status;
    expect(await signIn()).toBe(302);
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({ organization: rig.organization });
    await set(id, { disabled: true });
    await eventually(async () => (await one.send('GET', '/auth/session')).status === 401);
    const other = ssoVisitor(rig, idp);
    const refused = await other.signInThrough(provider, { email });
    const { error } = (await refused.json()) as { error: { reason: string; message: string } };
    expect([refused.status, error.reason, other.cookie()]).toEqual([403, 'forbidden', '']);
    await set(id, { disabled: false });
    expect((await one.send('GET', '/auth/session')).status).toBe(401);
    expect(await signIn()).toBe(302);
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({ organization: rig.organization });
  });

  it('as an admin can decide nothing more', async () => {
    const { id, token } = await member('was admin', 'admin');
    await rig.send('POST', `${org}/ping`, { token });
    await set(id, { disabled: true });
    for (const [method, path, body] of [
      ['PATCH', org, { title: 'Mine' }],
      ['PATCH', `${org}/members/${id}`, { disabled: false }],
      ['POST', `${org}/invites`, { emails: [rig.email('friend')] }],
      ['PATCH', `${org}/saml/${provider}`, { label: 'Mine' }],
    ] as const)
      expect([path, (await rig.send(method, path, { token, body })).status]).toEqual([path, 404]);
    // What somebody may not see is gone already.
    expect((await rig.send('DELETE', org, { token })).status).toBe(204);
    expect((await rig.send('GET', org)).status).toBe(200);
  });
});
