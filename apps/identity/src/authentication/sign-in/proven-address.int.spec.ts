import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visitor, type Visitor } from '../../test/browser.js';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { eventually, get, startRig, type Person, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

/** Anybody can found an organization whose provider names any address. */
describe('an address under which the provider of another organization has made an account', () => {
  let rig: Rig;
  let idp: TestProvider;
  let mallory: Person;
  let evil: string;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig();
    idp = await startIdentityProvider(metadataOver(rig));
    mallory = await rig.person('Mallory Malicious');
    const asMallory = { token: mallory.token };
    evil = `/orgs/${String((await rig.send('POST', '/orgs', { ...asMallory, body: { title: 'Evil' } })).body['id'])}`;
    const made = await rig.send('POST', `${evil}/saml`, {
      ...asMallory,
      body: { label: 'Evil', ...idp.settings, defaultRole: 'edit' },
    });
    provider = String(made.body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const org = () => `/orgs/${rig.organization}`;
  /** A session of the provider for an address, under a name that it gives. */
  const assert = async (email: string): Promise<Visitor & { id: string }> => {
    const one = ssoVisitor(rig, idp);
    const says = { email, firstName: 'Rude', lastName: 'Name' };
    expect((await one.signInThrough(provider, says)).status).toBe(302);
    return { ...one, id: String(get((await one.send('GET', '/auth/session')).body, 'user.id')) };
  };
  const isEnded = async (one: Visitor) => (await one.send('GET', '/auth/session')).status === 401;
  const linksTo = async (email: string) =>
    (await rig.mailTo(email)).flatMap((mail) => /sign-in\/link\?link=(\w+)/.exec(mail)?.[1] ?? []);
  const askForLink = async (email: string): Promise<string> => {
    const before = (await linksTo(email)).length;
    await rig.send('POST', '/auth/email-link', { token: null, body: { email } });
    await eventually(async () => (await linksTo(email)).length > before);
    return String((await linksTo(email)).at(-1));
  };
  const open = (link: string, displayName?: string) =>
    visitor(rig).send('POST', '/auth/login', { body: { link, ...(displayName && { displayName }) } });
  const invite = (email: string) => rig.send('POST', `${org()}/invites`, { body: { emails: [email], role: 'read' } });
  const listed = async (id: string) => (await rig.send('GET', `${org()}/members/${id}`)).body;

  it('is taken over by who proves it: sessions end, and the name is theirs wherever they are listed', async () => {
    const email = rig.email('victim');
    const foreign = await assert(email);
    await invite(email);
    const { status, body } = await open(await askForLink(email), 'Vic Tim');
    expect([status, get(body, 'user.id'), get(body, 'user.displayName')]).toEqual([200, foreign.id, 'Vic Tim']);
    await eventually(() => isEnded(foreign));
    expect(get(await listed(foreign.id), 'user.displayName')).toBe('Vic Tim');
    for (const path of [`${org()}/members`, `${evil}/members`]) {
      const { body: all } = await rig.send('GET', path, path.startsWith(evil) ? { token: mallory.token } : {});
      expect(JSON.stringify(all)).not.toContain('Rude Name');
    }
  });

  it('gives a name of its own to who says none', async () => {
    const email = rig.email('nameless');
    await assert(email);
    expect(get((await open(await askForLink(email))).body, 'user.displayName')).toBe('nameless');
  });

  it('ends for the provider when an operator says whose it is, and its unused links work no more', async () => {
    const email = rig.email('registered');
    const foreign = await assert(email);
    const link = await askForLink(email);
    const made = await rig.send('POST', '/users', { body: { email, displayName: 'Reg Istered', emailVerified: true } });
    expect(made.status).toBe(201);
    await eventually(() => isEnded(foreign));
    expect((await open(link)).status).toBe(401);
    await invite(email);
    expect(get(await listed(String(made.body['id'])), 'user.displayName')).toBe('Reg Istered');
    expect((await rig.send('GET', `${org()}/members/${foreign.id}`)).status).toBe(404);
  });

  it('ends for the provider when an invited person proves it, with the invitation that came before', async () => {
    const email = rig.email('invited');
    await invite(email);
    const link = await askForLink(email);
    const foreign = await assert(email);
    const { status, body } = await open(link, 'In Vited');
    const id = String(get(body, 'user.id'));
    expect([status, id === foreign.id]).toEqual([200, false]);
    await eventually(() => isEnded(foreign));
    await eventually(async () => (await rig.send('GET', `${org()}/members/${id}`)).status === 200);
    expect(get(await listed(id), 'user.displayName')).toBe('In Vited');
  });

  it('stays with the provider of an organization that owns its domain', async () => {
    const domain = `owned.${rig.email('').slice(1)}`;
    const admin = { email: `admin@${domain}`, displayName: 'Own Er', emailVerified: true };
    const { id } = (await rig.send('POST', '/users', { body: admin })).body;
    const token = String(
      (await rig.send('POST', `/users/${String(id)}/tokens`, { body: { label: 'x' } })).body['token'],
    );
    const made = await rig.send('POST', '/orgs', { token, body: { title: 'Own', emailDomains: [domain] } });
    const login = await rig.send('POST', `/orgs/${String(made.body['id'])}/saml`, {
      token,
      body: { label: 'Own', ...idp.settings },
    });
    const one = ssoVisitor(rig, idp);
    const email = `worker@${domain}`;
    await one.signInThrough(String(login.body['id']), { email, firstName: 'Wor', lastName: 'Ker' });
    const { status, body } = await open(await askForLink(email), 'Other Name');
    expect([status, get(body, 'user.displayName')]).toEqual([200, 'Wor Ker']);
    expect(await isEnded(one)).toBe(false);
  });
});
