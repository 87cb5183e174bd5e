import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { eventually, get, startRig, type Person, type Rig } from '../../test/rig.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

const password = 'velvet-otter-lamp-91';
const settings = {
  defaultRole: 'comment',
  ai: false,
  inviteLinks: false,
  logo: 'https://photos.example/logo.png',
  mergeRules: { type: 'rules', rules: [{ rule: 'require_agent_review' }] },
};

describe('enforced single sign-on', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let provider: string;
  let linked: Person;
  let unlinked: Person;
  let guest: Person;
  let admin: Person;
  let robot: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    idp = await startIdentityProvider(metadataOver(rig));
    provider = String((await rig.send('POST', `${org}/saml`, { body: { label: 'Main', ...idp.settings } })).body['id']);
    [linked, unlinked, guest, admin] = [
      await known('linked', 'edit'),
      await known('unlinked', 'edit'),
      await known('guest', null),
      await known('second.admin', 'admin'),
    ];
    robot = await serviceAccount();
    await rig.send('POST', `${org}/members/${linked.id}/sso`);
    expect((await ssoVisitor(rig, idp).signInThrough(provider, { email: linked.email })).status).toBe(302);
    expect((await rig.send('PATCH', org, { body: { sso: true, ...settings } })).status).toBe(200);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  /** Creates a member with a password, a token and a role. */
  const known = async (name: string, role: string | null): Promise<Person> => {
    const email = `${name}@enforced.example`;
    const { body } = await rig.send('POST', '/users', {
      body: { email, displayName: name, emailVerified: true, password },
    });
    const id = String(body['id']);
    const token = await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
    await rig.send('POST', `${org}/invites`, { body: { emails: [email], role } });
    return { id, email, token: String(token.body['token']) };
  };
  const serviceAccount = async (): Promise<string> => {
    const { body } = await rig.send('POST', '/users', {
      body: { email: 'robot@enforced.example', displayName: 'Robot', kind: 'service', emailVerified: true },
    });
    await rig.send('POST', `${org}/invites`, { body: { emails: ['robot@enforced.example'], role: 'edit' } });
    return String(
      (await rig.send('POST', `/users/${String(body['id'])}/tokens`, { body: { label: 'test' } })).body['token'],
    );
  };
  const ask = async (token: string, method: string, path: string, body?: object): Promise<number | string> => {
    const answer = await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
    return answer.status < 300 ? answer.status : `${answer.status} ${answer.body.error.reason}`;
  };
  const required = '403 sso_required';
  const signIn = async (email: string) => {
    const one = ssoVisitor(rig, idp);
    const { status, body } = await one.send('POST', '/auth/login', { body: { email, password } });
    return { one, outcome: status === 200 ? status : `${status} ${body.error.reason}` };
  };

  it('is required from members without a connected identity for everything in the organization', async () => {
    const paths: [string, string, object?][] = [
      ['GET', org],
      ['GET', `${org}/members`],
      ['GET', `${org}/members/${unlinked.id}`],
      ['DELETE', `${org}/members/${unlinked.id}`],
      ['GET', `${org}/teams`],
      ['GET', `${org}/sso`],
      ['POST', `${org}/ping`],
      ['GET', `${org}/agent-instructions`],
      ['PATCH', org, { title: 'Other' }],
    ];
    for (const [method, path, body] of paths)
      expect([path, await ask(unlinked.token, method, path, body)]).toEqual([path, required]);
    // Resources that they may not see do not exist for them, with or without single sign-on.
    expect(await ask(unlinked.token, 'GET', `${org}/saml/${provider}`)).toBe('404 not_found');
    expect(await ask(unlinked.token, 'GET', `${org}/members/nobody`)).toBe('404 not_found');
  });

  it('leaves the organization in the list of such members, without its settings but with its logins', async () => {
    const seen = async (token: string) =>
      (await rig.send('GET', '/orgs', { token })).body.items.find(({ id }) => id === rig.organization);
    const { logo, ...others } = settings;
    for (const { token } of [linked, guest, { token: robot }])
      expect(await seen(token)).toMatchObject({ ...others, sso: true, urls: { logo }, permissions: { view: true } });
    for (const { token } of [unlinked, admin]) {
      const shown = await seen(token);
      expect(shown).toMatchObject({
        title: 'First Organization',
        sso: true,
        emailDomains: [],
        defaultRole: null,
        ai: true,
        inviteLinks: true,
        mergeRules: { type: 'rules', rules: [] },
        ssoLogins: [{ id: provider, label: 'Main', startURL: `https://docs.example/v1/sso/saml/${provider}/start` }],
      });
      expect([get(shown, 'urls.logo'), Object.values(shown?.['permissions'] as object)]).toEqual([
        undefined,
        Array(12).fill(false),
      ]);
    }
    expect(await seen(linked.token)).not.toHaveProperty('ssoLogins');
  });

  it('hides the addresses of members from a member without it', async () => {
    const seen = async (token: string) => (await rig.send('GET', `/users/${guest.id}`, { token })).body['email'];
    expect([await seen(linked.token), await seen(unlinked.token)]).toEqual([guest.email, undefined]);
  });

  it('is not required outside the organization', async () => {
    expect(await ask(unlinked.token, 'GET', '/user')).toBe(200);
    const { body } = await rig.send('POST', '/orgs', { token: unlinked.token, body: { title: 'Their own' } });
    expect(await ask(unlinked.token, 'GET', `/orgs/${String(body['id'])}`)).toBe(200);
    await rig.send('DELETE', `/orgs/${String(body['id'])}`, { token: unlinked.token });
  });

  it('is not required from connected members, guests and service accounts', async () => {
    expect(await ask(linked.token, 'GET', `${org}/members`)).toBe(200);
    expect(await ask(guest.token, 'GET', org)).toBe(200);
    expect(await ask(robot, 'GET', `${org}/members`)).toBe(200);
  });

  it('allows admins to change providers without it, and records that', async () => {
    for (const [method, path, body] of [
      ['GET', `${org}/saml`],
      ['GET', `${org}/saml/${provider}`],
      ['GET', `${org}/sso`],
      ['PATCH', `${org}/saml/${provider}`, { label: 'Renamed' }],
    ] as const)
      expect([path, await ask(admin.token, method, path, body)]).toEqual([path, 200]);
    for (const [method, path, body] of [
      ['GET', org],
      ['GET', `${org}/members`],
      ['PATCH', org, { title: 'Other' }],
      ['PATCH', org, { sso: false, title: 'Other' }],
      ['PATCH', org, {}],
      ['DELETE', org],
      ['POST', `${org}/invites`, { emails: ['more@enforced.example'] }],
      ['POST', `${org}/members/${unlinked.id}/sso`],
    ] as const)
      expect([path, await ask(admin.token, method, path, body)]).toEqual([path, required]);
    const made = await rig.send('POST', `${org}/saml`, { token: admin.token, body: { label: 'Second' } });
    expect(await ask(admin.token, 'DELETE', `${org}/saml/${String(made.body['id'])}`)).toBe(205);
    const events = await recorded();
    expect(events).toEqual(
      ['updateOrganizationSAMLProvider', 'createOrganizationSAMLProvider', 'deleteOrganizationSAMLProvider'].map(
        (operation) => [admin.id, operation],
      ),
    );
    // Refused changes and dry runs are not recorded, and a repeated change is recorded once.
    expect(await ask(admin.token, 'PATCH', `${org}/saml/${provider}`, { ssoURL: null })).toBe('409 sso_in_use');
    expect(await ask(admin.token, 'PATCH', `${org}/saml/${provider}?dryRun=true`, { label: 'Tried' })).toBe(200);
    const headers = { 'idempotency-key': 'again' };
    for (let i = 0; i < 2; i += 1)
      await rig.send('PATCH', `${org}/saml/${provider}`, { token: admin.token, headers, body: { label: 'Main' } });
    expect(await recorded()).toHaveLength(events.length + 1);
  });

  /** The recorded recoveries: user and operation. */
  const recorded = async (): Promise<unknown[]> => {
    const client = openWithCredentials(rig.config.EVENTSTORE_URL, (url) => EventStoreDBClient.connectionString(url));
    const found: unknown[] = [];
    for await (const { event } of client.readStream(`${rig.config.NAMESPACE}.identity.sso-${rig.organization}`)) {
      const { actor, operation } = event?.metadata as { actor: { id: string }; operation: string };
      if (event?.type === 'SSORecoveryUsed') found.push([actor.id, operation]);
    }
    await client.dispose();
    return found;
  };

  it('closes other ways to sign in for members who connected a provider themselves, not for those whom only an admin marked', async () => {
    const { one: own, outcome } = await signIn(linked.email);
    expect(outcome).toBe(200);
    expect((await own.signInThrough(provider, { email: linked.email }, '?connect=true')).status).toBe(302);
    expect((await signIn(linked.email)).outcome).toBe(required);
    await ssoVisitor(rig, idp).send('POST', '/auth/email-link', { body: { email: linked.email } });
    const words = async () =>
      (await rig.mailTo(linked.email)).flatMap((mail) => /sign-in\/link\?link=(\w+)/.exec(mail)?.[1] ?? []);
    await eventually(async () => (await words()).length > 0);
    const [link] = await words();
    const one = ssoVisitor(rig, idp);
    const { status, body } = await one.send('POST', '/auth/login', { body: { link } });
    expect([status, body.error.reason, one.cookie()]).toEqual([403, 'sso_required', '']);
    const wrong = await one.send('POST', '/auth/login', {
      body: { email: linked.email, password: 'wrong-otter-lamp-91' },
    });
    expect([wrong.status, wrong.body.error.reason]).toEqual([401, 'unauthenticated']);
  });

  it('leaves other ways to sign in open to guests, admins and members who are not connected yet', async () => {
    for (const { email } of [guest, admin, unlinked])
      expect([email, (await signIn(email)).outcome]).toEqual([email, 200]);
    const { one } = await signIn(unlinked.email);
    expect((await one.signInThrough(provider, { email: unlinked.email }, '?connect=true')).status).toBe(302);
    expect(await ask(unlinked.token, 'GET', `${org}/members`)).toBe(200);
    expect((await signIn(unlinked.email)).outcome).toBe(required);
  });

  it('closes no sign-in of members of other organizations, unless the address is of a domain that the organization owns', async () => {
    const { body } = await rig.send('POST', '/orgs', { token: linked.token, body: { title: 'Elsewhere' } });
    expect((await signIn(linked.email)).outcome).toBe(200);
    const before = (await recorded()).length;
    await rig.send('PATCH', org, { token: admin.token, body: { sso: false } });
    expect((await recorded()).slice(before)).toEqual([[admin.id, 'updateOrganizationById']]);
    const named = { emailDomains: ['enforced.example'] };
    await rig.send('PATCH', org, { body: named });
    await rig.send('PATCH', org, { body: { sso: true } });
    expect((await signIn(linked.email)).outcome).toBe(200);
    // The organization does not own a domain that an admin without an address of it has named. It does when an admin
    // with such an address names it.
    await rig.send('PATCH', org, { token: admin.token, body: { sso: false } });
    await rig.send('PATCH', org, { token: admin.token, body: named });
    await rig.send('PATCH', org, { body: { sso: true } });
    expect((await signIn(linked.email)).outcome).toBe(required);
    await rig.send('DELETE', `/orgs/${String(body['id'])}`, { token: linked.token });
  });

  it('counts only identities at active providers, and ends with the last provider', async () => {
    const other = await startIdentityProvider(metadataOver(rig));
    const second = String(
      (await rig.send('POST', `${org}/saml`, { token: admin.token, body: { label: 'Second', ...other.settings } }))
        .body['id'],
    );
    const shown = async () =>
      get((await rig.send('GET', `${org}/members/${linked.id}`, { token: unlinked.token })).body, 'sso');
    expect(await shown()).toBe(true);
    await rig.send('PATCH', `${org}/saml/${provider}`, { token: admin.token, body: { ssoURL: null } });
    expect(await ask(linked.token, 'GET', org)).toBe(required);
    await rig.send('PATCH', `${org}/saml/${provider}`, { token: admin.token, body: { ssoURL: idp.settings.ssoURL } });
    expect(await ask(linked.token, 'GET', org)).toBe(200);
    await rig.send('DELETE', `${org}/saml/${provider}`, { token: admin.token });
    expect(await ask(linked.token, 'GET', org)).toBe(required);
    expect((await rig.send('GET', `${org}/sso`, { token: admin.token })).body.items.map(({ id }) => id)).toEqual([
      second,
    ]);
    // The enforcement ends with the last provider.
    await rig.send('DELETE', `${org}/saml/${second}`, { token: admin.token });
    expect(await ask(linked.token, 'GET', org)).toBe(200);
    expect(get((await rig.send('GET', `${org}/members/${unlinked.id}`)).body, 'sso')).toBe(false);
    await other.stop();
  });

  it('is evaluated anew for each list of organizations', async () => {
    const { id } = (await rig.send('POST', `${org}/saml`, { body: { label: 'Last', ...idp.settings } })).body;
    const isShown = async () =>
      (await rig.send('GET', '/orgs', { token: unlinked.token })).body.items.map((one) => get(one, 'permissions.view'));
    expect(await isShown()).toEqual([true]);
    const enforced = await rig.send('PATCH', org, { body: { sso: true } });
    // The admin who enforces it without a connected identity loses access as well.
    expect([enforced.status, get(enforced.body, 'permissions.admin')]).toEqual([200, false]);
    expect(await isShown()).toEqual([false]);
    await rig.send('DELETE', `${org}/saml/${String(id)}`);
    expect(await isShown()).toEqual([true]);
  });
});
