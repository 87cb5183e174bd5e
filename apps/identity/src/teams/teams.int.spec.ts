import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Person, type Rig } from '../test/rig.js';

describe('teams', () => {
  let rig: Rig;
  let ann: Person;
  let bob: Person;
  let guest: Person;
  let base: string;

  beforeAll(async () => {
    rig = await startRig();
    base = `/orgs/${rig.organization}`;
    ann = await rig.member('Ann Reader', 'read');
    bob = await rig.member('Bob Editor', 'edit');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const newTeam = async (title: string, members: string[] = []): Promise<string> => {
    const { status, body } = await rig.send('PUT', `${base}/teams`, { body: { title, members } });
    expect(status).toBe(201);
    return String(body['id']);
  };

  it('are created, and can be read at their location', async () => {
    const created = await rig.send('PUT', `${base}/teams`, { body: { title: 'Writers', members: [ann.id, bob.id] } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      object: 'team',
      title: 'Writers',
      members: 2,
      permissions: { admin: true, view: true },
    });
    const location = created.headers.get('location') ?? '';
    expect(location).toBe(`https://docs.example/v1${base}/teams/${String(created.body['id'])}`);
    const read = await rig.send('GET', location.replace('https://docs.example/v1', ''));
    expect(read.body).toEqual(created.body);
  });

  it('cannot be created with somebody who is no member, and the refusal names the entry', async () => {
    const { status, body } = await rig.send('PUT', `${base}/teams`, { body: { title: 'X', members: ['nobody'] } });
    expect([status, body.error.reason, body.error.details?.[0]?.path]).toEqual([
      400,
      'invalid_request',
      'body.members[0]',
    ]);
  });

  it('can be renamed by admins and owners, and not by other members', async () => {
    const id = await newTeam('Before', [ann.id, bob.id]);
    expect((await rig.send('PUT', `${base}/teams/${id}/members/${ann.id}`, { body: { role: 'owner' } })).status).toBe(
      204,
    );
    const byOwner = await rig.send('PATCH', `${base}/teams/${id}`, { token: ann.token, body: { title: 'After' } });
    expect(byOwner.body).toMatchObject({ title: 'After', permissions: { admin: true } });
    expect((await rig.send('PATCH', `${base}/teams/${id}`, { token: bob.token, body: { title: 'No' } })).status).toBe(
      403,
    );
    expect((await rig.send('PATCH', `${base}/teams/${id}`, { body: {} })).status).toBe(400);
  });

  it('are visible to a guest only when the guest is in them', async () => {
    const id = await newTeam('Closed');
    const path = `${base}/teams/${id}`;
    expect((await rig.send('GET', path, { token: guest.token })).status).toBe(404);
    expect((await rig.send('DELETE', path, { token: guest.token })).status).toBe(204);
    await rig.send('PUT', `${path}/members/${guest.id}`);
    expect((await rig.send('GET', path, { token: guest.token })).status).toBe(200);
    expect((await rig.send('DELETE', path, { token: guest.token })).status).toBe(403);
  });

  it('can add and remove members in one request, in which removal wins', async () => {
    const id = await newTeam('Mixed', [ann.id]);
    const path = `${base}/teams/${id}/members`;
    const change = {
      add: [bob.email.toUpperCase(), guest.id],
      remove: [guest.id, ann.email],
      memberships: { [bob.id]: { role: 'owner' } },
    };
    expect((await rig.send('PUT', path, { body: change })).status).toBe(204);
    const { body } = await rig.send('GET', path);
    expect(body.items.map((item) => [get(item, 'organization.id'), get(item, 'team.role')])).toEqual([
      [bob.id, 'owner'],
    ]);
    expect(body).toMatchObject({ count: 1 });
    expect((await rig.send('PUT', path, { body: { add: ['who@example.com'] } })).status).toBe(400);
  });

  it('get owners from admins alone', async () => {
    const id = await newTeam('Owned', [bob.id]);
    await rig.send('PUT', `${base}/teams/${id}/members/${ann.id}`, { body: { role: 'owner' } });
    const path = `${base}/teams/${id}/members/${bob.id}`;
    expect((await rig.send('PUT', path, { token: ann.token, body: { role: 'owner' } })).status).toBe(403);
    expect((await rig.send('DELETE', path, { token: ann.token })).status).toBe(205);
    expect((await rig.send('DELETE', path, { token: ann.token })).status).toBe(204);
  });

  it('contain a person once, by whichever name they are added', async () => {
    const path = `${base}/teams/${await newTeam('Twice', [bob.id, bob.id])}/members`;
    const put = (body: object) => rig.send('PUT', path, { body });
    expect((await rig.send('GET', path)).body).toMatchObject({ count: 1 });
    expect(
      (
        await put({
          add: [bob.id, bob.email],
          memberships: { [bob.id]: { role: 'owner' }, [bob.email]: { role: 'owner' } },
        })
      ).status,
    ).toBe(204);
    expect((await rig.send('GET', path)).body).toMatchObject({ count: 1, items: [{ team: { role: 'owner' } }] });
    const torn = await put({ memberships: { [bob.id]: { role: 'owner' }, [bob.email]: { role: 'member' } } });
    expect([torn.status, torn.body.error.details?.[0]?.path]).toEqual([400, 'body.memberships']);
  });

  it('are deleted once', async () => {
    const id = await newTeam('Short lived', [ann.id]);
    const gone = await rig.send('DELETE', `${base}/teams/${id}`);
    expect([gone.status, gone.headers.get('content-length')]).toEqual([205, '0']);
    expect((await rig.send('DELETE', `${base}/teams/${id}`)).status).toBe(204);
    expect((await rig.send('GET', `${base}/teams/${id}`)).status).toBe(404);
    const own = await rig.send('GET', `${base}/members/${ann.id}/teams`, { token: ann.token });
    expect(own.body.items.some((item) => get(item, 'team.id') === id)).toBe(false);
  });

  it('are paged by title', async () => {
    const titles = ['paged Alpha', 'Paged beta', 'paged Gamma'];
    for (const title of titles) await newTeam(title);
    const first = await rig.send('GET', `${base}/teams?title=PAGED&limit=2`);
    expect(first.body).toMatchObject({ count: 3 });
    expect(first.body.items.map((team) => team['title'])).toEqual(titles.slice(0, 2));
    const page = encodeURIComponent(String(get(first.body, 'next.page')));
    const second = await rig.send('GET', `${base}/teams?title=PAGED&limit=2&page=${page}`);
    expect(second.body.items.map((team) => team['title'])).toEqual(titles.slice(2));
    expect(second.body).not.toHaveProperty('next');
    const foreign = await rig.send('GET', `${base}/teams?limit=2&page=${page}`);
    expect([foreign.status, foreign.body.error.message]).toEqual([400, 'Invalid page']);
  });
});
