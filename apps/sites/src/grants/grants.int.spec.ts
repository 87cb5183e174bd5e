import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withStore, type RigWithStore } from '@scriptorium/testing/store';
import { eventually, get, type Person } from '../test/rig.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

describe('what a site grants', () => {
  let world: SiteRig;
  let rig: RigWithStore;
  let site: string;
  beforeAll(async () => {
    world = await startSiteRig();
    rig = withStore(world.rig, 'sites');
    site = await world.site({ title: 'Docs' });
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (method: string, path: string, body?: object, { token }: Person = world.rig.owner) =>
    world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const permissions = () => `${site}/permissions`;
  const seenBy = async (person: Person) => [
    (await send('GET', site, undefined, person)).status,
    (await send('GET', `${world.org}/sites`, undefined, person)).body['count'],
  ];

  it('opens it to guests, also through teams, and closes it to members', async () => {
    const { guest, reader } = world;
    expect(await seenBy(guest)).toEqual([404, 0]);
    expect((await send('POST', permissions(), { role: 'read', users: [guest.id] })).status).toBe(204);
    expect(await seenBy(guest)).toEqual([200, 1]);
    expect((await send('PATCH', `${permissions()}/users/${guest.id}`, { role: 'admin' })).status).toBe(204);
    expect((await send('PATCH', site, { title: 'By a guest' }, guest)).body['title']).toBe('By a guest');
    const removal = () => send('DELETE', `${permissions()}/users/${guest.id}`);
    expect([(await removal()).status, (await removal()).status]).toEqual([205, 204]);
    expect(await seenBy(guest)).toEqual([404, 0]);
    const team = await send('PUT', `${world.org}/teams`, { title: 'Guests', members: [guest.id] });
    await send('POST', permissions(), { role: 'read', teams: [team.body['id']] });
    expect(await seenBy(guest)).toEqual([200, 1]);
    await send('POST', permissions(), { role: null, users: [reader.id] });
    expect(await seenBy(reader)).toEqual([404, 0]);
    const shown = await send('GET', `${permissions()}/users`);
    expect(shown.body.items).toMatchObject([{ access: 'none', user: { id: reader.id } }]);
    expect((await send('GET', `${permissions()}/teams`)).body.items).toMatchObject([{ permission: 'read' }]);
    const readers = await send('GET', `${permissions()}/aggregate?role=read`);
    expect(readers.body.items).toMatchObject([{ permission: 'read', user: { id: guest.id } }]);
    await send('DELETE', `${world.org}/teams/${String(team.body['id'])}`);
    await eventually(async () => (await seenBy(guest))[0] === 404);
    expect((await send('GET', `${permissions()}/teams`)).body['count']).toBe(0);
  });

  it('is listed with the level that each member has by it, page by page', async () => {
    const { org, creator, editor, reader, guest } = world;
    const own = await world.site({ title: 'Listed' });
    const grant = (body: object) => send('POST', `${own}/permissions`, body);
    const aggregate = `${own}/permissions/aggregate`;
    const team = await send('PUT', `${org}/teams`, { title: 'Raised', members: [editor.id, guest.id] });
    await grant({ role: 'admin', teams: [team.body['id']] });
    await grant({ role: null, users: [reader.id] });
    const all = (await send('GET', aggregate)).body;
    const levels = new Map(all.items.map((one) => [get(one, 'user.id'), one['permission']]));
    expect([creator, editor, reader, guest].map(({ id }) => levels.get(id))).toEqual([
      'create',
      'admin',
      undefined,
      'admin',
    ]);
    expect(all['count']).toBe(all.items.length);
    const walk = async (path: string): Promise<unknown[]> => {
      const { body } = await send('GET', path);
      const next = get(body, 'next.page');
      const rest =
        next === undefined ? [] : await walk(`${aggregate}?limit=1&page=${encodeURIComponent(next as string)}`);
      return [...body.items, ...rest];
    };
    expect(await walk(`${aggregate}?limit=1`)).toEqual(all.items);
    const admins = (await send('GET', `${aggregate}?role=admin`)).body.items.map((one) => get(one, 'user.id'));
    expect(admins).toEqual(expect.arrayContaining([editor.id, guest.id]));
    expect(admins).not.toContain(creator.id);
  });

  it('ends with the stay of the member', async () => {
    const leaver = await world.rig.member('Lea Ver', null);
    await send('POST', permissions(), { role: 'create', users: [leaver.id] });
    await send('DELETE', `${world.org}/members/${leaver.id}`);
    const stored = () => rig.store.database.collection('site_v3').findOne({ 'grants.users.user': leaver.id });
    await eventually(async () => (await stored()) === null);
    await send('POST', `${world.org}/invites`, { emails: [leaver.email], role: null });
    expect(await seenBy(leaver)).toEqual([404, 0]);
  });

  it('is changed by admins alone, and names those whom the organization does not have', async () => {
    const { reader, creator, stranger } = world;
    for (const path of ['', '/users', '/teams', '/aggregate'].map((end) => `${permissions()}${end}`)) {
      const method = path.endsWith('permissions') ? 'POST' : 'GET';
      const body = method === 'POST' ? { role: 'read', users: [reader.id] } : undefined;
      expect((await send(method, path, body, creator)).status).toBe(403);
      expect((await send(method, path, body, stranger)).status).toBe(404);
    }
    const unknown = await send('POST', permissions(), { role: 'read', users: [reader.id, stranger.id] });
    expect(refusal(unknown)).toEqual([404, 'not_found', 'body.users[1]']);
    expect(refusal(await send('POST', permissions(), { role: 'read' }))[2]).toBe('body.users');
    expect((await send('PATCH', `${permissions()}/users/${creator.id}`, { role: 'read' })).status).toBe(404);
    expect((await send('PATCH', `${permissions()}/teams/none`, { role: 'read' })).status).toBe(404);
    expect((await send('DELETE', `${permissions()}/users/${stranger.id}`)).status).toBe(204);
  });
});
