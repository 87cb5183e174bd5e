import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishSite } from '../../test/sites.js';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../../test/rig-with-store.js';

describe('a transfer', () => {
  let rig: Rig;
  let source: string;
  /** Another organization of the owner. */
  let target: string;
  beforeAll(async () => {
    rig = await startRig({ MAX_COLLECTIONS_PER_ORGANIZATION: '12', MAX_FILE_BYTES_PER_ORGANIZATION: '3000' });
    source = rig.organization;
    target = await organization('Target');
  }, 60_000);
  afterAll(() => rig.stop());

  const organization = async (title: string): Promise<string> =>
    String((await rig.send('POST', '/orgs', { body: { title } })).body['id']);
  const make = async (kind: 'spaces' | 'collections', body: object = {}, within = source): Promise<string> =>
    String((await rig.send('POST', `/orgs/${within}/${kind}`, { body })).body['id']);
  const transfer = (path: string, body: object = { organization: target }, by: Person = rig.owner) =>
    rig.send('POST', `${path}/transfer`, { body, token: by.token });
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];
  const listed = async (kind: string, within: string) =>
    (await rig.send('GET', `/orgs/${within}/${kind}?limit=1000`)).body.items.map(({ id }) => String(id));
  /** Makes somebody a member of the target organization. */
  const invite = ({ email }: Person, role: string | null) =>
    rig.send('POST', `/orgs/${target}/invites`, { body: { emails: [email], role } });

  it('moves a space, with its content, to the other organization, which alone has it from then on', async () => {
    const id = await make('spaces', { title: 'Handbook', editMode: 'live' });
    const content = (await rig.send('GET', `/spaces/${id}/content`)).body['id'];
    const moved = await transfer(`/spaces/${id}`);
    expect([moved.status, moved.body['organization'], moved.body['title']]).toEqual([200, target, 'Handbook']);
    expect(get(moved.body, 'urls.app')).toBe(`https://docs.example/o/${target}/s/${id}`);
    expect((await rig.send('GET', `/spaces/${id}`)).body).toEqual(moved.body);
    expect((await rig.send('GET', `/spaces/${id}/content`)).body['id']).toBe(content);
    expect([await listed('spaces', source), await listed('spaces', target)]).toEqual([
      expect.not.arrayContaining([id]),
      expect.arrayContaining([id]),
    ]);
    const changes = [{ operation: 'insert_page', title: 'Wombats', document: { markdown: '' } }];
    expect((await rig.send('POST', `/spaces/${id}/content`, { body: { changes } })).status).toBe(200);
    const found = async (within: string) =>
      (await rig.send('GET', `/orgs/${within}/search?query=wombats`)).body['count'];
    expect([await found(source), await found(target)]).toEqual([0, 1]);
    await eventually(async () => {
      const told = async (within: string) =>
        (await rig.send('GET', `/orgs/${within}/audit-events?target=${id}`)).body.items.map(({ action }) => action);
      const [left, came] = [await told(source), await told(target)];
      return left.includes('space_left') && left.includes('space_added') && came.includes('space_transferred');
    });
  });

  it('ends what was granted, and grants anew count at once', async () => {
    const both = await rig.member('Bo Th', 'read');
    const id = await make('spaces');
    await invite(both, null);
    const grant = (role: string) => rig.send('POST', `/spaces/${id}/permissions`, { body: { role, users: [both.id] } });
    await grant('admin');
    await rig.send('POST', `/orgs/${source}/link-invites`, { body: { level: 'read', space: id } });
    await transfer(`/spaces/${id}`);
    expect((await rig.send('GET', `/spaces/${id}`, { token: both.token })).status).toBe(404);
    expect((await rig.send('GET', `/spaces/${id}/permissions/users`)).body['count']).toBe(0);
    expect((await grant('edit')).status).toBe(204);
    expect(get((await rig.send('GET', `/spaces/${id}`, { token: both.token })).body, 'permissions.edit')).toBe(true);
    await eventually(async () => (await rig.send('GET', `/orgs/${source}/link-invites`)).body['count'] === 0);
  });

  it('moves a collection with everything in it, and restores what was deleted there', async () => {
    const outer = await make('collections', { title: 'Outer' });
    const inner = await make('collections', { title: 'Inner', parent: outer });
    const [deep, deleted] = [await make('spaces', { parent: inner }), await make('spaces', { parent: outer })];
    await rig.send('DELETE', `/spaces/${deleted}`);
    const home = await make('collections', { title: 'Home' }, target);
    const moved = await transfer(`/collections/${outer}`, { organization: target, parent: home });
    expect([moved.status, moved.body['organization'], moved.body['parent']]).toEqual([200, target, home]);
    expect(await listed('collections', target)).toEqual([home, outer, inner]);
    expect((await rig.send('GET', `/spaces/${deep}`)).body).toMatchObject({ organization: target, parent: inner });
    expect(await listed('spaces', source)).not.toContain(deep);
    expect((await rig.send('GET', `/spaces/${deleted}`)).body).toMatchObject({ organization: target });
    const restored = await rig.send('POST', `/spaces/${deleted}/restore`);
    expect([restored.status, restored.body['parent'], restored.body['organization']]).toEqual([200, outer, target]);
    const back = await transfer(`/collections/${outer}`, { organization: source });
    expect([back.status, back.body['organization'], back.body['parent']]).toEqual([200, source, undefined]);
    expect(await listed('spaces', source)).toEqual(expect.arrayContaining([deep, deleted]));
  });

  it('is for admins of the organization who may create in the other one', async () => {
    const id = await make('spaces');
    const path = `/spaces/${id}`;
    const [creator, admin] = [await rig.member('Cleo', 'create'), await rig.member('Ada', 'admin')];
    await rig.send('POST', `${path}/permissions`, { body: { role: 'admin', users: [creator.id] } });
    await invite(creator, 'admin');
    expect(refusal(await transfer(path, undefined, creator))).toEqual([403, 'forbidden', undefined]);
    expect((await transfer(path, undefined, await rig.person('Otto'))).status).toBe(404);
    expect(refusal(await transfer(path, undefined, admin))).toEqual([404, 'not_found', 'body.organization']);
    await invite(admin, 'review');
    expect(refusal(await transfer(path, undefined, admin))).toEqual([403, 'forbidden', 'body.organization']);
    await rig.send('PATCH', `/orgs/${target}/members/${admin.id}`, { body: { role: 'create' } });
    await eventually(async () => (await transfer(path, undefined, admin)).status === 200);
    expect((await rig.send('GET', path, { token: admin.token })).body['organization']).toBe(target);
  });

  it('names what is wrong', async () => {
    const [id, home] = [await make('spaces'), await make('collections')];
    const path = `/spaces/${id}`;
    expect(refusal(await transfer(path, {}))).toEqual([400, 'invalid_request', 'body.organization']);
    expect(refusal(await transfer(path, { organization: 'none' }))).toEqual([404, 'not_found', 'body.organization']);
    expect(refusal(await transfer(path, { organization: target, parent: home }))).toEqual([
      404,
      'not_found',
      'body.parent',
    ]);
    for (const parent of [undefined, null])
      expect(refusal(await transfer(path, { organization: source, parent }))).toEqual([409, 'no_change', undefined]);
    expect((await transfer(path, { organization: source, parent: home })).body['parent']).toBe(home);
    await rig.send('DELETE', path);
    expect((await transfer(path)).status).toBe(404);
  });

  it('changes nothing in a dry run', async () => {
    const id = await make('spaces');
    const tried = await rig.send('POST', `/spaces/${id}/transfer?dryRun=true`, { body: { organization: target } });
    expect([tried.status, tried.body['organization']]).toEqual([200, target]);
    expect((await rig.send('GET', `/spaces/${id}`)).body['organization']).toBe(source);
  });

  it('is refused while a published site shows the space, or one in the collection', async () => {
    const parent = await make('collections');
    const id = await make('spaces', { parent });
    await publishSite(rig, { organization: source, space: id });
    await eventually(async () => (await rig.send('GET', `/spaces/${id}`)).body['visibility'] === 'public');
    expect(refusal(await transfer(`/spaces/${id}`))).toEqual([412, 'cannot_move', undefined]);
    expect(refusal(await transfer(`/collections/${parent}`))).toEqual([412, 'cannot_move', undefined]);
  });

  it('keeps the limits of the other organization, which its files count for from then on', async () => {
    const full = await organization('Full');
    for (let i = 0; i < 12; i += 1) await make('collections', {}, full);
    expect(refusal(await transfer(`/collections/${await make('collections')}`, { organization: full }))).toEqual([
      409,
      'limit_reached',
      'collectionsPerOrganization',
    ]);
    const withFile = async (size: number): Promise<string> => {
      const id = await make('spaces', { editMode: 'live' });
      const base64 = Buffer.alloc(size, 'x').toString('base64');
      const changes = [{ operation: 'insert_files', files: [{ name: 'a.txt', base64, contentType: 'text/plain' }] }];
      expect((await rig.send('POST', `/spaces/${id}/content`, { body: { changes } })).status).toBe(200);
      return `/spaces/${id}`;
    };
    const other = await organization('Other');
    const first = await withFile(2_000);
    expect((await transfer(first, { organization: other })).status).toBe(200);
    // There is room for it again.
    const second = await withFile(2_001);
    expect(refusal(await transfer(second, { organization: other }))).toEqual([
      409,
      'limit_reached',
      'fileBytesPerOrganization',
    ]);
  });
});
