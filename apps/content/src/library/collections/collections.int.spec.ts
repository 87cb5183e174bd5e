import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { library } from '../nodes/index.js';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../../test/rig-with-store.js';
import { refusal } from '../../test/spaces.js';
import { collection } from './collection.js';

describe('collections', () => {
  let rig: Rig;
  let org: string;
  let creator: Person;
  let reader: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    creator = await rig.member('Cleo Creator', 'create');
    reader = await rig.member('Rea Der', 'read');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const idOf = ({ body }: Answer) => String(body['id']);
  const make = async (kind: 'spaces' | 'collections', body: object = {}, { token }: Person = creator) =>
    idOf(await rig.send('POST', `${org}/${kind}`, { token, body }));
  const move = (path: string, body: object, { token }: Person = creator) =>
    rig.send('POST', `${path}/move`, { token, body });

  it('are created, shown, changed and listed', async () => {
    const created = await rig.send('POST', `${org}/collections`, { token: creator.token, body: { title: 'Manuals' } });
    const path = `/collections/${idOf(created)}`;
    expect(created.headers.get('location')).toBe(`https://docs.example/v1${path}`);
    expect([created.status, created.body['permissions']]).toEqual([
      201,
      { view: true, admin: true, create: true, viewInviteLinks: true },
    ]);
    expect((await rig.send('GET', path, { token: creator.token })).body).toEqual(created.body);
    const inner = await make('collections', { title: 'Inner', parent: idOf(created) });
    const changed = await rig.send('PATCH', path, {
      token: creator.token,
      body: { title: 'Books', description: 'All of them', defaultLevel: 'comment' },
    });
    expect(changed.body).toMatchObject({ title: 'Books', description: 'All of them', defaultLevel: 'comment' });
    const list = async (query = '', token = reader.token) => {
      const { body } = await rig.send('GET', `${org}/collections${query}`, { token });
      return [body['count'], body.items.map(({ id }) => id)];
    };
    expect(await list()).toEqual([2, [idOf(created), inner]]);
    expect(await list('?nested=false')).toEqual([1, [idOf(created)]]);
    expect(await list('', guest.token)).toEqual([0, []]);
    expect((await rig.send('POST', `${org}/collections`, { token: reader.token })).status).toBe(403);
    expect((await rig.send('PATCH', path, { token: reader.token, body: { title: 'x' } })).status).toBe(403);
    expect((await rig.send('GET', path, { token: guest.token })).status).toBe(404);
  });

  it('pass on what they grant to everything in them', async () => {
    const outer = await make('collections');
    const inner = await make('collections', { parent: outer });
    const space = await make('spaces', { parent: inner });
    const grants = `/collections/${outer}/permissions`;
    const given = await rig.send('POST', grants, { token: creator.token, body: { role: 'create', users: [guest.id] } });
    expect(given.status).toBe(204);
    const seen = await rig.send('GET', `/spaces/${space}`, { token: guest.token });
    expect(seen.body).toMatchObject({ parent: inner, visibility: 'in-collection', permissions: { merge: true } });
    const within = await rig.send('GET', `/collections/${inner}/spaces`, { token: guest.token });
    expect([within.body['count'], within.body.items[0]?.['id']]).toEqual([1, space]);
    expect((await rig.send('GET', `/collections/${outer}/spaces`, { token: guest.token })).body['count']).toBe(0);
    // Who may create in a collection needs no role in the organization for it.
    expect((await rig.send('POST', `${org}/spaces`, { token: guest.token, body: { parent: inner } })).status).toBe(201);
    expect((await rig.send('POST', `${org}/spaces`, { token: guest.token })).status).toBe(403);
    expect((await rig.send('DELETE', `${grants}/users/${guest.id}`, { token: creator.token })).status).toBe(205);
    expect((await rig.send('GET', `/spaces/${space}`, { token: guest.token })).status).toBe(404);
  });

  it('are moved, with what is in them, and so are spaces', async () => {
    const [a, b] = [await make('collections'), await make('collections')];
    const [one, two] = [await make('spaces', { parent: a }), await make('spaces', { parent: a })];
    const order = async () => {
      const { body } = await rig.send('GET', `/collections/${a}/spaces`, { token: creator.token });
      return body.items.map(({ id }) => id);
    };
    const before = { before: { type: 'space', space: one } };
    expect((await move(`/spaces/${two}`, { position: before })).status).toBe(200);
    expect(await order()).toEqual([two, one]);
    expect(refusal(await move(`/spaces/${two}`, { position: before }))).toEqual([409, 'no_change', undefined]);
    const moved = await move(`/collections/${a}`, { parent: b });
    expect([moved.status, moved.body['parent']]).toEqual([200, b]);
    expect(refusal(await move(`/collections/${b}`, { parent: a }))).toEqual([400, 'position_invalid', 'body.parent']);
    expect(refusal(await move(`/spaces/${one}`, {}))).toEqual([400, 'invalid_request', 'body.parent']);
    expect(refusal(await move(`/spaces/${one}`, { parent: 'nowhere' }))).toEqual([404, 'not_found', 'body.parent']);
    const both = { before: { type: 'space', space: two }, after: { type: 'space', space: two } };
    expect(refusal(await move(`/spaces/${one}`, { position: both }))).toEqual([
      400,
      'position_invalid',
      'body.position',
    ]);
    const top = await move(`/spaces/${one}`, { parent: null });
    expect([top.status, top.body['visibility']]).toEqual([200, 'private']);
    expect((await move(`/spaces/${one}`, { parent: a }, reader)).status).toBe(403);
  });

  it('do not take in what would raise the level of whoever moves it', async () => {
    const [low, high] = [await make('collections'), await make('collections')];
    const space = await make('spaces', { parent: low }, rig.owner);
    const editor = await rig.member('Edda Editor', 'create');
    await rig.send('POST', `/collections/${high}/permissions`, { body: { role: 'admin', users: [editor.id] } });
    expect((await move(`/spaces/${space}`, { parent: high }, editor)).status).toBe(403);
    expect((await move(`/spaces/${space}`, { parent: high }, rig.owner)).status).toBe(200);
  });

  it('hide everything when they are deleted; spaces are restored to the top', async () => {
    const outer = await make('collections');
    const inner = await make('collections', { parent: outer });
    const [space, other] = [await make('spaces', { parent: inner }), await make('spaces', { parent: inner })];
    const path = `/collections/${outer}`;
    const admin = { token: creator.token };
    expect((await rig.send('DELETE', path, { token: reader.token })).status).toBe(403);
    expect((await rig.send('DELETE', path, { token: guest.token })).status).toBe(204);
    expect((await rig.send('DELETE', path, admin)).status).toBe(205);
    expect((await rig.send('DELETE', path, admin)).status).toBe(204);
    for (const gone of [path, `/collections/${inner}`, `/collections/${inner}/spaces`])
      expect((await rig.send('GET', gone, admin)).status).toBe(404);
    expect((await rig.send('GET', `/spaces/${space}`, admin)).body['deletedAt']).toMatch(/^20/);
    expect((await rig.send('GET', `/spaces/${space}`, { token: reader.token })).status).toBe(404);
    const restored = await rig.send('POST', `/spaces/${space}/restore`, admin);
    expect(restored.body).toMatchObject({ visibility: 'private', defaultLevel: null, permissions: { admin: true } });
    expect((await rig.send('GET', `/spaces/${space}`, { token: reader.token })).status).toBe(404);
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    const timer = { _id: `purge_deleted:${outer}` };
    await eventually(async () => (await timers.updateOne(timer, { $set: { due: 0 } })).matchedCount === 1);
    await eventually(async () => {
      const known = JSON.stringify(await rig.store.load(library, rig.organization));
      return ![outer, inner, other].some((id) => known.includes(id)) && known.includes(space);
    });
    expect((await rig.store.load(collection, outer)).status).toBe('absent');
    for (const name of ['collection_v2', 'space_v3', 'node_access_v3']) {
      const rebuilt = await rig.send('POST', `/operator/content/projections/${name}/rebuild`);
      expect([name, get(rebuilt.body, 'equal')]).toEqual([name, true]);
    }
  }, 60_000);

  it('are deleted by admins of every space in them', async () => {
    const shared = await make('collections', {}, rig.owner);
    await make('spaces', { parent: shared }, rig.owner);
    await rig.send('POST', `/collections/${shared}/permissions`, { body: { role: 'admin', users: [reader.id] } });
    const own = await make('spaces', { parent: shared }, rig.owner);
    await rig.send('POST', `/spaces/${own}/permissions`, { body: { role: 'read', users: [reader.id] } });
    expect((await rig.send('DELETE', `/collections/${shared}`, { token: reader.token })).status).toBe(403);
    await rig.send('DELETE', `/spaces/${own}/permissions/users/${reader.id}`);
    expect((await rig.send('DELETE', `/collections/${shared}`, { token: reader.token })).status).toBe(205);
  });

  it('are at most ten deep', async () => {
    let parent: string | null = null;
    for (let depth = 0; depth < 10; depth += 1) parent = await make('collections', { parent });
    const deeper = await rig.send('POST', `${org}/collections`, { token: creator.token, body: { parent } });
    expect(refusal(deeper)).toEqual([400, 'position_invalid', 'body.parent']);
    expect(await make('spaces', { parent })).toMatch(/^\w+$/);
  });
});
