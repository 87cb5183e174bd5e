import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { startRig, type Person, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

const password = 'velvet-otter-lamp-91';

/**
 * Anybody can create an organization, name any e-mail domain, add people, and connect a provider that asserts any
 * address.
 */
describe('an organization that adds people without asking them', () => {
  let rig: Rig;
  let idp: TestProvider;
  let mallory: Person;
  let evil: string;
  let provider: string;
  const people: Record<string, Person> = {};
  beforeAll(async () => {
    rig = await startRig();
    idp = await startIdentityProvider(metadataOver(rig));
    mallory = await rig.person('Mallory Malicious');
    for (const name of ['boss', 'lone', 'someone', 'honest']) people[name] = await account(name);
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [emailOf('boss')], role: 'admin' } });
    const found = { title: 'Evil', emailDomains: ['locked-out.example'] };
    evil = String((await rig.send('POST', '/orgs', { token: mallory.token, body: found })).body['id']);
    provider = String((await asMallory('POST', `/orgs/${evil}/saml`, { label: 'Evil', ...idp.settings })).body['id']);
    await asMallory('POST', `/orgs/${evil}/invites`, { emails: [emailOf('someone')], role: 'admin' });
    for (const name of ['boss', 'lone']) {
      await asMallory('POST', `/orgs/${evil}/invites`, { emails: [emailOf(name)], role: 'edit', sso: true });
      expect((await ssoVisitor(rig, idp).signInThrough(provider, { email: emailOf(name) })).status).toBe(302);
    }
    expect((await asMallory('PATCH', `/orgs/${evil}`, { sso: true })).status).toBe(200);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const emailOf = (name: string) => `${name}@locked-out.example`;
  const asMallory = (method: string, path: string, body?: object) =>
    rig.send(method, path, { token: mallory.token, ...(body === undefined ? {} : { body }) });
  const account = async (name: string): Promise<Person> => {
    const body = { email: emailOf(name), displayName: name, emailVerified: true, password };
    const id = String((await rig.send('POST', '/users', { body })).body['id']);
    const token = await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
    return { id, email: emailOf(name), token: String(token.body['token']) };
  };
  const signIn = async (name: string) => {
    const one = ssoVisitor(rig, idp);
    const { status } = await one.send('POST', '/auth/login', { body: { email: emailOf(name), password } });
    return { one, status };
  };
  const offered = async (domain: string) =>
    (await rig.send('GET', `/sso?email=x@${domain}`, { token: null })).body.items.map(({ id }) => id);

  it('closes the sign-in of none of them, whether or not they are in another organization', async () => {
    expect((await signIn('boss')).status).toBe(200);
    expect((await signIn('lone')).status).toBe(200);
  });

  it('does not own an e-mail domain because one of them has an address there', async () => {
    expect(await offered('locked-out.example')).toEqual([]);
    const joined = await rig.send('POST', `/orgs/${evil}/join`, { token: people['honest']?.token ?? '' });
    expect([joined.status, joined.body.error.reason]).toEqual([400, 'email_domain_not_allowed']);
  });

  it('closes the sign-in of a person who connects its provider from a session of their own', async () => {
    const { one } = await signIn('lone');
    expect((await one.signInThrough(provider, { email: emailOf('lone') }, '?connect=true')).status).toBe(302);
    expect((await signIn('lone')).status).toBe(403);
  });

  it('owns an e-mail domain when an admin with an address there has named it', async () => {
    const { body } = await rig.send('POST', '/orgs', {
      body: { title: 'Honest', emailDomains: ['locked-out.example'] },
    });
    const org = `/orgs/${String(body['id'])}`;
    const login = await rig.send('POST', `${org}/saml`, { body: { label: 'Honest', ...idp.settings } });
    await rig.send('POST', `${org}/invites`, { body: { emails: [emailOf('honest')], role: 'admin' } });
    expect(await offered('locked-out.example')).toEqual([]);
    const token = people['honest']?.token ?? '';
    expect(
      (await rig.send('PATCH', `${org}?dryRun=true`, { token, body: { emailDomains: ['locked-out.example'] } })).status,
    ).toBe(200);
    expect(await offered('locked-out.example')).toEqual([]);
    await rig.send('PATCH', org, { token, body: { emailDomains: ['locked-out.example'] } });
    expect(await offered('locked-out.example')).toEqual([login.body['id']]);
    // The organization owns the domain as long as they are an admin.
    await rig.send('PATCH', `${org}/members/${people['honest']?.id ?? ''}`, { body: { role: 'edit' } });
    expect(await offered('locked-out.example')).toEqual([]);
  });

  it('loses a person whom an operator detaches, which nobody else can do', async () => {
    const path = `/users/${people['boss']?.id ?? ''}/orgs/${evil}`;
    expect((await asMallory('DELETE', path)).status).toBe(403);
    expect((await asMallory('GET', `/orgs/${evil}/sso`)).status).toBe(200);
    expect((await rig.send('DELETE', path)).status).toBe(205);
    expect((await rig.send('DELETE', path)).status).toBe(204);
    const own = await rig.send('GET', '/orgs', { token: people['boss']?.token ?? '' });
    expect(own.body.items.map(({ id }) => id)).toEqual([rig.organization]);
    const last = await rig.send('DELETE', `/users/${mallory.id}/orgs/${evil}`);
    expect([last.status, last.body.error.reason]).toEqual([409, 'last_admin']);
  });

  it('does not prevent the erasure of an admin who never accepted the membership', async () => {
    // An admin who has not accepted the membership does not count as another admin.
    const left = await asMallory('DELETE', `/orgs/${evil}/members/${mallory.id}`);
    expect([left.status, left.body.error.reason]).not.toEqual([205, undefined]);
    expect((await rig.send('DELETE', '/user', { token: people['someone']?.token ?? '' })).status).toBe(205);
  });
});
