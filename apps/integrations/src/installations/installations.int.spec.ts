import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import { newName, publication, refusal, startIntegrationRig, type IntegrationRig } from '../test/integration-rig.js';

const configurations = {
  account: {
    properties: {
      key: { type: 'string' },
      region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
      login: { type: 'button', callback_url: '/oauth', button_text: 'Log in' },
    },
    required: ['key', 'region'],
  },
};

describe('an installation', () => {
  let world: IntegrationRig;
  let organization: string;
  beforeAll(async () => {
    world = await startIntegrationRig();
    organization = world.rig.organization;
  }, 60_000);
  afterAll(() => world.rig.stop());

  const install = (name: string, more: object = {}, person = world.rig.owner) =>
    world.send('POST', `/integrations/${name}/installations`, { organization, ...more }, person);

  it('is made by members who may create, once', async () => {
    const name = await world.publish();
    const answer = await install(name, {}, world.creator);
    const path = `/integrations/${name}/installations/${String(answer.body['id'])}`;
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        status: 'active',
        space_selection: 'selected',
        site_selection: 'selected',
        spaces: 0,
        configuration: {},
        externalIds: [],
        target: { organization },
      },
    ]);
    expect(answer.headers.get('location')).toContain(path);
    expect(get(answer.body, 'urls.publicEndpoint')).toContain(path);
    expect(refusal(await install(name))).toEqual([409, 'already_installed', undefined]);
    expect(refusal(await install(name, {}, world.reader))).toEqual([403, 'forbidden', 'body.organization']);
    expect((await world.send('GET', path, undefined, world.creator)).body).toEqual(answer.body);
    expect((await world.send('GET', path, undefined, world.reader)).status).toBe(403);
    expect((await world.send('GET', path, undefined, world.stranger)).status).toBe(404);
    expect((await world.send('GET', path.replace(name, await world.publish()))).status).toBe(404);
  });

  it('is refused where it does not fit', async () => {
    const name = await world.publish({ visibility: 'public' });
    expect(refusal(await install(name, { organization: 'nowhere' }))).toEqual([404, 'not_found', 'body.organization']);
    expect(refusal(await install(name, {}, world.stranger))).toEqual([404, 'not_found', 'body.organization']);
    expect(refusal(await install(newName()))).toEqual([404, 'not_found', undefined]);
    const all = { space_selection: 'all' };
    expect(refusal(await install(name, all, world.creator))).toEqual([403, 'forbidden', 'body.space_selection']);
    const unfit = async (target: string, more: object) => refusal(await install(await world.publish({ target }), more));
    expect(await unfit('site', all)).toEqual([400, 'invalid_request', 'body.space_selection']);
    expect(await unfit('space', { site_selection: 'all' })).toEqual([400, 'invalid_request', 'body.site_selection']);
    expect(await unfit('organization', all)).toEqual([400, 'invalid_request', 'body.space_selection']);
    const ids = { externalIds: ['1', '2', '3', '4', '5', '6'] };
    expect(refusal(await install(name, ids))).toEqual([400, 'invalid_request', 'body.externalIds']);
  });

  it('of a private integration is for its owner alone', async () => {
    const name = await world.publish();
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    expect(refusal(await install(name, { organization: other }))).toEqual([403, 'forbidden', 'body.organization']);
    const unlisted = await world.publish({ visibility: 'unlisted' });
    expect((await install(unlisted, { organization: other })).status).toBe(201);
  });

  it('is pending until what is required is configured', async () => {
    const name = await world.publish({ configurations });
    const path = await world.install(name);
    expect((await world.done('GET', path))['status']).toBe('pending');
    const configured = await world.done('PATCH', path, { configuration: { key: 'quillfeather' } });
    expect(configured).toMatchObject({ status: 'active', configuration: { key: 'quillfeather', region: 'eu' } });
    expect(await world.done('PATCH', path, { configuration: {} })).toMatchObject({ status: 'pending' });
    const given = await world.install(await world.publish({ configurations }), { configuration: { key: 'a' } });
    expect((await world.done('GET', given))['status']).toBe('active');
  });

  it.each([
    [{ key: 1 }, 'key'],
    [{ key: 'a', region: 'asia' }, 'region'],
    [{ login: 'token' }, 'login'],
    [{ other: true }, 'other'],
  ])('is not configured with %j', async (configuration, property) => {
    const path = await world.install(await world.publish({ configurations }));
    const refused = [422, 'configuration_invalid', `body.configuration.${property}`];
    expect(refusal(await world.send('PATCH', path, { configuration }))).toEqual(refused);
    expect(refusal(await install(await world.publish({ configurations }), { configuration }))).toEqual(refused);
  });

  it('is not configured with too many bytes', async () => {
    const path = await world.install(await world.publish({ configurations }));
    const configuration = { key: 'x'.repeat(70_000) };
    expect(refusal(await world.send('PATCH', path, { configuration }))).toEqual([
      413,
      'too_large',
      'body.configuration',
    ]);
  });

  it('is pending when a version asks for more, until somebody who may changes it', async () => {
    const name = await world.publish({ scopes: ['space:content:read'] });
    const path = await world.install(name);
    expect((await world.done('GET', path))['status']).toBe('active');
    await world.publish({ scopes: ['space:content:read', 'site:views:read'] }, name);
    expect((await world.done('GET', path))['status']).toBe('pending');
    expect((await world.send('PATCH', path, {}, world.reader)).status).toBe(403);
    expect((await world.done('PATCH', path, {}, world.creator))['status']).toBe('active');
    await world.publish({ scopes: [], configurations }, name);
    expect((await world.done('GET', path))['status']).toBe('pending');
  });

  it('selects all spaces and sites for admins alone', async () => {
    const path = await world.install(await world.publish());
    const select = (selection: string, person = world.rig.owner) =>
      world.send('PATCH', path, { space_selection: selection, site_selection: selection }, person);
    expect(refusal(await select('all', world.creator))).toEqual([403, 'forbidden', 'body.space_selection']);
    expect((await select('all')).body).toMatchObject({ space_selection: 'all', site_selection: 'all' });
    // What is so already, everybody may say who may change it.
    expect((await select('all', world.creator)).status).toBe(200);
    expect((await select('selected', world.creator)).body).toMatchObject({ space_selection: 'selected', spaces: 0 });
  });

  it('counts the spaces that it is on', async () => {
    const path = await world.install(await world.publish(), { space_selection: 'all' });
    const before = Number((await world.done('GET', path))['spaces']);
    const space = await world.space('Counted');
    expect((await world.done('GET', path))['spaces']).toBe(before + 1);
    await world.send('DELETE', `/spaces/${space}`);
    expect((await world.done('GET', path))['spaces']).toBe(before);
  });

  it('is removed by admins alone', async () => {
    const path = await world.install(await world.publish());
    expect((await world.send('DELETE', path, undefined, world.creator)).status).toBe(403);
    expect((await world.send('DELETE', path, undefined, world.stranger)).status).toBe(204);
    expect((await world.send('DELETE', path)).status).toBe(205);
    expect((await world.send('DELETE', path)).status).toBe(204);
    expect((await world.send('GET', path)).status).toBe(404);
  });

  it('is listed for admins of the owner, and found by what the integration knows it by', async () => {
    const name = await world.publish({ visibility: 'public', configurations });
    const mine = await world.install(name, { externalIds: ['team-1'] });
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }, world.stranger))['id']);
    const theirs = { organization: other, configuration: { key: 'quillfeather' } };
    expect((await install(name, theirs, world.stranger)).status).toBe(201);
    const list = `/integrations/${name}/installations`;
    const { items, count } = await world.done('GET', list);
    expect([count, items.map((one) => get(one, 'target.organization'))]).toEqual([2, [other, organization]]);
    // What others have configured is nothing for the owner.
    expect(JSON.stringify(items)).not.toContain('quillfeather');
    const found = (await world.done('GET', `${list}?externalId=team-1`)).items;
    expect(found.map(({ id }) => `${list}/${String(id)}`)).toEqual([mine]);
    expect((await world.done('GET', `${list}?externalId=team-2`))['count']).toBe(0);
    expect((await world.send('GET', list, undefined, world.stranger)).status).toBe(403);
  });

  it('is listed in its organization with what is installed', async () => {
    const owner = String((await world.done('POST', '/orgs', { title: 'Lister' }))['id']);
    const [first, second] = [newName(), newName()];
    for (const name of [first, second]) {
      await world.done('POST', `/integrations/${name}`, publication(owner));
      await world.done('POST', `/integrations/${name}/installations`, { organization: owner });
    }
    const org = `/orgs/${owner}`;
    const listed = await world.done('GET', `${org}/installations`);
    expect(listed.items.map((one) => get(one, 'integration.name'))).toEqual([second, first]);
    expect((await world.done('GET', `${org}/installations?search=${first}`))['count']).toBe(1);
    const { next } = await world.done('GET', `${org}/installations?limit=1`);
    const rest = await world.done('GET', `${org}/installations?limit=1&page=${(next as { page: string }).page}`);
    expect(rest.items.map((one) => get(one, 'integration.name'))).toEqual([first]);
    const statuses = await world.done('GET', `${org}/integrations/installations-status`);
    expect(statuses.items).toMatchObject([
      { status: 'active', integration: { name: second } },
      { status: 'active', integration: { name: first } },
    ]);
    expect((await world.done('GET', `${org}/integrations/installations-status?target=space`))['count']).toBe(0);
    expect(await world.done('GET', `${org}/integrations/${first}/installation_status`)).toEqual({ status: 'active' });
    const missing = await world.send('GET', `${org}/integrations/${newName()}/installation_status`);
    expect(refusal(missing)).toEqual([404, 'not_found', undefined]);
  });

  it('can be made of what an organization lists', async () => {
    const [own, open] = [await world.publish(), await world.publish({ visibility: 'public' })];
    const unlisted = await world.publish({ visibility: 'unlisted' });
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }, world.stranger))['id']);
    const names = async (org: string, person = world.rig.owner) =>
      (await world.done('GET', `${org}/integrations?limit=1000`, undefined, person)).items
        .map(({ name }) => String(name))
        .filter((name) => [own, open, unlisted].includes(name))
        .sort();
    expect(await names(world.org)).toEqual([own, open, unlisted].sort());
    expect(await names(`/orgs/${other}`, world.stranger)).toEqual([open]);
    await world.done('POST', `/integrations/${unlisted}/installations`, { organization: other }, world.stranger);
    expect(await names(`/orgs/${other}`, world.stranger)).toEqual([open, unlisted].sort());
    expect((await world.send('GET', `${world.org}/integrations`, undefined, world.guest)).status).toBe(403);
  });

  it('is made once for an idempotency key, and not by a dry run', async () => {
    const name = await world.publish({ configurations });
    const path = `/integrations/${name}/installations`;
    const body = { organization, configuration: { key: 'a' } };
    const tried = await world.send('POST', `${path}?dryRun=true`, body);
    expect([tried.status, tried.body['status']]).toEqual([201, 'active']);
    expect((await world.done('GET', path))['count']).toBe(0);
    const headers = { 'idempotency-key': newName() };
    const send = () => world.rig.send('POST', path, { body, headers, token: world.rig.owner.token });
    const [one, two] = [await send(), await send()];
    expect([two.status, two.body]).toEqual([201, one.body]);
  });
});
