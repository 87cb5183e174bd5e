import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { startRig, type Answer, type Person, type Rig } from '../test/rig.js';

const complete = { ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example', certificate: someCertificate };

/** Refusals with a reason other than `invalid_request`, whose `details` name the field. */
describe('a refusal names', () => {
  let rig: Rig;
  let org: string;
  let ann: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    ann = await rig.member('Ann Field', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const refusal = ({ status, body: { error } }: Answer) => [
    status,
    error.reason,
    error.details?.map(({ path }) => path),
  ];

  it('the organization that somebody may not join', async () => {
    const { token } = await rig.person('Joining Jo');
    expect(refusal(await rig.send('POST', `${org}/join`, { token }))).toEqual([
      400,
      'email_domain_not_allowed',
      ['params.organizationId'],
    ]);
    expect(refusal(await rig.send('POST', '/orgs/nowhere/join', { token }))).toEqual([
      404,
      'organization_not_found',
      ['params.organizationId'],
    ]);
  });

  it('the organization or provider for which single sign-on is not available, and the provider settings that are needed', async () => {
    expect(refusal(await rig.send('POST', `${org}/members/${ann.id}/sso`))).toEqual([
      409,
      'sso_unavailable',
      ['params.organizationId'],
    ]);
    const { body } = await rig.send('POST', `${org}/saml`, { body: { label: 'One', ...complete } });
    const provider = `${org}/saml/${String(body['id'])}`;
    expect((await rig.send('PATCH', org, { body: { sso: true } })).status).toBe(200);
    const cleared = { label: 'Two', ssoURL: null, entityID: null, certificate: null };
    const needed = await rig.send('PATCH', provider, { body: cleared });
    expect(refusal(needed)).toEqual([409, 'sso_in_use', ['body.ssoURL', 'body.entityID', 'body.certificate']]);
    expect(refusal(await rig.send('PATCH', provider, { body: { entityID: null } }))).toEqual([
      409,
      'sso_in_use',
      ['body.entityID'],
    ]);
    await rig.send('PATCH', org, { body: { sso: false } });
    await rig.send('PATCH', provider, { body: { entityID: null } });
    const started = await fetch(`${rig.endpoint}/v1/sso/saml/${String(body['id'])}/start`);
    expect(
      refusal({ status: started.status, headers: started.headers, body: (await started.json()) as Answer['body'] }),
    ).toEqual([409, 'sso_unavailable', ['params.samlProviderId']]);
  });

  it('the organization that requires single sign-on', async () => {
    const founder = await rig.person('Closed Founder');
    const made = await rig.send('POST', '/orgs', {
      token: founder.token,
      body: { title: 'Closed', emailDomains: [rig.email('').slice(1)] },
    });
    const closed = `/orgs/${String(made.body['id'])}`;
    await rig.send('POST', `${closed}/saml`, { token: founder.token, body: { label: 'One', ...complete } });
    await rig.send('PATCH', closed, { token: founder.token, body: { sso: true } });
    expect(refusal(await rig.send('POST', `${closed}/join`, { token: ann.token }))).toEqual([
      400,
      'sso_required',
      ['params.organizationId'],
    ]);
  });

  it('the role of the last admin, or the last admin who would be removed', async () => {
    const owner = `${org}/members/${rig.owner.id}`;
    expect(refusal(await rig.send('PATCH', owner, { body: { role: 'read' } }))).toEqual([
      409,
      'last_admin',
      ['body.role'],
    ]);
    expect(refusal(await rig.send('DELETE', owner))).toEqual([409, 'last_admin', ['params.userId']]);
  });

  it('the role that only admins may give', async () => {
    const { body } = await rig.send('PUT', `${org}/teams`, { body: { title: 'Owned' } });
    const members = `${org}/teams/${String(body['id'])}/members`;
    await rig.send('PUT', `${members}/${ann.id}`, { body: { role: 'owner' } });
    const { token } = ann;
    expect(refusal(await rig.send('PUT', `${members}/${rig.owner.id}`, { token, body: { role: 'owner' } }))).toEqual([
      403,
      'forbidden',
      ['body.role'],
    ]);
    const memberships = { [rig.owner.id]: { role: 'owner' } };
    expect(refusal(await rig.send('PUT', members, { token, body: { memberships } }))).toEqual([
      403,
      'forbidden',
      ['body.memberships'],
    ]);
  });
});
