import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Person, type Rig } from '../../test/rig-with-store.js';
import { users } from '../../organization-read-models/user.projection.js';
import type { LastSeenDocument } from './last-seen.operational.js';
import { memberKey } from '../../organization-read-models/member.projection.js';

describe('members of an organization', () => {
  let rig: Rig;
  let base: string;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    rig = await startRig();
    base = `/orgs/${rig.organization}/members`;
    ann = await rig.member('Ann Reader', 'read');
    bob = await rig.member('Bob Editor', 'edit');
  }, 60_000);
  afterAll(() => rig.stop());

  const namesOf = async (query: string): Promise<string[]> =>
    (await rig.send('GET', `${base}?${query}`)).body.items.map((member) => String(get(member, 'user.displayName')));

  it('are listed with the last to join first', async () => {
    const { status, body } = await rig.send('GET', base);
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 3 });
    expect(body.items.map((member) => member['role'])).toEqual(['edit', 'read', 'admin']);
    expect(body.items[0]).toMatchObject({
      object: 'member',
      id: bob.id,
      disabled: false,
      sso: false,
      teams: 0,
      user: { email: bob.email },
    });
  });

  it('can be filtered by role, searched and sorted', async () => {
    await rig.member('Gus Guest', null);
    expect(await namesOf('role=edit')).toEqual(['Bob Editor']);
    expect(await namesOf('role=guest')).toEqual(['Gus Guest']);
    expect(await namesOf('search=EDITOR')).toEqual(['Bob Editor']);
    expect(await namesOf(`search=${encodeURIComponent('ann.reader@')}`)).toEqual(['Ann Reader']);
    expect(await namesOf('search=.*')).toEqual([]);
    expect(await namesOf('sort=name&order=asc')).toEqual(['Ann Reader', 'Bob Editor', 'Gus Guest', 'Olga Owner']);
    expect(await namesOf('sort=name&order=asc&role=admin')).toEqual(['Olga Owner']);
    expect(await namesOf('sort=lastSeenAt')).toEqual([]);
    expect(await namesOf('order=asc&limit=1')).toEqual(['Olga Owner']);
    expect((await rig.send('GET', `${base}?role=king`)).status).toBe(400);
    expect((await rig.send('GET', `${base}?limit=1001`)).status).toBe(400);
    expect((await rig.send('GET', `${base}?limit=0`)).body).toEqual({ items: [], count: 4 });
  });

  it.each(['joinedAt', 'name'])('are paged by %s without losing or repeating anyone', async (sort) => {
    const seen: string[] = [];
    for (let page = ''; ;) {
      const { body } = await rig.send('GET', `${base}?limit=1&sort=${sort}${page}`);
      seen.push(...body.items.map((member) => String(member['id'])));
      if (body['next'] === undefined) break;
      page = `&page=${encodeURIComponent(String(get(body, 'next.page')))}`;
    }
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });

  it('can be read by other members, and do not exist for strangers', async () => {
    expect((await rig.send('GET', `${base}/${ann.id}`, { token: bob.token })).body).toMatchObject({
      id: ann.id,
      role: 'read',
    });
    expect((await rig.send('GET', `${base}/nobody`)).status).toBe(404);
    const stranger = await rig.person('Stan Stranger');
    expect((await rig.send('GET', `${base}/${ann.id}`, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', base, { token: stranger.token })).status).toBe(404);
  });

  it('can be given another role by admins', async () => {
    const cleo = await rig.member('Cleo Changed', 'read');
    const changed = await rig.send('PATCH', `${base}/${cleo.id}`, { body: { role: 'review' } });
    expect([changed.status, changed.body['role']]).toEqual([200, 'review']);
    expect((await rig.send('PATCH', `${base}/${cleo.id}`, { body: {} })).body).toMatchObject({ role: 'review' });
    expect((await rig.send('PATCH', `${base}/${cleo.id}`, { body: { role: null } })).body['role']).toBeNull();
    expect((await rig.send('PATCH', `${base}/${cleo.id}`, { body: { role: 'king' } })).status).toBe(400);
    expect((await rig.send('PATCH', `${base}/${cleo.id}`, { token: bob.token, body: { role: 'admin' } })).status).toBe(
      403,
    );
    expect((await rig.send('PATCH', `${base}/nobody`, { body: { role: 'read' } })).status).toBe(404);
  });

  it('include an admin at all times: the last one can be neither demoted nor removed', async () => {
    const demoted = await rig.send('PATCH', `${base}/${rig.owner.id}`, { body: { role: 'read' } });
    expect([demoted.status, demoted.body.error.reason]).toEqual([409, 'last_admin']);
    expect((await rig.send('DELETE', `${base}/${rig.owner.id}`)).status).toBe(409);
  });

  it('lose their teams and all access when they are removed', async () => {
    const dan = await rig.member('Dan Leaving', 'edit');
    const team = await rig.send('PUT', `/orgs/${rig.organization}/teams`, {
      body: { title: 'Leaving', members: [dan.id, ann.id] },
    });
    const teamPath = `/orgs/${rig.organization}/teams/${String(team.body['id'])}`;
    expect((await rig.send('GET', `${base}/${dan.id}`)).body['teams']).toBe(1);
    expect((await rig.send('DELETE', `${base}/${dan.id}`)).status).toBe(205);
    expect((await rig.send('DELETE', `${base}/${dan.id}`)).status).toBe(204);
    expect((await rig.send('GET', teamPath)).body['members']).toBe(1);
    expect((await rig.send('GET', `${teamPath}/members`)).body).toMatchObject({
      count: 1,
      items: [{ organization: { id: ann.id } }],
    });
    expect((await rig.send('GET', `/orgs/${rig.organization}`, { token: dan.token })).status).toBe(404);
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [dan.email], role: 'read' } });
    expect((await rig.send('GET', `${base}/${dan.id}`)).body).toMatchObject({ role: 'read', teams: 0 });
  });

  it('can leave', async () => {
    const eve = await rig.member('Eve Leaver', 'read');
    expect((await rig.send('DELETE', `${base}/${eve.id}`, { token: eve.token })).status).toBe(205);
    expect((await rig.send('GET', '/orgs', { token: eve.token })).body).toEqual({ items: [], count: 0 });
  });

  it('show when they were last seen, also in answers that were cached before', async () => {
    const gil = await rig.member('Gil Seen', 'read');
    const team = await rig.send('PUT', `/orgs/${rig.organization}/teams`, {
      body: { title: 'Seen', members: [gil.id] },
    });
    const teamMembers = `/orgs/${rig.organization}/teams/${String(team.body['id'])}/members`;
    const seen = rig.store.database.collection<LastSeenDocument & { _id: string }>('op_last_seen');
    const answers = async () => [
      get((await rig.send('GET', `${base}?search=gil`)).body, 'items.0.lastSeenAt'),
      get((await rig.send('GET', `${base}?sort=lastSeenAt`)).body, 'items.0.lastSeenAt'),
      get((await rig.send('GET', `${base}/${gil.id}`)).body, 'lastSeenAt'),
      get((await rig.send('GET', teamMembers)).body, 'items.0.organization.lastSeenAt'),
    ];
    expect(await answers()).toEqual([undefined, undefined, undefined, undefined]);
    for (const at of ['2026-02-03T04:05:06.007Z', '2026-02-03T05:05:06.007Z']) {
      await seen.updateOne(
        { _id: memberKey(rig.organization, gil.id) },
        { $set: { organization: rig.organization, at } },
        { upsert: true },
      );
      await eventually(async () => (await answers()).every((shown) => shown === at));
    }
  });

  it('have a list of their teams by title', async () => {
    const fay = await rig.member('Fay Member', 'read');
    for (const title of ['b second', 'A first']) {
      await rig.send('PUT', `/orgs/${rig.organization}/teams`, { body: { title, members: [fay.id] } });
    }
    const { body } = await rig.send('GET', `${base}/${fay.id}/teams`, { token: fay.token });
    expect(body.items.map((item) => [get(item, 'team.title'), get(item, 'member.role')])).toEqual([
      ['A first', 'member'],
      ['b second', 'member'],
    ]);
    expect((await rig.send('GET', `${base}/${fay.id}/teams?title=SEC`)).body).toMatchObject({ count: 1 });
  });

  it('are counted in the list by name only if that list contains them', async () => {
    const ida = await rig.member('Ida Erased', 'read');
    const listed = async (limit: number) => {
      const { body } = await rig.send('GET', `${base}?sort=name&limit=${limit}`);
      return [body['count'], body.items.length];
    };
    const [before = 0] = (await listed(500)) as number[];
    await rig.store.database.collection<{ _id: string }>(users.collection).deleteOne({ _id: ida.id });
    expect(await listed(499)).toEqual([before - 1, before - 1]);
  });
});
