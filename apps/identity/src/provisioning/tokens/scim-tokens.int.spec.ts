import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { get, startRig, type Person, type Rig } from '../../test/rig.js';

describe('the SCIM tokens of an organization', () => {
  let rig: Rig;
  let tokens: string;
  let admin: Person;

  beforeAll(async () => {
    rig = await startRig();
    tokens = `/orgs/${rig.organization}/scim/tokens`;
    admin = await rig.member('Ada Admin', 'admin');
  }, 60_000);
  afterAll(() => rig.stop());

  const create = (body: object, token = admin.token) => rig.send('POST', tokens, { body, token });

  it('need an active identity provider', async () => {
    const refused = await create({ label: 'Okta' });
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'sso_unavailable']);
    const settings = {
      ssoURL: 'https://idp.example/sso',
      entityID: 'https://idp.example',
      certificate: someCertificate,
    };
    await rig.send('POST', `/orgs/${rig.organization}/saml`, { body: { label: 'IdP', ...settings } });
    expect((await create({ label: 'Okta' })).status).toBe(201);
  });

  it('are shown once, listed without their secret, and revoked', async () => {
    const { body } = await create({ label: 'Entra', expiresAt: '2999-01-01T02:00:00+02:00' });
    const { token, ...listed } = body;
    expect(token).toMatch(/^scr_scim_[0-9A-Za-z]{8}_[0-9A-Za-z]{46}$/);
    expect(listed).toEqual({
      object: 'scim-token',
      id: String(token).split('_')[2],
      label: 'Entra',
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: '2999-01-01T00:00:00.000Z',
      service: { baseURL: `https://docs.example/scim/v2/organizations/${rig.organization}` },
      urls: { location: `https://docs.example/v1${tokens}/${String(listed['id'])}` },
    });
    expect((await rig.send('GET', tokens, { token: admin.token })).body.items[0]).toEqual(listed);
    const path = `${tokens}/${String(listed['id'])}`;
    const revoke = async () => (await rig.send('DELETE', path, { token: admin.token })).status;
    expect([await revoke(), await revoke()]).toEqual([205, 204]);
    const labels = (await rig.send('GET', tokens)).body.items.map(({ label }) => label);
    expect(labels).not.toContain('Entra');
  });

  it('appear in the audit log with who made and revoked them', async () => {
    const { body } = await create({ label: 'Audited' });
    const id = String(body['id']);
    await rig.send('DELETE', `${tokens}/${id}`, { token: admin.token });
    const events = (await rig.send('GET', `/orgs/${rig.organization}/audit-events?target=${id}`)).body.items;
    expect(events.map((event) => [event['action'], get(event, 'actor.id'), get(event, 'target.object')])).toEqual([
      ['scim_token_revoked', admin.id, 'scim-token'],
      ['scim_token_created', admin.id, 'scim-token'],
    ]);
  });

  it('open no operation of the API', async () => {
    const { body } = await create({ label: 'Elsewhere' });
    const token = String(body['token']);
    for (const path of ['/user', '/orgs', `/orgs/${rig.organization}/members`]) {
      const { status, body: refused } = await rig.send('GET', path, { token });
      expect([status, refused.error.message]).toEqual([403, 'A SCIM token can be used for SCIM alone']);
    }
  });

  it('are refused for a moment in the past and for a blank label, naming the field', async () => {
    const refused = async (body: object) => {
      const answer = await create(body);
      return [answer.status, answer.body.error.details?.[0]?.path];
    };
    expect(await refused({ label: 'Okta', expiresAt: '2020-01-01T00:00:00Z' })).toEqual([400, 'body.expiresAt']);
    expect(await refused({ label: ' ' })).toEqual([400, 'body.label']);
  });
});
