import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import { refusal, startIntegrationRig, type IntegrationRig } from '../test/integration-rig.js';

const properties = { properties: { channel: { type: 'string' } }, required: ['channel'] };
const configurations = { space: properties, site: properties };

describe.each(['space', 'site'] as const)('an integration on a %s', (kind) => {
  let world: IntegrationRig;
  beforeAll(async () => {
    world = await startIntegrationRig();
  }, 60_000);
  afterAll(() => world.rig.stop());

  const field = kind === 'space' ? 'space' : 'siteId';
  const all = { [`${kind}_selection`]: 'all' };
  const make = (title: string) => (kind === 'space' ? world.space(title) : world.site(title));
  const pathOf = (id: string) => (kind === 'space' ? `/spaces/${id}` : `${world.org}/sites/${id}`);
  const add = (path: string, id: string, person = world.rig.owner) =>
    world.send('POST', `${path}/${kind}s`, { [field]: id }, person);
  const titlesIn = (items: readonly object[]) => items.map((one) => get(one, `${kind}.title`));

  it('is installed by who may create there, once', async () => {
    const [id, path] = [await make('One'), await world.install(await world.publish())];
    const added = await add(path, id, world.creator);
    expect([added.status, added.body]).toMatchObject([
      201,
      { [kind]: id, status: 'active', configuration: {}, externalIds: [], installation: path.split('/').at(-1) },
    ]);
    expect(added.headers.get('location')).toContain(`${path}/${kind}s/${id}`);
    const again = await add(path, id);
    expect([again.status, again.body]).toEqual([200, added.body]);
    expect(await world.done('GET', `${path}/${kind}s/${id}`)).toEqual(added.body);
    expect(refusal(await add(path, id, world.reader))).toEqual([403, 'forbidden', `body.${field}`]);
    expect(refusal(await add(path, id, world.guest))).toEqual([404, 'not_found', `body.${field}`]);
    expect((await add(path, id, world.stranger)).status).toBe(404);
  });

  it('is installed on what the organization has', async () => {
    const path = await world.install(await world.publish());
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    const foreign = String((await world.done('POST', `/orgs/${other}/${kind}s`, { title: 'Foreign' }))['id']);
    const gone = await make('Gone');
    await world.done('DELETE', pathOf(gone));
    for (const id of ['nothing', foreign, gone])
      expect(refusal(await add(path, id))).toEqual([404, 'not_found', `body.${field}`]);
    const target = kind === 'space' ? 'site' : 'space';
    const unfit = await world.install(await world.publish({ target }));
    expect(refusal(await add(unfit, await make('Unfit')))).toEqual([400, 'invalid_request', `body.${field}`]);
  });

  it('is configured there, and pending until it is', async () => {
    const id = await make('Configured');
    const path = await world.install(await world.publish({ configurations }));
    expect((await add(path, id)).body['status']).toBe('pending');
    const one = `${path}/${kind}s/${id}`;
    const configured = await world.done('PATCH', one, { configuration: { channel: 'a' }, externalIds: ['x'] });
    expect(configured).toMatchObject({ status: 'active', configuration: { channel: 'a' }, externalIds: ['x'] });
    expect((await world.send('GET', one, undefined, world.reader)).status).toBe(403);
    expect((await world.send('GET', one, undefined, world.guest)).status).toBe(404);
    expect(refusal(await world.send('PATCH', one, { configuration: { channel: 1 } }))).toEqual([
      422,
      'configuration_invalid',
      'body.configuration.channel',
    ]);
    expect((await world.send('PATCH', `${path}/${kind}s/${await make('Other')}`, {})).status).toBe(404);
  });

  it('is taken out, unless all are selected', async () => {
    const [id, path] = [await make('Out'), await world.install(await world.publish())];
    await add(path, id);
    const one = `${path}/${kind}s/${id}`;
    expect((await world.send('DELETE', one, undefined, world.reader)).status).toBe(403);
    expect((await world.send('DELETE', one, undefined, world.creator)).status).toBe(205);
    expect((await world.send('DELETE', one)).status).toBe(204);
    expect((await world.send('GET', one)).status).toBe(404);
    await world.done('PATCH', path, all);
    expect(refusal(await world.send('DELETE', one))).toEqual([409, 'selected_by_all', undefined]);
    expect((await add(path, id)).status).toBe(200);
  });

  it('is on all of them where all are selected, and keeps what was selected before', async () => {
    const [first, second] = [await make('First'), await make('Second')];
    const path = await world.install(await world.publish({ configurations }));
    await add(path, first);
    await world.done('PATCH', path, all);
    const one = `${path}/${kind}s/${second}`;
    expect((await world.done('GET', one))['status']).toBe('pending');
    expect((await world.done('PATCH', one, { configuration: { channel: 'b' } }))['status']).toBe('active');
    await world.done('PATCH', path, { [`${kind}_selection`]: 'selected' });
    const { items } = await world.done('GET', `${path}/${kind}s`);
    expect(items.map((item) => item[kind])).toEqual([first, second]);
  });

  it('is listed by title, with the object where that is asked for', async () => {
    const path = await world.install(await world.publish());
    const ids = [await make('bee'), await make('Ant'), await make('Cat')];
    for (const id of ids) await add(path, id);
    const list = `${path}/${kind}s`;
    const { items, count } = await world.done('GET', `${list}?extended=true`);
    expect([count, titlesIn(items)]).toEqual([3, ['Ant', 'bee', 'Cat']]);
    const first = await world.done('GET', `${list}?limit=2`);
    expect(first.items.map((item) => item[kind])).toEqual([ids[1], ids[0]]);
    const page = (first.next as { page: string }).page;
    expect((await world.done('GET', `${list}?limit=2&page=${page}`)).items.map((item) => item[kind])).toEqual([ids[2]]);
    expect((await world.send('GET', list, undefined, world.reader)).status).toBe(403);
    expect(get(await world.done('GET', `${list}/${ids[0]}?extended=true`), `${kind}.title`)).toBe('bee');
  });

  it('is listed for admins of the owner over all organizations, and found by external ids', async () => {
    const name = await world.publish({ visibility: 'public', configurations });
    const path = await world.install(name);
    const mine = await make('Mine');
    await add(path, mine);
    await world.done('PATCH', `${path}/${kind}s/${mine}`, { externalIds: ['known'] });
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }, world.stranger))['id']);
    const theirs = String(
      (await world.done('POST', `/orgs/${other}/${kind}s`, { title: 'Theirs' }, world.stranger))['id'],
    );
    await world.done('POST', `/integrations/${name}/installations`, { organization: other, ...all }, world.stranger);
    const list = `/integrations/${name}/${kind}s`;
    const { items, count } = await world.done('GET', `${list}?extended=true`);
    expect(count).toBe(2);
    // Of what they may not view, they see that it is there.
    expect(items.map((item) => item[kind])).toMatchObject([
      { id: mine, title: 'Mine' },
      { object: kind, id: theirs },
    ]);
    expect(items[1]?.[kind]).not.toHaveProperty('title');
    expect((await world.done('GET', `${list}?externalId=known`)).items.map((item) => item[kind])).toEqual([mine]);
    expect((await world.done('GET', `${list}?externalId=unknown`))['count']).toBe(0);
    expect((await world.send('GET', list, undefined, world.stranger)).status).toBe(403);
  });

  it('is seen by members as far as they see what it is on', async () => {
    const path = await world.install(await world.publish(), all);
    const id = await make('Hidden');
    const permissions = kind === 'space' ? `/spaces/${id}/permissions` : `${pathOf(id)}/permissions`;
    await world.done('POST', permissions, { users: [world.creator.id], role: null });
    const listed = async (person = world.creator) =>
      (await world.done('GET', `${path}/${kind}s?limit=1000`, undefined, person)).items.map((item) => item[kind]);
    expect(await listed(world.rig.owner)).toContain(id);
    expect(await listed()).not.toContain(id);
    expect((await world.send('GET', `${path}/${kind}s/${id}`, undefined, world.creator)).status).toBe(404);
  });
});
