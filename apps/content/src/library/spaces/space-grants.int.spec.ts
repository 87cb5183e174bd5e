import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { get, startRig, type Answer, type Person, type Rig } from '../../test/rig.js';
import { refusal } from '../../test/spaces.js';

describe('grants of a space', () => {
  let rig: Rig;
  let org: string;
  let creator: Person;
  let editor: Person;
  let guest: Person;
  let team: string;
  let path: string;
  beforeAll(async () => {
    rig = await startRig({ MAX_GRANTS_PER_NODE: '4', MAX_GRANTS_PER_ORGANIZATION: '100' });
    org = `/orgs/${rig.organization}`;
    creator = await rig.member('Cleo Creator', 'create');
    editor = await rig.member('Edda Editor', 'edit');
    guest = await rig.member('Gus Guest', null);
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'Writers', members: [guest.id] } });
    team = String(made.body['id']);
  }, 60_000);
  afterAll(() => rig.stop());
  beforeEach(async () => {
    const made = await rig.send('POST', `${org}/spaces`, { token: creator.token });
    path = `/spaces/${String(made.body['id'])}`;
  });

  const as = (person: Person, method: string, rest: string, body?: object) =>
    rig.send(method, `${path}${rest}`, { token: person.token, ...(body === undefined ? {} : { body }) });
  const invite = (body: object, person = creator) => as(person, 'POST', '/permissions', body);
  const shown = ({ body }: Answer) =>
    body.items.map((item) => [get(item, 'user.id') ?? get(item, 'team.id'), item['permission'] ?? item['access']]);
  const levelOf = async (person: Person) => {
    const { status, body } = await as(person, 'GET', '');
    return status === 404 ? null : (body['permissions'] as Record<string, boolean>);
  };

  it('are given to users and teams, and listed with who has them', async () => {
    expect((await invite({ role: 'review', users: [editor.id], teams: [team] })).status).toBe(204);
    const users = await as(editor, 'GET', '/permissions/users');
    expect(new Map(shown(users) as [string, string][])).toEqual(
      new Map([
        [creator.id, 'admin'],
        [editor.id, 'review'],
      ]),
    );
    expect(users.body.items.map((item) => get(item, 'user.displayName')).sort()).toEqual([
      'Cleo Creator',
      'Edda Editor',
    ]);
    expect(users.body.items.some((item) => get(item, 'user.email') !== undefined)).toBe(false);
    const teams = await as(editor, 'GET', '/permissions/teams');
    expect([shown(teams), get(teams.body.items[0], 'team.title')]).toEqual([[[team, 'review']], 'Writers']);
    expect(await levelOf(guest)).toMatchObject({ review: true, viewInviteLinks: false });
  });

  it('say that there is no access, too', async () => {
    await invite({ role: null, users: [editor.id] });
    expect(await levelOf(editor)).toBeNull();
    const { body } = await as(creator, 'GET', '/permissions/users');
    const item = body.items.find((one) => get(one, 'user.id') === editor.id);
    expect(item).toMatchObject({ access: 'none' });
    expect(item).not.toHaveProperty('permission');
  });

  it('are changed and taken back', async () => {
    await invite({ role: 'read', users: [guest.id], teams: [team] });
    const user = `/permissions/users/${guest.id}`;
    expect((await as(creator, 'PATCH', user, { role: 'comment' })).status).toBe(204);
    expect(await levelOf(guest)).toMatchObject({ comment: true, edit: false });
    expect((await as(creator, 'PATCH', `/permissions/teams/${team}`, { role: 'edit' })).status).toBe(204);
    expect((await as(creator, 'DELETE', user)).status).toBe(205);
    expect((await as(creator, 'DELETE', user)).status).toBe(204);
    expect(await levelOf(guest)).toMatchObject({ edit: true });
    expect((await as(creator, 'DELETE', `/permissions/teams/${team}`)).status).toBe(205);
    expect(await levelOf(guest)).toBeNull();
    expect((await as(creator, 'PATCH', user, { role: 'read' })).status).toBe(404);
    expect((await as(creator, 'PATCH', '/permissions/teams/nothing', { role: 'read' })).status).toBe(404);
    expect((await as(creator, 'DELETE', '/permissions/users/nobody')).status).toBe(204);
  });

  it('are given to members and teams of the organization alone', async () => {
    const stranger = await rig.person('Stran Ger');
    expect(refusal(await invite({ role: 'read', users: [editor.id, stranger.id] }))).toEqual([
      404,
      'not_found',
      'body.users[1]',
    ]);
    expect(refusal(await invite({ role: 'read', teams: ['nothing'] }))).toEqual([404, 'not_found', 'body.teams[0]']);
    expect(refusal(await invite({ role: 'read' }))).toEqual([400, 'invalid_request', 'body.users']);
    expect(refusal(await invite({ role: 'boss', users: [editor.id] }))).toEqual([400, 'invalid_request', 'body.role']);
  });

  it('are changed by whoever may create there, up to their own level', async () => {
    expect((await invite({ role: 'read', users: [guest.id] }, editor)).status).toBe(403);
    expect((await invite({ role: 'read', users: [editor.id] }, guest)).status).toBe(404);
    await rig.send('POST', `${path}/permissions`, { body: { role: 'create', users: [editor.id] } });
    expect(refusal(await invite({ role: 'admin', users: [guest.id] }, editor))).toEqual([
      403,
      'forbidden',
      'body.role',
    ]);
    expect((await invite({ role: 'create', users: [guest.id] }, editor)).status).toBe(204);
    // The creator's grant is above that of the editor.
    const above = `/permissions/users/${creator.id}`;
    expect((await as(editor, 'PATCH', above, { role: 'read' })).status).toBe(403);
    expect((await as(editor, 'DELETE', above)).status).toBe(403);
  });

  it('do not let anybody raise their own level', async () => {
    await rig.send('POST', `${path}/permissions`, { body: { role: 'admin', teams: [team] } });
    await rig.send('POST', `${path}/permissions`, { body: { role: 'create', users: [guest.id] } });
    expect((await as(guest, 'DELETE', `/permissions/users/${guest.id}`)).status).toBe(403);
    expect((await as(creator, 'DELETE', `/permissions/users/${guest.id}`)).status).toBe(205);
    expect(await levelOf(guest)).toMatchObject({ admin: true });
  });

  it('add up to the members who have access, each with their level', async () => {
    await invite({ role: 'comment', users: [guest.id] });
    const all = await as(creator, 'GET', '/permissions/aggregate');
    expect(new Map(shown(all) as [string, string][])).toEqual(
      new Map([
        [rig.owner.id, 'admin'],
        [creator.id, 'admin'],
        [editor.id, 'edit'],
        [guest.id, 'comment'],
      ]),
    );
    const some = await as(creator, 'GET', '/permissions/aggregate?role=admin&limit=1');
    expect([some.body['count'], some.body.items.length]).toEqual([2, 1]);
    const page = encodeURIComponent(String(get(some.body, 'next.page')));
    const next = await as(creator, 'GET', `/permissions/aggregate?role=admin&limit=1&page=${page}`);
    expect([...shown(some), ...shown(next)].map(([id]) => id).sort()).toEqual([rig.owner.id, creator.id].sort());
  });

  it('are bounded for each space', async () => {
    const more = await Promise.all(['One', 'Two', 'Three'].map((name) => rig.member(`Bound ${name} ${path}`, null)));
    const users = more.map(({ id }) => id);
    expect((await invite({ role: 'read', users })).status).toBe(204);
    expect(refusal(await invite({ role: 'read', users: [guest.id] }))).toEqual([409, 'limit_reached', 'grantsPerNode']);
    expect((await invite({ role: 'edit', users })).status).toBe(204);
  });
});
