import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { get, startRig, type Person, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

const password = 'velvet-otter-lamp-91';

/** An admin of an organization controls its provider, which can assert any address. */
describe('a provider that asserts', () => {
  let rig: Rig;
  let idp: TestProvider;
  let mallory: Person;
  let evil: string;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    idp = await startIdentityProvider(metadataOver(rig));
    mallory = await rig.person('Mallory Malicious');
    evil = String((await rig.send('POST', '/orgs', { token: mallory.token, body: { title: 'Evil' } })).body['id']);
    provider = String(
      (await asMallory('POST', `/orgs/${evil}/saml`, { label: 'Evil', ...idp.settings, defaultRole: 'admin' })).body[
        'id'
      ],
    );
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const asMallory = (method: string, path: string, body?: object) =>
    rig.send(method, path, { token: mallory.token, ...(body === undefined ? {} : { body }) });
  const refusal = async (response: Response): Promise<[number, string, string | null]> => {
    const { error } = (await response.json()) as { error: { reason: string } };
    return [response.status, error.reason, response.headers.get('set-cookie')];
  };
  const signIn = (email: string) => ssoVisitor(rig, idp).signInThrough(provider, { email });
  const account = async (name: string, emailVerified = true) => {
    const { body } = await rig.send('POST', '/users', {
      body: { email: `${name}@taken-over.example`, displayName: name, emailVerified, password },
    });
    return { id: String(body['id']), email: `${name}@taken-over.example` };
  };
  const refused = [409, 'already_exists', null];
  /** The user who is signed in after the provider has asserted an address, and the answer to the browser. */
  const signInResult = async (email: string) => {
    const one = ssoVisitor(rig, idp);
    const response = await one.signInThrough(provider, { email });
    const answer = [response.status, response.headers.get('location'), await response.text()];
    return { answer, id: get((await one.send('GET', '/auth/session')).body, 'user.id') };
  };
  const accepted = [302, '/sign-in/arrived', ''];

  it('an address of somebody outside the organization creates a separate account, whether or not the address is known', async () => {
    const robot = await rig.send('POST', '/users', {
      body: { email: 'robot@taken-over.example', displayName: 'Robot', kind: 'service', emailVerified: true },
    });
    const others: { id: string; email: string }[] = [
      await rig.person('Strange Stranger'),
      await account('unverified', false),
      await account('upper').then(({ id, email }) => ({ id, email: email.toUpperCase() })),
      await rig.member('Other Admin', 'admin'),
      rig.owner,
      { id: String(robot.body['id']), email: 'robot@taken-over.example' },
    ];
    expect((await signInResult('nobody.at.all@taken-over.example')).answer).toEqual(accepted);
    for (const { id, email } of others) {
      const { answer, id: made } = await signInResult(email);
      expect([email, answer, typeof made, made === id]).toEqual([email, accepted, 'string', false]);
      expect((await asMallory('GET', `/orgs/${evil}/members/${id}`)).status).toBe(404);
      // The account of the owner is unchanged, and signing in with the address still leads to it.
      expect(get((await asMallory('GET', `/orgs/${evil}/members/${String(made)}`)).body, 'user.email')).toBe(
        email.toLowerCase(),
      );
      await asMallory('DELETE', `/orgs/${evil}/members/${String(made)}`);
    }
  });

  it('an address of a member who is not marked for single sign-on is refused', async () => {
    const victim = await rig.person('Invited Victim');
    await asMallory('POST', `/orgs/${evil}/invites`, { emails: [victim.email], role: 'read' });
    expect(await refusal(await signIn(victim.email))).toEqual(refused);
  });

  it('an address of a member who is marked gives access to this organization alone', async () => {
    // The operator, who is an admin of another organization, is added and marked without their agreement.
    await asMallory('POST', `/orgs/${evil}/invites`, { emails: [rig.owner.email], role: 'admin' });
    expect((await asMallory('POST', `/orgs/${evil}/members/${rig.owner.id}/sso`)).status).toBe(200);
    const one = ssoVisitor(rig, idp);
    expect((await one.signInThrough(provider, { email: rig.owner.email })).status).toBe(302);
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({
      organization: evil,
      user: { id: rig.owner.id },
    });
    const tries: [string, string, object?][] = [
      ['POST', '/user/tokens', { label: 'x' }],
      ['GET', '/user/tokens'],
      ['DELETE', '/user/tokens/x'],
      ['PUT', '/auth/password', { password: 'velvet-otter-lamp-92' }],
      ['GET', '/user/sessions'],
      ['DELETE', '/user/sessions/x'],
    ];
    for (const [method, path, body] of tries) {
      const { status } = await one.send(method, path, body === undefined ? {} : { body });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
    for (const path of ['/user', '/orgs', `/orgs/${rig.organization}`, `/users/${rig.owner.id}`]) {
      expect([path, (await one.send('GET', path)).status]).toEqual([path, 401]);
      expect((await rig.send('GET', path, { token: one.cookie() })).status).toBe(401);
    }
    expect(
      (await one.send('POST', '/users', { body: { email: 'made@taken-over.example', displayName: 'Made' } })).status,
    ).toBe(401);
    // With this session no other identity can be connected.
    const start = await fetch(`${rig.endpoint}/v1/sso/saml/${provider}/start?connect=true`, {
      redirect: 'manual',
      headers: { cookie: `scriptorium_session=${one.cookie()}`, 'sec-fetch-site': 'same-origin' },
    });
    expect(start.status).toBe(403);
    // The other ways to sign in stay open, and the account is unchanged.
    expect((await rig.send('GET', '/user')).body['id']).toBe(rig.owner.id);
    expect((await rig.send('POST', '/user/tokens', { body: { label: 'mine' } })).status).toBe(201);
  });

  it('an unknown address creates an account whose address is not verified', async () => {
    const email = 'later@taken-over.example';
    expect((await signIn(email)).status).toBe(302);
    const own = await rig.send('POST', '/users', {
      body: { email, displayName: 'The real one', emailVerified: true, password },
    });
    expect(own.status).toBe(201);
    const real = ssoVisitor(rig, idp);
    const signedIn = await real.send('POST', '/auth/login', { body: { email, password } });
    expect([signedIn.status, get(signedIn.body, 'user.id')]).toEqual([200, own.body['id']]);
    // The identity still leads to the account that the provider created in its own organization.
    const one = ssoVisitor(rig, idp);
    await one.signInThrough(provider, { email });
    expect(get((await one.send('GET', '/auth/session')).body, 'user.id')).not.toBe(own.body['id']);
  });

  it('an identity connects it to the account whose session started the request', async () => {
    const { id, email } = await account('connects');
    const one = ssoVisitor(rig, idp);
    const none = await fetch(`${rig.endpoint}/v1/sso/saml/${provider}/start?connect=true`, { redirect: 'manual' });
    expect(none.status).toBe(401);
    await one.send('POST', '/auth/login', { body: { email, password } });
    const foreign = await fetch(`${rig.endpoint}/v1/sso/saml/${provider}/start?connect=true`, {
      redirect: 'manual',
      headers: { cookie: `scriptorium_session=${one.cookie()}`, 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(401);
    expect((await one.signInThrough(provider, { email: 'work.name@taken-over.example' }, '?connect=true')).status).toBe(
      302,
    );
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({ organization: evil, user: { id } });
    const later = ssoVisitor(rig, idp);
    expect((await later.signInThrough(provider, { email: 'work.name@taken-over.example' })).status).toBe(302);
    expect(get((await later.send('GET', '/auth/session')).body, 'user.id')).toBe(id);
  });

  it('an identity of another user cannot be connected again', async () => {
    const { email } = await account('second');
    const one = ssoVisitor(rig, idp);
    await one.send('POST', '/auth/login', { body: { email, password } });
    expect(
      await refusal(await one.signInThrough(provider, { email: 'work.name@taken-over.example' }, '?connect=true')),
    ).toEqual(refused);
  });

  it('an identity for a request to connect is accepted only from the browser that started it', async () => {
    const { email } = await account('third');
    const [one, victim] = [ssoVisitor(rig, idp), ssoVisitor(rig, idp)];
    await one.send('POST', '/auth/login', { body: { email, password } });
    const form = await one.requestAnswer(provider, { email: 'victim@taken-over.example' }, '?connect=true');
    await victim.requestAnswer(provider, { email: 'victim@taken-over.example' });
    expect((await refusal(await victim.post(form)))[0]).toBe(401);
  });
});
