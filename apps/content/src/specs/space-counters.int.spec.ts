import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Person, type Rig } from '../test/rig-with-store.js';

/** The numbers of spaces of members and teams, which identity shows. */
describe('the number of spaces', () => {
  let rig: Rig;
  let org: string;
  let guest: Person;
  let seated: Person;
  let team: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    guest = await rig.member('Gus Guest', null);
    seated = await rig.member('Sea Ted', null);
    team = await newTeam('Writers', [seated.id]);
  }, 60_000);
  afterAll(() => rig.stop());

  const newTeam = async (title: string, members: string[]) =>
    String((await rig.send('PUT', `${org}/teams`, { body: { title, members } })).body['id']);
  const make = async (kind: 'spaces' | 'collections', body: object = {}) =>
    String((await rig.send('POST', `${org}/${kind}`, { body })).body['id']);
  const send = async (method: string, path: string, body?: object) => {
    const { status } = await rig.send(method, path, body === undefined ? {} : { body });
    expect(status).toBeLessThan(300);
  };
  const read = async (path: string) => (await rig.send('GET', path)).body;
  const listed = async (path: string, id: string) =>
    (await read(`${path}?limit=1000`)).items.find((item) => item['id'] === id)?.['spaces'];

  /** Of a member, as every answer shows it. */
  const ofMember = async ({ id }: Person): Promise<number> => {
    const number = (await read(`${org}/members/${id}`))['spaces'];
    expect([
      await listed(`${org}/members`, id),
      (await read(`${org}/members/${id}/spaces?limit=0`))['count'],
      (await read(`${org}/members/${id}/spaces`)).items.length,
    ]).toEqual([number, number, number]);
    return Number(number);
  };
  /** Of a team, as every answer shows it. */
  const ofTeam = async (id = team): Promise<number> => {
    const number = (await read(`${org}/teams/${id}`))['spaces'];
    expect(await listed(`${org}/teams`, id)).toBe(number);
    return Number(number);
  };
  const numbers = async () => [await ofMember(guest), await ofMember(seated), await ofTeam()];

  /** Rebuilds the read models of identity. */
  const rebuildIdentity = async () => {
    const { items } = await read('/operator/identity/consumers?limit=1000');
    const names = items.filter(({ kind }) => kind === 'projection').map(({ name }) => String(name));
    expect(names.some((name) => name.startsWith('node_access_'))).toBe(true);
    for (const name of names) {
      const { body } = await rig.send('POST', `/operator/identity/projections/${name}/rebuild`);
      expect([name, body['equal']]).toEqual([name, true]);
    }
  };

  it('follows grants, deletion, restoration and moves at once, for the client that makes them', async () => {
    expect(await numbers()).toEqual([0, 0, 0]);
    const id = await make('spaces');
    const grants = `/spaces/${id}/permissions`;
    await send('POST', grants, { role: 'read', users: [guest.id], teams: [team] });
    expect(await numbers()).toEqual([1, 1, 1]);
    await send('PATCH', `${grants}/users/${guest.id}`, { role: null });
    expect(await numbers()).toEqual([0, 1, 1]);
    await send('PATCH', `${grants}/users/${guest.id}`, { role: 'edit' });
    await send('DELETE', `/spaces/${id}`);
    expect(await numbers()).toEqual([0, 0, 0]);
    await send('POST', `/spaces/${id}/restore`);
    expect(await numbers()).toEqual([1, 1, 1]);
    await rebuildIdentity();
    expect(await numbers()).toEqual([1, 1, 1]);
    await send('DELETE', `${grants}/users/${guest.id}`);
    expect(await numbers()).toEqual([0, 1, 1]);
    await send('DELETE', `${grants}/teams/${team}`);
    expect(await numbers()).toEqual([0, 0, 0]);
  }, 60_000);

  it('of a member follows default levels and collections; that of a team is of grants to it on spaces', async () => {
    const reader = await rig.member('Rea Der', 'read');
    const before = await ofMember(reader);
    const [open, closed] = [await make('collections'), await make('collections')];
    const id = await make('spaces', { parent: open });
    expect(await ofMember(reader)).toBe(before + 1);
    await send('PATCH', `/collections/${closed}`, { defaultLevel: null });
    await send('POST', `/spaces/${id}/move`, { parent: closed });
    expect(await ofMember(reader)).toBe(before);
    const grants = `/collections/${closed}/permissions`;
    await send('POST', grants, { role: 'read', teams: [team] });
    expect([await ofMember(seated), await ofTeam()]).toEqual([1, 0]);
    await send('PUT', `${org}/teams/${team}/members/${reader.id}`);
    expect(await ofMember(reader)).toBe(before + 1);
    await send('DELETE', `${org}/teams/${team}/members/${reader.id}`);
    expect(await ofMember(reader)).toBe(before);
    await send('DELETE', `/collections/${closed}`);
    expect(await ofMember(seated)).toBe(0);
  });

  it('of a member follows the role, and is 0 for a disabled member', async () => {
    const idle = await rig.member('Idle Member', 'read');
    const closed = await make('spaces');
    await send('PATCH', `/spaces/${closed}`, { defaultLevel: null });
    const before = await ofMember(idle);
    const path = `${org}/members/${idle.id}`;
    const promoted = await rig.send('PATCH', path, { body: { role: 'admin' } });
    expect(promoted.body['spaces']).toBe(await ofMember(idle));
    expect(Number(promoted.body['spaces'])).toBeGreaterThan(before);
    await send('PATCH', path, { role: 'edit' });
    expect(await ofMember(idle)).toBe(before);
    const position = (await rig.send('PATCH', path, { body: { role: null } })).headers.get('scriptorium-position');
    expect(await ofMember(idle)).toBe(0);
    await send('PATCH', path, { role: 'read' });
    // An earlier role, and the present number.
    expect(await read(`${path}?asOf=${position}`)).toMatchObject({ role: null, spaces: before });
    const dry = await rig.send('PATCH', `${path}?dryRun=true`, { body: { role: null } });
    expect(dry.body).toMatchObject({ role: null, spaces: 0 });
    await send('PATCH', path, { disabled: true });
    await eventually(async () => (await read(path))['spaces'] === 0);
    await eventually(async () => (await read(`${path}/spaces?limit=0`))['count'] === 0);
    expect(await ofMember(idle)).toBe(0);
  });

  it('changes the entity tags of the answers that show it', async () => {
    const id = await make('spaces');
    const paths = [`${org}/members/${guest.id}`, `${org}/members`, `${org}/teams/${team}`, `${org}/teams`];
    const tags = () =>
      Promise.all(paths.map(async (path) => (await rig.send('GET', path)).headers.get('etag') ?? path));
    const before = await tags();
    expect(await tags()).toEqual(before);
    const grants = `/spaces/${id}/permissions`;
    await send('POST', grants, { role: 'read', users: [guest.id], teams: [team] });
    const after = await tags();
    after.forEach((tag, i) => expect([paths[i], tag]).not.toEqual([paths[i], before[i]]));
    for (const path of [`users/${guest.id}`, `teams/${team}`]) await send('DELETE', `${grants}/${path}`);
    expect(await tags()).toEqual(before);
  });

  it('is the same where a team or member is part of another answer', async () => {
    const id = await make('spaces');
    const other = await newTeam('Readers', [seated.id]);
    await send('POST', `/spaces/${id}/permissions`, { role: 'read', teams: [other] });
    const embedded = await read(`/spaces/${id}/permissions/teams`);
    expect(get(embedded.items[0], 'team.spaces')).toBe(1);
    const ofMemberTeams = await read(`${org}/members/${seated.id}/teams?title=readers`);
    expect(get(ofMemberTeams.items[0], 'team.spaces')).toBe(1);
    const inTeam = await read(`${org}/teams/${other}/members`);
    expect(get(inTeam.items[0], 'organization.spaces')).toBe(await ofMember(seated));
    const provider = await rig.send('POST', `${org}/saml`, { body: { label: 'x', defaultTeam: other } });
    expect(get(provider.body, 'defaultTeam.spaces')).toBe(1);
    expect(get((await read(`${org}/saml`)).items[0], 'defaultTeam.spaces')).toBe(1);
    const renamed = await rig.send('PATCH', `${org}/teams/${other}`, { body: { title: 'Listeners' } });
    expect(renamed.body['spaces']).toBe(1);
  });

  it('does not come back with a member who left, and follows a rebuild of everything', async () => {
    const leaver = await rig.member('Lea Ver', null);
    const id = await make('spaces');
    await send('POST', `/spaces/${id}/permissions`, { role: 'read', users: [leaver.id] });
    expect(await ofMember(leaver)).toBe(1);
    await send('DELETE', `${org}/members/${leaver.id}`);
    await send('POST', `${org}/invites`, { emails: [leaver.email], role: null });
    expect(await ofMember(leaver)).toBe(0);
    const before = [await numbers(), await ofMember(rig.owner)];
    await rebuildIdentity();
    const replica = await rig.replica('identity');
    expect([await numbers(), await ofMember(rig.owner)]).toEqual(before);
    await replica.stop();
  }, 60_000);
});
