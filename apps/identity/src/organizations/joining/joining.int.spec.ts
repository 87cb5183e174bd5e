import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@scriptorium/event-sourcing';
import { someCertificate } from '@scriptorium/testing';
import { eventually, get, startRig, type Body, type Person, type Rig } from '../../test/rig-with-store.js';
import { LastSeen } from '../members/last-seen.operational.js';
import { memberKey } from '../../organization-read-models/member.projection.js';

describe('joining by e-mail domain', () => {
  let rig: Rig;
  let org: string;
  let ann: Person;
  let boss: { id: string; token: string };
  beforeAll(async () => {
    // Colleagues have addresses of acme.example, and one of them is an admin. All others have addresses of example.org.
    rig = await startRig({ MAX_MEMBERS_PER_ORGANIZATION: '4' });
    org = `/orgs/${rig.organization}`;
    boss = await colleague('boss');
    await rig.send('POST', `${org}/invites`, { body: { emails: ['boss@acme.example'], role: 'admin' } });
    ann = await rig.person('Ann Joining');
  }, 60_000);
  afterAll(() => rig.stop());

  const colleague = async (name: string, emailVerified = true) => {
    const email = `${name}@acme.example`;
    const { body } = await rig.send('POST', '/users', { body: { email, displayName: name, emailVerified } });
    const token = await rig.send('POST', `/users/${String(body['id'])}/tokens`, { body: { label: 'x' } });
    return { id: String(body['id']), token: String(token.body['token']) };
  };
  const join = async (token: string, path = org) => {
    const { status, body } = await rig.send('POST', `${path}/join`, { token });
    return [status, body?.error.reason];
  };
  const domains = (emailDomains: string[]) => rig.send('PATCH', org, { token: boss.token, body: { emailDomains } });

  it('is allowed to people with an address of a domain that the organization names, who get its default role', async () => {
    const cleo = await colleague('cleo');
    expect(await join(cleo.token)).toEqual([400, 'email_domain_not_allowed']);
    await domains(['Acme.example']);
    await rig.send('PATCH', org, { body: { defaultRole: 'comment' } });
    expect(await join(ann.token)).toEqual([400, 'email_domain_not_allowed']);
    expect(await join(cleo.token)).toEqual([204, undefined]);
    expect((await rig.send('GET', `${org}/members/${cleo.id}`)).body['role']).toBe('comment');
    expect(await join(cleo.token)).toEqual([204, undefined]);
  });

  it('makes people guests when the organization has no default role, up to the limit of members', async () => {
    await rig.send('PATCH', org, { body: { defaultRole: null } });
    const dora = await colleague('dora');
    expect(await join(dora.token)).toEqual([204, undefined]);
    expect((await rig.send('GET', `${org}/members/${dora.id}`)).body['role']).toBeNull();
    const full = await colleague('emil');
    expect(await join(full.token)).toEqual([409, 'limit_reached']);
  });

  it('requires a verified address and an existing organization', async () => {
    const fay = await colleague('fay', false);
    expect(await join(fay.token)).toEqual([400, 'email_domain_not_allowed']);
    expect(await join(ann.token, '/orgs/nowhere')).toEqual([404, 'organization_not_found']);
  });

  it('is refused for a domain of which no admin has an address', async () => {
    const founder = await rig.person('Gil Gatherer');
    const made = await rig.send('POST', '/orgs', {
      token: founder.token,
      body: { title: 'Gatherers', emailDomains: ['acme.example'] },
    });
    const stranger = await colleague('hans');
    expect(await join(stranger.token, `/orgs/${String(made.body['id'])}`)).toEqual([400, 'email_domain_not_allowed']);
  });

  it('is offered only to people with an address of the domain', async () => {
    const titles = async (domain: string, token: string) => {
      const { status, body } = await rig.send('GET', `/email-domains/${domain}/orgs`, { token });
      return [
        status,
        (body['organizations'] as { title: string; permissions: { view: boolean } }[]).map(({ title, permissions }) => [
          title,
          permissions.view,
        ]),
      ];
    };
    const ivan = await colleague('ivan');
    expect(await titles('ACME.example', ivan.token)).toEqual([
      200,
      [
        ['First Organization', false],
        ['Gatherers', false],
      ],
    ]);
    expect(await titles('acme.example', boss.token)).toEqual([
      200,
      [
        ['First Organization', true],
        ['Gatherers', false],
      ],
    ]);
    expect(await titles('acme.example', ann.token)).toEqual([200, []]);
    expect(await titles('example.org', ann.token)).toEqual([200, []]);
    expect((await rig.send('GET', '/email-domains/no%20domain/orgs')).status).toBe(400);
  });

  it('does not show the settings of an organization that enforces single sign-on', async () => {
    const founder = await rig.person('Gia Guarded');
    const made = await rig.send('POST', '/orgs', {
      token: founder.token,
      body: { title: 'Guarded', emailDomains: ['guarded.example'] },
    });
    const path = `/orgs/${String(made.body['id'])}`;
    const complete = {
      label: 'Main',
      ssoURL: 'https://idp.example/sso',
      entityID: 'https://idp.example',
      certificate: someCertificate,
    };
    await rig.send('POST', `${path}/saml`, { token: founder.token, body: complete });
    const { body } = await rig.send('POST', '/users', {
      body: { email: 'jo@guarded.example', displayName: 'Jo', emailVerified: true },
    });
    const token = await rig.send('POST', `/users/${String(body['id'])}/tokens`, { body: { label: 'x' } });
    const seen = async () =>
      (await rig.send('GET', '/email-domains/guarded.example/orgs', { token: String(token.body['token']) })).body[
        'organizations'
      ] as Body[];
    expect(await seen()).toMatchObject([{ title: 'Guarded', sso: false, emailDomains: ['guarded.example'] }]);
    await rig.send('PATCH', path, { token: founder.token, body: { sso: true } });
    const [closed] = await seen();
    expect(closed).toMatchObject({ title: 'Guarded', sso: true, emailDomains: [] });
    expect(closed).not.toHaveProperty('ssoLogins');
  });

  it('does not affect subdomains, which lead to the organization with that hostname', async () => {
    const { status, body } = await rig.send('GET', '/subdomains/first-organization', { token: ann.token });
    expect([status, body]).toEqual([
      200,
      {
        object: 'subdomain',
        subdomain: 'first-organization',
        target: { type: 'organization', organization: rig.organization },
        isActive: true,
      },
    ]);
    expect((await rig.send('GET', '/subdomains/nobody-has-it')).status).toBe(404);
    expect((await rig.send('GET', '/subdomains/X')).status).toBe(400);
  });

  it('can be followed by pings, which are recorded once a minute until the member leaves', async () => {
    const member = (await rig.send('GET', `${org}/members`)).body.items.find(({ role }) => role === null)?.[
      'id'
    ] as string;
    const path = `${org}/members/${rig.owner.id}`;
    expect((await rig.send('GET', path)).body).not.toHaveProperty('lastSeenAt');
    expect((await rig.send('POST', `${org}/ping`)).body).toEqual({});
    await eventually(async () => (await rig.send('GET', path)).body['lastSeenAt'] !== undefined);
    const first = (await rig.send('GET', path)).body['lastSeenAt'];
    expect((await rig.send('POST', `${org}/ping`)).status).toBe(200);
    const seen = new LastSeen(rig.store, systemClock).model;
    const key = memberKey(rig.organization, rig.owner.id);
    expect((await seen.findOne({ _id: key }))?.at).toBe(first);
    const longAgo = '2020-01-01T00:00:00.000Z';
    await seen.raw.updateOne({ _id: key }, { $set: { at: longAgo } });
    await rig.send('POST', `${org}/ping`);
    expect((await seen.findOne({ _id: key }))?.at).not.toBe(longAgo);
    const listed = await rig.send('GET', `${org}/members?sort=lastSeenAt`);
    expect(listed.body.items.map((item) => get(item, 'id'))).toEqual([rig.owner.id]);

    await seen.raw.insertOne({ _id: memberKey(rig.organization, member), organization: rig.organization, at: longAgo });
    await rig.send('DELETE', `${org}/members/${member}`);
    await eventually(async () => (await seen.findOne({ _id: memberKey(rig.organization, member) })) === null);
    expect((await rig.send('POST', `${org}/ping`, { token: ann.token })).status).toBe(404);
  });
});
