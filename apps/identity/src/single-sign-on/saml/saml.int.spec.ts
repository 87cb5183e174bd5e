import { X509Certificate } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkIdentity } from '../../organizations/roster/memberships.js';
import { roster } from '../../organizations/roster/roster.js';
import { newProviderKey } from '../../test/certificates.js';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import { users } from '../../organization-read-models/user.projection.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';

describe('signing in through a provider', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let team: string;
  let provider: string;
  beforeAll(async () => {
    rig = await startRig({ MAX_MEMBERS_PER_ORGANIZATION: '5' });
    org = `/orgs/${rig.organization}`;
    idp = await startIdentityProvider(metadataOver(rig));
    team = String((await rig.send('PUT', `${org}/teams`, { body: { title: 'Newcomers' } })).body['id']);
    const made = await rig.send('POST', `${org}/saml`, {
      body: { label: 'Main', ...idp.settings, defaultRole: 'edit', defaultTeam: team },
    });
    provider = String(made.body['id']);
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const refusal = async (response: Response): Promise<[number, string]> => {
    const { error } = (await response.json()) as { error: { reason: string } };
    return [response.status, error.reason];
  };
  const start = (id: string, query = '') =>
    fetch(`${rig.endpoint}/v1/sso/saml/${id}/start${query}`, { redirect: 'manual' });
  const memberOf = async (email: string) =>
    (await rig.send('GET', `${org}/members?search=${encodeURIComponent(email)}`)).body.items[0];

  it('begins with metadata that the provider can read', async () => {
    const response = await fetch(`${rig.endpoint}/v1/sso/saml/${provider}/metadata`);
    const text = await response.text();
    const entityID = `https://docs.example/v1/sso/saml/${provider}`;
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/samlmetadata+xml']);
    for (const part of [
      `entityID="${entityID}"`,
      `Location="${entityID}/acs"`,
      'WantAssertionsSigned="true"',
      'HTTP-POST',
    ])
      expect(text).toContain(part);
    expect(await rig.text(`/sso/saml/${provider}/metadata`)).toBe(text);
    expect((await fetch(`${rig.endpoint}/v1/sso/saml/unknown/metadata`)).status).toBe(404);
  });

  it('makes a new person a member with the default role and default team of the provider', async () => {
    const one = ssoVisitor(rig, idp);
    const answer = await one.signInThrough(provider, {
      email: 'New.Person@acme.example',
      firstName: 'New',
      lastName: 'Person',
    });
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([302, '/sign-in/arrived', '']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^scriptorium_session=scr_ses_\w+; Path=\/v1; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000$/,
    );
    const session = await one.send('GET', '/auth/session');
    expect(session.body).toMatchObject({
      method: 'saml',
      organization: rig.organization,
      password: false,
      user: { displayName: 'New Person' },
    });
    const member = await memberOf('new.person@acme.example');
    expect(member).toMatchObject({
      id: get(session.body, 'user.id'),
      role: 'edit',
      sso: true,
      teams: 1,
      user: { email: 'new.person@acme.example' },
    });
    expect(
      (await rig.send('GET', `${org}/teams/${team}/members`)).body.items.map((item) => get(item, 'organization.id')),
    ).toEqual([member?.['id']]);
    expect(
      (await rig.store.database.collection(users.collection).findOne({ _id: member?.['id'] as never }))?.[
        'emailVerified'
      ],
    ).toBe(false);
  });

  it('finds a known person again, and keeps what an admin has changed', async () => {
    const id = (await memberOf('new.person@acme.example'))?.['id'];
    await rig.send('PATCH', `${org}/members/${String(id)}`, { body: { role: 'read' } });
    const one = ssoVisitor(rig, idp);
    expect(
      (await one.signInThrough(provider, { email: 'NEW.PERSON@acme.example', firstName: 'Other', lastName: 'Name' }))
        .status,
    ).toBe(302);
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({ user: { id, displayName: 'New Person' } });
    expect(await memberOf('new.person@acme.example')).toMatchObject({ role: 'read', teams: 1 });
  });

  it('names a person by their address when the provider gives no name', async () => {
    const one = ssoVisitor(rig, idp);
    await one.signInThrough(provider, { email: 'plain@acme.example' });
    expect(get((await one.send('GET', '/auth/session')).body, 'user.displayName')).toBe('plain');
    await rig.send('DELETE', `${org}/members/${String((await memberOf('plain@acme.example'))?.['id'])}`);
  });

  it('is refused for a person who was removed, until an admin adds them again', async () => {
    const one = ssoVisitor(rig, idp);
    await one.signInThrough(provider, { email: 'comes.back@acme.example' });
    const id = String((await memberOf('comes.back@acme.example'))?.['id']);
    await rig.send('DELETE', `${org}/members/${id}`);
    expect(await refusal(await one.signInThrough(provider, { email: 'comes.back@acme.example' }))).toEqual([
      409,
      'already_exists',
    ]);
    expect((await one.send('GET', '/auth/session')).status).toBe(401);
  });

  it('accepts two keys while the provider changes its key', async () => {
    const next = newProviderKey();
    expect(new X509Certificate(next.certificate).verify(new X509Certificate(next.certificate).publicKey)).toBe(true);
    const certificate = `${idp.key.certificate}\n${next.certificate}`;
    expect((await rig.send('PATCH', `${org}/saml/${provider}`, { body: { certificate } })).body['status']).toBe(
      'active',
    );
    for (const key of [idp.key, next]) {
      expect(
        (await ssoVisitor(rig, idp).signInThrough(provider, { email: 'new.person@acme.example', key })).status,
      ).toBe(302);
    }
    const broken = `${idp.key.certificate}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`;
    const refused = await rig.send('PATCH', `${org}/saml/${provider}`, { body: { certificate: broken } });
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, 'body.certificate']);
    await rig.send('PATCH', `${org}/saml/${provider}`, { body: { certificate: idp.key.certificate } });
  });

  it('requires a provider with complete settings', async () => {
    const { body } = await rig.send('POST', `${org}/saml`, { body: { label: 'Pending' } });
    expect(await refusal(await start(String(body['id'])))).toEqual([409, 'sso_unavailable']);
    expect(await refusal(await start('unknown'))).toEqual([404, 'not_found']);
    expect((await fetch(`${rig.endpoint}/v1/sso/saml/${String(body['id'])}/metadata`)).status).toBe(200);
    const form = await ssoVisitor(rig, idp).requestAnswer(provider, { email: 'late@acme.example' });
    await rig.send('PATCH', `${org}/saml/${provider}`, { body: { entityID: null } });
    expect(await refusal(await ssoVisitor(rig, idp).post(form))).toEqual([409, 'sso_unavailable']);
    await rig.send('PATCH', `${org}/saml/${provider}`, { body: { entityID: idp.settings.entityID } });
  });

  it('redirects the browser to the provider, with a cookie by which it is recognized', async () => {
    const response = await start(provider);
    const location = new URL(response.headers.get('location') ?? '');
    expect([
      response.status,
      location.searchParams.get('tenant'),
      location.searchParams.get('RelayState')?.length,
    ]).toEqual([302, '1', 32]);
    expect(response.headers.get('set-cookie')).toMatch(
      /^scriptorium_browser=[0-9a-f]{64}; Path=\/v1\/sso; HttpOnly; Max-Age=900; SameSite=None; Secure$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('respects the limit of members, and succeeds later with the account of the refused attempt', async () => {
    const signIn = (name: string) => ssoVisitor(rig, idp).signInThrough(provider, { email: `${name}@acme.example` });
    const before = Number((await rig.send('GET', `${org}/members`)).body['count']);
    for (let i = before; i < 5; i += 1) expect((await signIn(`fills${i}`)).status).toBe(302);
    expect(await refusal(await signIn('too.many'))).toEqual([409, 'limit_reached']);
    await rig.send('DELETE', `${org}/members/${String((await memberOf('fills4@acme.example'))?.['id'])}`);
    // The account of the refused attempt is used.
    expect((await signIn('too.many')).status).toBe(302);
  }, 60_000);

  it('reuses the account of a refused attempt, also after an earlier person of the same identity was erased', async () => {
    const arrive = (name: string) => ssoVisitor(rig, idp).signInThrough(provider, { email: `${name}@acme.example` });
    const erase = async (name: string) =>
      (await rig.send('DELETE', `/users/${String((await memberOf(`${name}@acme.example`))?.['id'])}`)).status;
    expect(await erase('too.many')).toBe(205);
    expect((await arrive('in.between')).status).toBe(302);
    expect(await refusal(await arrive('too.many'))).toEqual([409, 'limit_reached']);
    expect(await erase('in.between')).toBe(205);
    expect((await arrive('too.many')).status).toBe(302);
    expect((await memberOf('too.many@acme.example'))?.['sso']).toBe(true);
  }, 60_000);

  it('ends in the default team also when the process stopped before it added the member', async () => {
    const user = String(
      (await rig.send('POST', '/users', { body: { email: 'died@acme.example', displayName: 'Died' } })).body['id'],
    );
    const command = {
      actor: { kind: 'user', id: user },
      organization: rig.organization,
      operation: 'spec',
      correlation: 'spec',
    } as const;
    const joining = { user, membership: 'stay', role: null, via: 'saml', organizations: 0 } as const;
    const limits = { membersPerOrganization: 100, organizationsPerUser: 100 };
    await rig.store
      .scope(command)
      .handle(roster, rig.organization, (state) =>
        linkIdentity(state, { provider, identity: 'hash', joining, limits, own: true }),
      );
    await eventually(async () => (await rig.send('GET', `${org}/members/${user}`)).body['teams'] === 1);
    await rig.send('DELETE', `${org}/members/${user}`);
  }, 60_000);

  /** The kinds of streams with events that match a pattern. */
  const streamsWith = async (pattern: RegExp): Promise<Set<string | undefined>> => {
    const client = openWithCredentials(rig.config.EVENTSTORE_URL, (url) => EventStoreDBClient.connectionString(url));
    const found = new Set<string | undefined>();
    for await (const { event } of client.readAll()) {
      if (event?.streamId.startsWith(`${rig.config.NAMESPACE}.`) !== true) continue;
      if (pattern.test(JSON.stringify([event.streamId, event.data, event.metadata])))
        found.add(/\.(\w+)-/.exec(event.streamId)?.[1]);
    }
    await client.dispose();
    return found;
  };

  it('leaves the address only in the stream of the person, and no SAML message anywhere', async () => {
    const id = (await memberOf('new.person@acme.example'))?.['id'];
    expect(await streamsWith(/new\.person|acme\.example|<saml/i)).toEqual(new Set(['user']));
    for (const { collectionName } of await rig.store.database.collections()) {
      if (collectionName.startsWith('user_v')) continue;
      const text = JSON.stringify(await rig.store.database.collection(collectionName).find().toArray());
      expect([collectionName, /new\.person|acme\.example|<saml/i.test(text)]).toEqual([collectionName, false]);
    }
    expect(id).toBeDefined();
  });
});
