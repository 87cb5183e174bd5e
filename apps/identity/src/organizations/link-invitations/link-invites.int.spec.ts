import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Person, type Rig } from '../../test/rig.js';

describe('invitations by link', () => {
  let rig: Rig;
  let org: string;
  let links: string;
  let reader: Person;
  beforeAll(async () => {
    rig = await startRig({ MAX_LINK_INVITES_PER_ORGANIZATION: '4' });
    await rig.replica();
    org = `/orgs/${rig.organization}`;
    links = `${org}/link-invites`;
    reader = await rig.member('Rea Der', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (role: string | null) => {
    const { status, body } = await rig.send('POST', links, { body: { role } });
    expect(status).toBe(201);
    return String(body['id']);
  };
  const join = async (invite: string, person: Person) => {
    const { status, body } = await rig.send('POST', `${org}/invites/${invite}`, { token: person.token });
    return [status, status === 200 ? body : body.error.reason];
  };
  const roleOf = async (person: Person) => (await rig.send('GET', `${org}/members/${person.id}`)).body['role'];

  it('can be created, read, changed and deleted by admins', async () => {
    const made = await rig.send('POST', links, { body: { role: 'edit' } });
    const id = String(made.body['id']);
    expect(made.headers.get('location')).toBe(`https://docs.example/v1${links}/${id}`);
    expect(made.body).toMatchObject({
      object: 'invite',
      role: 'edit',
      redundant: true,
      urls: { app: `https://docs.example/join/${id}` },
    });
    expect((await rig.send('GET', `${links}/${id}`)).body).toEqual(made.body);
    expect((await rig.send('PATCH', `${links}/${id}`, { body: { role: null } })).body).toMatchObject({
      id,
      role: null,
    });
    expect((await rig.send('PATCH', `${links}/${id}`, { body: {} })).body).toMatchObject({ role: null });
    const second = await make('read');
    const listed = await rig.send('GET', `${links}?limit=1`);
    expect(listed.body).toMatchObject({ count: 2, items: [{ id: second }] });
    const rest = await rig.send(
      'GET',
      `${links}?limit=1&page=${encodeURIComponent(String(get(listed.body, 'next.page')))}`,
    );
    expect(rest.body.items.map((item) => item['id'])).toEqual([id]);
    expect((await rig.send('DELETE', `${links}/${id}`)).status).toBe(205);
    expect((await rig.send('DELETE', `${links}/${id}`)).status).toBe(204);
    expect((await rig.send('GET', `${links}/${id}`)).status).toBe(404);
    expect((await rig.send('PATCH', `${links}/${id}`, { body: { role: 'read' } })).status).toBe(404);
    await rig.send('DELETE', `${links}/${second}`);
  });

  it('refuse unknown roles, unknown content and callers who are not admins', async () => {
    const refusal = async (body: object) => {
      const answer = await rig.send('POST', links, { body });
      return [answer.status, answer.body.error.reason];
    };
    expect(await refusal({ role: 'king' })).toEqual([400, 'invalid_request']);
    expect(await refusal({})).toEqual([400, 'invalid_request']);
    expect(await refusal({ level: 'read', space: 'nospace' })).toEqual([404, 'not_found']);
    expect(await refusal({ level: 'read', collection: 'nocollection' })).toEqual([404, 'not_found']);
    expect(await refusal({ role: 'read', space: 'nospace' })).toEqual([400, 'invalid_request']);
    const both = await rig.send('POST', links, { body: { role: 'read', space: 'nospace' } });
    expect(both.body.error.message).toMatch(/^body\.space: Cannot be beside `role`/);
    expect(await refusal({ level: 'king', space: 'nospace' })).toEqual([400, 'invalid_request']);
    expect((await rig.send('POST', links, { token: reader.token, body: { role: 'read' } })).status).toBe(403);
    expect((await rig.send('POST', '/orgs/nowhere/link-invites', { body: { role: 'read' } })).status).toBe(404);
  });

  it('admit everybody who has the link, any number of times', async () => {
    const id = await make('comment');
    const [ann, bob] = [await rig.person('Ann Linked'), await rig.person('Bob Linked')];
    expect(await join(id, ann)).toEqual([200, {}]);
    expect(await join(id, bob)).toEqual([200, {}]);
    expect(await join(id, ann)).toEqual([200, {}]);
    expect(await roleOf(ann)).toBe('comment');
    expect(await join(id, reader)).toEqual([200, {}]);
    expect(await roleOf(reader)).toBe('read');
    await rig.send('PATCH', `${links}/${id}`, { body: { role: null } });
    const cleo = await rig.person('Cleo Linked');
    expect(await join(id, cleo)).toEqual([200, {}]);
    expect(await roleOf(cleo)).toBeNull();
    await rig.send('DELETE', `${links}/${id}`);
  });

  it('admit nobody when they are deleted, belong to another organization, or are switched off', async () => {
    const id = await make('read');
    const dan = await rig.person('Dan Linked');
    const other = await rig.send('POST', '/orgs', { body: { title: 'Other links' } });
    const elsewhere = `/orgs/${String(other.body['id'])}`;
    expect((await rig.send('POST', `${elsewhere}/invites/${id}`, { token: dan.token })).status).toBe(404);
    expect((await rig.send('GET', `${elsewhere}/link-invites/${id}`)).status).toBe(404);
    await rig.send('PATCH', org, { body: { inviteLinks: false } });
    expect(await join(id, dan)).toEqual([404, 'not_found']);
    expect((await rig.send('GET', `${links}/${id}`)).status).toBe(200);
    await rig.send('PATCH', org, { body: { inviteLinks: true } });
    await rig.send('DELETE', `${links}/${id}`);
    expect(await join(id, dan)).toEqual([404, 'not_found']);
    expect(await join('unknown', dan)).toEqual([404, 'not_found']);
    expect((await rig.send('GET', `${org}/members/${dan.id}`)).status).toBe(404);
  });

  it('are limited in number', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => rig.send('POST', links, { body: { role: 'read' } })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(4);
    const over = made.find(({ status }) => status === 409);
    expect(over?.body.error).toMatchObject({
      reason: 'limit_reached',
      details: [{ path: 'linkInvitesPerOrganization', message: 'At most 4' }],
    });
    for (const { status, body } of made) if (status === 201) await rig.send('DELETE', `${links}/${String(body['id'])}`);
  });

  it('are created once when the request is repeated with its idempotency key', async () => {
    const again = () => rig.send('POST', links, { body: { role: 'read' }, headers: { 'idempotency-key': '1' } });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await rig.send('GET', links)).body).toMatchObject({ count: 1 });
  });
});
