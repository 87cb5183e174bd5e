import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { newProviderKey } from '../../test/certificates.js';
import { eventually, get, startRig, type Person, type Rig } from '../../test/rig.js';

const complete = { ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example', certificate: someCertificate };

describe('single sign-on', () => {
  let rig: Rig;
  let org: string;
  let reader: Person;
  /** Guests do not need single sign-on. */
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig({ MAX_SAML_PROVIDERS_PER_ORGANIZATION: '3' });
    org = `/orgs/${rig.organization}`;
    reader = await rig.member('Rea Der', 'read');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const create = (body: object) => rig.send('POST', `${org}/saml`, { body });
  const change = (id: unknown, body: object) => rig.send('PATCH', `${org}/saml/${String(id)}`, { body });
  const remove = async (id: unknown) => (await rig.send('DELETE', `${org}/saml/${String(id)}`)).status;
  const enforce = async (sso: boolean, more: object = {}) => {
    const { status, body } = await rig.send('PATCH', org, { body: { sso, ...more } });
    return [status, status === 200 ? body['sso'] : body.error.reason];
  };
  const enforced = async () => (await rig.send('GET', org, { token: guest.token })).body['sso'];

  it('has providers that are active as long as their settings are complete', async () => {
    const team = await rig.send('PUT', `${org}/teams`, { body: { title: 'Newcomers' } });
    const made = await create({ label: 'Main', defaultTeam: team.body['id'], defaultRole: 'edit' });
    const id = String(made.body['id']);
    const entityID = `https://docs.example/v1/sso/saml/${id}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, `https://docs.example/v1${org}/saml/${id}`]);
    expect(made.body).toMatchObject({
      object: 'saml-provider',
      label: 'Main',
      status: 'pending',
      defaultRole: 'edit',
      defaultTeam: { title: 'Newcomers' },
      service: { acsURL: `${entityID}/acs`, startURL: `${entityID}/start`, entityID },
    });
    for (const [name, value] of Object.entries(complete)) {
      expect((await rig.send('GET', `${org}/saml/${id}`)).body['status']).toBe('pending');
      await change(id, { [name]: value });
    }
    expect((await rig.send('GET', `${org}/saml/${id}`)).body).toMatchObject({
      ...complete,
      label: 'Main',
      status: 'active',
    });
    const cleared = await change(id, {
      certificate: null,
      ssoURL: null,
      entityID: null,
      defaultTeam: null,
      defaultRole: null,
    });
    expect(cleared.body).toMatchObject({ label: 'Main', status: 'pending', defaultRole: null });
    for (const name of ['certificate', 'ssoURL', 'entityID', 'defaultTeam'])
      expect(cleared.body).not.toHaveProperty(name);
    expect([await remove(id), await remove(id)]).toEqual([205, 204]);
    expect((await rig.send('GET', `${org}/saml/${id}`)).status).toBe(404);
    expect((await change(id, { label: 'x' })).status).toBe(404);
  });

  it('no longer shows a default team that was deleted', async () => {
    const team = await rig.send('PUT', `${org}/teams`, { body: { title: 'Short' } });
    const { body } = await create({ label: 'Team', defaultTeam: team.body['id'] });
    await rig.send('DELETE', `${org}/teams/${String(team.body['id'])}`);
    expect((await rig.send('GET', `${org}/saml/${String(body['id'])}`)).body).not.toHaveProperty('defaultTeam');
    expect(await remove(body['id'])).toBe(205);
  });

  it('refuses invalid settings of a provider, naming the field, and private keys in particular', async () => {
    const refusal = async (body: object) => (await create({ label: 'Bad', ...body })).body.error.details?.[0]?.path;
    expect(await refusal({ label: '' })).toBe('body.label');
    expect(await refusal({ label: 'x'.repeat(31) })).toBe('body.label');
    expect(await refusal({ ssoURL: 'javascript:alert(1)' })).toBe('body.ssoURL');
    expect(await refusal({ defaultTeam: 'nobody' })).toBe('body.defaultTeam');
    expect(await refusal({ defaultRole: 'king' })).toBe('body.defaultRole');
    expect(await refusal({ certificate: 'x'.repeat(10_001) })).toBe('body.certificate');
    expect(await refusal({ certificate: newProviderKey('short.example', 1024).certificate })).toBe('body.certificate');
    const kept = await rig.send('GET', `${org}/saml`);
    const { privateKey } = newProviderKey();
    const bare = privateKey.replace(/-----.*-----/g, '').trim();
    const id = String((await create({ label: 'Key' })).body['id']);
    for (const certificate of [
      privateKey,
      bare,
      bare.replace(/\s/g, ''),
      `${someCertificate}\n${bare}`,
      `${someCertificate}\n${privateKey}`,
      privateKey.replaceAll('PRIVATE', 'RSA PRIVATE'),
      someCertificate.replaceAll('CERTIFICATE', 'PUBLIC KEY'),
    ]) {
      expect(await refusal({ certificate })).toBe('body.certificate');
      const changed = await change(id, { certificate });
      expect([changed.status, JSON.stringify(changed.body).includes(certificate.slice(30, 60))]).toEqual([400, false]);
    }
    expect((await rig.send('GET', `${org}/saml/${id}`)).body).not.toHaveProperty('certificate');
    await remove(id);
    expect((await rig.send('GET', `${org}/saml`)).body).toEqual(kept.body);
    expect((await rig.send('POST', `${org}/saml`, { token: reader.token, body: { label: 'x' } })).status).toBe(403);
  });

  it('can be enforced only while there is an active provider', async () => {
    expect(await enforce(true)).toEqual([409, 'sso_unavailable']);
    const one = (await create({ label: 'One', ...complete })).body['id'];
    const two = (await create({ label: 'Two' })).body['id'];
    expect(await enforce(true, { title: 'Enforcing' })).toEqual([200, true]);
    expect((await rig.send('GET', org, { token: guest.token })).body).toMatchObject({ title: 'Enforcing', sso: true });
    const refused = await change(one, { entityID: null });
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'sso_in_use']);
    await change(two, complete);
    expect((await change(one, { entityID: null })).body['status']).toBe('pending');
    expect(await remove(one)).toBe(205);
    expect(await enforced()).toBe(true);
    expect(await remove(two)).toBe(205);
    expect(await enforced()).toBe(false);
    expect(await enforce(false)).toEqual([200, false]);
  });

  it('is not enforced by a request whose other settings are refused', async () => {
    const { body } = await create({ label: 'Half', ...complete });
    await rig.send('POST', '/orgs', { body: { title: 'Taken name' } });
    expect(await enforce(true, { hostname: 'taken-name' })).toEqual([409, 'already_exists']);
    expect(await enforced()).toBe(false);
    expect(await remove(body['id'])).toBe(205);
  });

  it('shows members the logins of active providers', async () => {
    await create({ label: 'Pending' });
    const { body } = await create({ label: 'Active', ...complete });
    const listed = await rig.send('GET', `${org}/sso`, { token: reader.token });
    const startURL = `https://docs.example/v1/sso/saml/${String(body['id'])}/start`;
    expect(listed.body).toEqual({ items: [{ id: body['id'], label: 'Active', startURL }] });
    const all = await rig.send('GET', `${org}/saml?limit=1`);
    expect(all.body).toMatchObject({ count: 2, items: [{ label: 'Active' }] });
    const rest = await rig.send(
      'GET',
      `${org}/saml?limit=1&page=${encodeURIComponent(String(get(all.body, 'next.page')))}`,
    );
    expect(rest.body.items.map(({ label }) => label)).toEqual(['Pending']);
  });

  it('is available to members whom an admin marks for it', async () => {
    const mark = (id: string) => rig.send('POST', `${org}/members/${id}/sso`);
    expect((await mark(reader.id)).body).toMatchObject({ id: reader.id, sso: true });
    expect((await mark(reader.id)).body).toMatchObject({ sso: true });
    expect((await mark('nobody')).status).toBe(404);
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Without' } });
    const refused = await rig.send('POST', `/orgs/${String(body['id'])}/members/${rig.owner.id}/sso`);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'sso_unavailable']);
  });

  it('can be granted with an invitation', async () => {
    const known = await rig.person('Known Later');
    const emails = [known.email, 'unknown.later@example.org', reader.email, rig.owner.email];
    const { body } = await rig.send('POST', `${org}/invites`, { body: { emails, role: 'read', sso: true } });
    expect(body).toEqual({ users: [known.id], invited: 1, failedSSOEmails: [rig.owner.email] });
    const member = async (id: string) => (await rig.send('GET', `${org}/members/${id}`)).body['sso'];
    expect(await member(known.id)).toBe(true);
    const unknown = await rig.person('Unknown Later');
    await eventually(async () => (await member(unknown.id)) === true);
  });

  it('is offered to every address of a domain that the organization owns, known or not', async () => {
    const logins = (email: string) => rig.send('GET', `/sso?email=${encodeURIComponent(email)}`, { token: null });
    const founder = await rig.person('Phishing Founder');
    const made = await rig.send('POST', '/orgs', {
      token: founder.token,
      body: { title: 'Phishers', emailDomains: ['corp.example'] },
    });
    await rig.send('POST', `/orgs/${String(made.body['id'])}/saml`, {
      token: founder.token,
      body: { label: 'Corp', ...complete },
    });
    expect((await logins('somebody@corp.example')).body).toEqual({ items: [] });
    const email = 'boss@corp.example';
    const boss = await rig.send('POST', '/users', { body: { email, displayName: 'Boss', emailVerified: true } });
    const named = { emailDomains: ['corp.example'] };
    await rig.send('PATCH', org, { body: named });
    expect((await logins(email)).body).toEqual({ items: [] });
    await rig.send('POST', `${org}/invites`, { body: { emails: [email], role: 'admin' } });
    expect((await logins(email)).body).toEqual({ items: [] });
    const own = await rig.send('POST', `/users/${String(boss.body['id'])}/tokens`, { body: { label: 'x' } });
    await rig.send('PATCH', org, { token: String(own.body['token']), body: named });
    const [known, unknown] = [await logins('BOSS@corp.example'), await logins('nobody@Corp.example')];
    expect(known.body).toMatchObject({ items: [{ organization: { title: 'Enforcing' }, label: 'Active' }] });
    expect(unknown.body).toEqual(known.body);
    expect((await logins('boss@other.example')).body).toEqual({ items: [] });
    expect((await logins('nonsense')).status).toBe(400);
  });

  it('has a limited number of providers, and prevents joining by domain when it is enforced', async () => {
    expect((await create({ label: 'Third' })).status).toBe(201);
    const over = await create({ label: 'Fourth' });
    expect(over.body.error).toMatchObject({
      reason: 'limit_reached',
      details: [{ path: 'samlProvidersPerOrganization', message: 'At most 3' }],
    });
    expect(await enforce(true)).toEqual([200, true]);
    const { body } = await rig.send('POST', '/users', {
      body: { email: 'joiner@corp.example', displayName: 'Joiner', emailVerified: true },
    });
    const token = await rig.send('POST', `/users/${String(body['id'])}/tokens`, { body: { label: 'x' } });
    const refused = await rig.send('POST', `${org}/join`, { token: String(token.body['token']) });
    expect([refused.status, refused.body.error]).toMatchObject([400, { code: 400, reason: 'sso_required' }]);
  });
});
