import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIdentityProvider, type TestProvider } from '../test/identity-provider.js';
import { get, startRig, type Rig } from '../test/rig.js';
import { patchOf, scimClient, type SCIMReply } from '../test/scim-client.js';
import { metadataOver, ssoVisitor } from '../test/sso-visitor.js';

/** The body with which Okta creates a user: everything that it has, and more than is kept. */
const fromOkta = (email: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  name: { givenName: 'Olga', familyName: 'Okta' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Olga Okta',
  locale: 'en-US',
  externalId: `okta-${email}`,
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
});

/** The body with which Entra creates a user, with its extension. */
const fromEntra = (name: string, email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `entra-${name}`,
  userName: `${name}@tenant.example`,
  active: true,
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Enno Entra', familyName: 'Entra', givenName: 'Enno' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Docs' },
});

describe('provisioning by SCIM', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let provider: string;
  let scim: ReturnType<typeof scimClient>;

  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    idp = await startIdentityProvider(metadataOver(rig));
    const made = await rig.send('POST', `${org}/saml`, {
      body: { label: 'IdP', ...idp.settings, defaultRole: 'edit' },
    });
    provider = String(made.body['id']);
    scim = scimClient(rig, await newToken());
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const newToken = async (): Promise<string> =>
    String((await rig.send('POST', `${org}/scim/tokens`, { body: { label: 'IdP' } })).body['token']);
  const found = async (filter: string, kind = 'Users', more = '') =>
    (await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`)).body;
  const idsFound = async (filter: string, kind = 'Users') => (await found(filter, kind)).Resources.map(({ id }) => id);
  const create = async (body: object, kind = 'Users'): Promise<string> => {
    const { status, body: made } = await scim('POST', `/${kind}`, body);
    expect(status).toBe(201);
    return made.id;
  };
  const memberStatus = async (id: string) => (await rig.send('GET', `${org}/members/${id}`)).status;
  const refusal = ({ status, body }: SCIMReply) => [status, body['status'], body['scimType']];

  it('tells what it can do', async () => {
    const config = await scim('GET', '/ServiceProviderConfig');
    expect(config.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    const schema = '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User';
    expect((await scim('GET', schema)).body).toMatchObject({ name: 'User', attributes: expect.any(Array) });
    expect(refusal(await scim('GET', '/Schemas/unknown'))).toEqual([404, '404', undefined]);
  });

  it('makes a user of Okta a member, deactivates them, and lets them come back', async () => {
    const email = rig.email('olga');
    expect((await found(`userName eq "${email}"`)).Resources).toEqual([]);
    const made = await scim('POST', '/Users', fromOkta(email));
    const location = `https://docs.example/scim/v2/organizations/${rig.organization}/Users/${made.body.id}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, location]);
    expect(made.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      externalId: `okta-${email}`,
      userName: email,
      name: { givenName: 'Olga', familyName: 'Okta' },
      displayName: 'Olga Okta',
      active: true,
      emails: [{ value: email, type: 'work', primary: true }],
      meta: { resourceType: 'User', location },
    });
    expect(made.body).not.toHaveProperty('password');
    const { id } = made.body;
    expect((await rig.send('GET', `${org}/members/${id}`)).body).toMatchObject({
      role: 'edit',
      sso: true,
      user: { email, displayName: 'Olga Okta' },
    });
    const deactivated = await scim('PUT', `/Users/${id}`, fromOkta(email, { active: false }));
    expect([deactivated.status, deactivated.body['active'], await memberStatus(id)]).toEqual([200, false, 404]);
    expect(await idsFound(`userName eq "${email.toUpperCase()}"`)).toEqual([id]);
    const back = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
    expect([back.body['active'], await memberStatus(id)]).toEqual([true, 200]);
  });

  it('forgets names that are removed, and keeps the parts of a name apart', async () => {
    const email = rig.email('removed');
    const id = await create({ ...fromOkta(email), name: { formatted: 'The Whole Name', givenName: 'Part' } });
    const remove = (path: string) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path }));
    expect((await remove('displayName')).body).not.toHaveProperty('displayName');
    expect((await remove('name.givenName')).body['name']).toEqual({ formatted: 'The Whole Name' });
    expect((await remove('name')).body).not.toHaveProperty('name');
  });

  it('answers queries that are sent as a body, also over users and groups together', async () => {
    const email = rig.email('searched');
    await create(fromOkta(email));
    const search = (path: string, more: object) =>
      scim('POST', `${path}/.search`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...more });
    const { body } = await search('/Users', { filter: `userName eq "${email}"`, attributes: ['userName'] });
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ userName: email }] });
    expect(body.Resources[0]).not.toHaveProperty('active');
    const group = await create({ displayName: `Searched ${email}` }, 'Groups');
    const all = (await search('', { count: 200 })).body;
    const users = (await search('/Users', { count: 0 })).body;
    expect(all.Resources.map(({ id }) => id)).toContain(group);
    const behind = (await search('', { startIndex: Number(users['totalResults']) + 1, count: 1 })).body.Resources;
    expect(behind).toMatchObject([{ meta: { resourceType: 'Group' } }]);
    expect(refusal(await search('/Users', { count: 'many' }))).toEqual([400, '400', 'invalidSyntax']);
    expect(refusal(await search('/Teams', {}))).toEqual([404, '404', undefined]);
    expect((await scim('GET', '/Users/.search')).status).toBe(405);
  });

  it('takes the changes of Entra, and shows them', async () => {
    const [name, email] = [`enno.${rig.organization}`, rig.email('enno')];
    const id = await create(fromEntra(name, email));
    expect(await idsFound(`externalId eq "entra-${name}"`)).toEqual([id]);
    expect(await idsFound(`emails[type eq "work"].value eq "${email}"`)).toEqual([id]);
    const changed = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf(
        { op: 'Replace', path: 'displayName', value: 'Enno E.' },
        { op: 'Add', path: 'name.familyName', value: 'Esch' },
        { op: 'Add', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Web' } },
      ),
    );
    expect(changed.body).toMatchObject({ displayName: 'Enno E.', name: { familyName: 'Esch', givenName: 'Enno' } });
    expect((await rig.send('GET', `${org}/members/${id}`)).body).toMatchObject({ user: { displayName: 'Enno E.' } });
    const off = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }));
    expect([off.body['active'], await memberStatus(id)]).toEqual([false, 404]);
  });

  it('knows a provisioned user who signs in by SAML', async () => {
    const email = rig.email('sam');
    const id = await create(fromOkta(email));
    const browser = ssoVisitor(rig, idp);
    expect((await browser.signInThrough(provider, { email, firstName: 'Sam' })).status).toBe(302);
    expect(get((await browser.send('GET', '/auth/session')).body, 'user.id')).toBe(id);
    await scim('DELETE', `/Users/${id}`);
    expect((await browser.send('GET', '/auth/session')).status).toBe(401);
    expect((await ssoVisitor(rig, idp).signInThrough(provider, { email })).status).toBe(409);
  });

  it('lets a member in through the provider whom it takes over, and leaves their profile alone', async () => {
    const member = await rig.member('Mia Member', 'read');
    const [id] = await idsFound(`userName eq "${member.email}"`);
    expect(id).toBe(member.id);
    const body = fromOkta(member.email, { displayName: 'Another Name' });
    expect((await scim('PUT', `/Users/${member.id}`, body)).body).toMatchObject({ displayName: 'Another Name' });
    expect((await rig.send('GET', `${org}/members/${member.id}`)).body).toMatchObject({
      role: 'read',
      sso: true,
      user: { displayName: 'Mia Member' },
    });
    const browser = ssoVisitor(rig, idp);
    await browser.signInThrough(provider, { email: member.email });
    expect(get((await browser.send('GET', '/auth/session')).body, 'user.id')).toBe(member.id);
  });

  it('does not tell whether somebody elsewhere has an address', async () => {
    const stranger = await rig.person('Stella Stranger');
    const id = await create(fromOkta(stranger.email));
    expect(id).not.toBe(stranger.id);
    await scim('DELETE', `/Users/${id}`);
    expect(await create(fromOkta(stranger.email))).toBe(id);
  });

  it('keeps groups as teams', async () => {
    const [a, b] = [await create(fromOkta(rig.email('ga'))), await create(fromOkta(rig.email('gb')))];
    const title = `Writers ${rig.organization}`.slice(0, 60);
    const group = await create(
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: title,
        externalId: 'g-1',
        members: [{ value: a }],
      },
      'Groups',
    );
    const path = `/Groups/${group}`;
    const members = async () =>
      ((await scim('GET', path)).body['members'] as { value: string }[]).map(({ value }) => value).sort();
    expect((await rig.send('GET', `${org}/teams/${group}`)).body).toMatchObject({ title, members: 1 });
    // As Entra and Okta add and remove.
    await scim('PATCH', path, patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: b }] }));
    expect(await members()).toEqual([a, b].sort());
    expect(await idsFound(`members[value eq "${b}"]`, 'Groups')).toEqual([group]);
    await scim('PATCH', path, patchOf({ op: 'remove', path: `members[value eq "${a}"]` }));
    expect(await members()).toEqual([b]);
    await scim('PATCH', path, patchOf({ op: 'Remove', path: 'members', value: [{ value: b }] }));
    expect(await members()).toEqual([]);
    const renamed = patchOf({ op: 'replace', value: { id: group, displayName: `${title} 2` } });
    expect((await scim('PATCH', path, renamed)).body).toMatchObject({ displayName: `${title} 2`, externalId: 'g-1' });
    const bare = await found(`displayName eq "${title} 2"`, 'Groups', '&excludedAttributes=members');
    expect(bare.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
    const unknown = await scim('PATCH', path, patchOf({ op: 'add', path: 'members', value: [{ value: 'nobody' }] }));
    expect(refusal(unknown)).toEqual([400, '400', 'invalidValue']);
    expect([(await scim('DELETE', path)).status, (await scim('DELETE', path)).status]).toEqual([204, 404]);
    expect(await idsFound('externalId eq "g-1"', 'Groups')).toEqual([]);
  });

  it('gives lists page by page, with the attributes that are asked for', async () => {
    const all = (await scim('GET', '/Users?count=200')).body;
    expect(all['totalResults']).toBe(all.Resources.length);
    const page = (await scim('GET', '/Users?startIndex=2&count=2&attributes=userName,emails.value')).body;
    expect(page).toMatchObject({ startIndex: 2, itemsPerPage: 2, totalResults: all['totalResults'] });
    expect(page.Resources.map(({ id }) => id)).toEqual(all.Resources.slice(1, 3).map(({ id }) => id));
    expect(Object.keys(page.Resources[0] ?? {}).sort()).toEqual(['emails', 'id', 'schemas', 'userName']);
    const active = (await found('active eq true and userName co "@"', 'Users', '&count=1')).totalResults as number;
    expect(active).toBe(all.Resources.filter((user) => user['active']).length);
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      Resources: [],
      totalResults: all['totalResults'],
    });
  });

  it('refuses what it cannot do, in the form of SCIM', async () => {
    const email = rig.email('refused');
    const id = await create(fromOkta(email));
    expect(refusal(await scim('POST', '/Users', fromOkta(email)))).toEqual([409, '409', 'uniqueness']);
    expect(refusal(await scim('POST', '/Users', { userName: 'no-address' }))).toEqual([400, '400', 'invalidValue']);
    expect(refusal(await scim('POST', '/Users', { emails: [{ value: email }] }))).toEqual([400, '400', 'invalidValue']);
    expect(refusal(await scim('POST', '/Users', '{'))).toEqual([400, '400', 'invalidSyntax']);
    expect(refusal(await scim('POST', '/Users', 'x', 'text/plain'))).toEqual([415, '415', undefined]);
    expect(refusal(await scim('GET', '/Users?filter=userName'))).toEqual([400, '400', 'invalidFilter']);
    expect(refusal(await scim('GET', '/Users?count=many'))).toEqual([400, '400', 'invalidValue']);
    const moved = fromOkta(email, { emails: [{ value: `new-${email}`, primary: true }] });
    expect(refusal(await scim('PUT', `/Users/${id}`, moved))).toEqual([400, '400', 'mutability']);
    const path = patchOf({ op: 'replace', path: 'active', value: 'maybe' });
    expect(refusal(await scim('PATCH', `/Users/${id}`, path))).toEqual([400, '400', 'invalidValue']);
    expect(refusal(await scim('DELETE', '/Users/unknown'))).toEqual([404, '404', undefined]);
    expect(refusal(await scim('POST', `/Users/${id}`, {}))).toEqual([405, '405', undefined]);
    expect(refusal(await scim('GET', '/Me'))).toEqual([404, '404', undefined]);
  });

  it('keeps the last admin, and a member whom an admin has disabled stays so', async () => {
    const last = await scim('DELETE', `/Users/${rig.owner.id}`);
    expect([last.status, last.body['detail']]).toEqual([409, expect.stringContaining('at least one admin')]);
    const id = await create(fromOkta(rig.email('disabled')));
    await rig.send('PATCH', `${org}/members/${id}`, { body: { disabled: true } });
    expect((await scim('GET', `/Users/${id}`)).body['active']).toBe(false);
    const named = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'D' }));
    expect([named.status, await memberStatus(id)]).toEqual([200, 200]);
    const on = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: true }));
    expect([on.status, on.body['detail']]).toEqual([403, expect.stringContaining('disabled')]);
  });

  it('is recorded with the token that did it', async () => {
    const id = await create(fromOkta(rig.email('audited')));
    const [event] = (await rig.send('GET', `${org}/audit-events?target=${id}&action=member_joined`)).body.items;
    expect(event).toMatchObject({
      actor: { object: 'system', id: expect.stringMatching(/^scim-token-\w{8}$/) },
      source: 'api',
    });
  });

  it('is closed without a token, with one of a person, of another organization, or one that was revoked', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    const token = await newToken();
    const status = async (given: string | null, organization = rig.organization) =>
      refusal(await scimClient(rig, given, organization)('GET', '/Users?count=1'))[0];
    expect([await status(null), await status(rig.owner.token), await status(token, other)]).toEqual([401, 403, 404]);
    expect(await status(token)).toBe(200);
    await rig.send('DELETE', `${org}/scim/tokens/${token.split('_')[2] ?? ''}`);
    expect(await status(token)).toBe(401);
  });
});
