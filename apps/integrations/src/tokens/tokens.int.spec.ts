import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import {
  integrationToken,
  publication,
  refusal,
  startIntegrationRig,
  type IntegrationRig,
} from '../test/integration-rig.js';
import { get, type Answer } from '../test/rig.js';

let world: IntegrationRig;
beforeAll(async () => {
  world = await startIntegrationRig();
}, 60_000);
afterAll(() => world.rig.stop());

const account = {
  properties: {
    key: { type: 'string' },
    login: { type: 'button', callback_url: '/oauth', button_text: 'Log in' },
  },
  required: ['key'],
};
const by = (token: string, method: string, path: string, body?: object): Promise<Answer> =>
  world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
const asOwner = (path: string) => world.send('POST', path);

/** An integration that is installed: the token of both, and their paths. */
async function installed(published: object = {}, more: object = {}) {
  const name = await world.publish(published);
  const path = await world.install(name, more);
  const integration = await integrationToken(world.rig, name);
  const { body } = await by(integration, 'POST', `${path}/tokens`);
  return { name, path, integration, installation: String(body['token']) };
}

describe('a token of an installation', () => {
  it('is given to the integration itself alone, and is the same for a while', async () => {
    const { path, integration, installation } = await installed();
    expect(installation).toMatch(/^scr_inst_/);
    expect(integration).toMatch(/^scr_int_/);
    expect((await by(integration, 'POST', `${path}/tokens`)).body['token']).toBe(installation);
    expect((await world.send('POST', `${path}/tokens`)).status).toBe(403);
    expect((await by(installation, 'POST', `${path}/tokens`)).status).toBe(403);
    const other = await installed();
    expect((await by(other.integration, 'POST', `${path}/tokens`)).status).toBe(404);
  });

  it('sees the installation with all of its configuration, and no other one', async () => {
    const { name, path, integration, installation } = await installed({
      visibility: 'public',
      configurations: { account },
    });
    await world.done('PATCH', path, { configuration: { key: 'k' } });
    const stored = { key: 'k', login: { token: 'secret' }, more: [1] };
    expect((await by(installation, 'PATCH', path, { configuration: stored })).body['configuration']).toEqual(stored);
    for (const token of [integration, installation])
      expect((await by(token, 'GET', path)).body['configuration']).toEqual(stored);
    expect((await world.done('GET', path))['configuration']).toEqual({ key: 'k' });
    // What users do not see stays when they change the rest.
    await world.done('PATCH', path, { configuration: { key: 'l' } });
    expect((await by(installation, 'GET', path)).body['configuration']).toEqual({ ...stored, key: 'l' });

    const organization = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    const installations = `/integrations/${name}/installations`;
    const second = String((await world.done('POST', installations, { organization }))['id']);
    expect((await by(installation, 'GET', `${installations}/${second}`)).status).toBe(404);
    expect((await by(integration, 'GET', `${installations}/${second}`)).status).toBe(200);
    const listed = async (token: string) => (await by(token, 'GET', installations)).body.items.map(({ id }) => id);
    expect(await listed(installation)).toEqual([path.split('/').at(-1)]);
    expect(await listed(integration)).toEqual([second, path.split('/').at(-1)]);
  });

  it('changes configuration and external ids, and not what the installation reaches', async () => {
    const { path, installation, integration } = await installed({ configurations: { account } });
    expect(
      (await by(installation, 'PATCH', path, { configuration: { key: 'k' }, externalIds: ['x'] })).body,
    ).toMatchObject({ status: 'active', externalIds: ['x'] });
    expect(refusal(await by(installation, 'PATCH', path, { configuration: { key: 1 } }))).toEqual([
      422,
      'configuration_invalid',
      'body.configuration.key',
    ]);
    for (const token of [installation, integration])
      for (const field of ['space_selection', 'site_selection'])
        expect(refusal(await by(token, 'PATCH', path, { [field]: 'all' }))).toEqual([
          403,
          'forbidden',
          `body.${field}`,
        ]);
    for (const token of [installation, integration]) {
      expect((await by(token, 'DELETE', path)).status).toBe(403);
      expect((await by(token, 'POST', `${path}/spaces`, { space: 'x' })).status).toBe(403);
      expect((await by(token, 'POST', `${path}/resume`)).status).toBe(403);
    }
  });

  it.each(['space', 'site'] as const)('sees and configures what is installed on a %s', async (kind) => {
    const configurations = { [kind]: { properties: { channel: { type: 'string' } }, required: ['channel'] } };
    const { name, path, installation, integration } = await installed({ configurations });
    const id = await (kind === 'space' ? world.space('In') : world.site('In'));
    const outside = await (kind === 'space' ? world.space('Out') : world.site('Out'));
    await world.done('POST', `${path}/${kind}s`, { [kind]: id });
    const one = `${path}/${kind}s/${id}`;
    const configuration = { channel: 'c', hidden: true };
    expect((await by(installation, 'PATCH', one, { configuration })).body).toMatchObject({
      status: 'active',
      configuration,
    });
    expect((await by(integration, 'GET', one)).body['configuration']).toEqual(configuration);
    expect((await world.done('GET', one))['configuration']).toEqual({ channel: 'c' });
    for (const token of [installation, integration]) {
      expect((await by(token, 'GET', `${path}/${kind}s`)).body.items.map((item) => item[kind])).toEqual([id]);
      expect((await by(token, 'GET', `/integrations/${name}/${kind}s`)).body.items.map((item) => item[kind])).toEqual([
        id,
      ]);
      expect((await by(token, 'GET', `${path}/${kind}s/${outside}`)).status).toBe(404);
      expect((await by(token, 'DELETE', one)).status).toBe(403);
    }
  });

  it('is refused within a second when it is paused, and another one is given when it is resumed', async () => {
    const { path, integration, installation } = await installed();
    expect((await by(installation, 'GET', path)).status).toBe(200);
    await world.done('POST', `${path}/pause`);
    await eventually(async () => (await by(installation, 'GET', path)).status === 401, 1_000);
    expect((await world.done('GET', path))['status']).toBe('paused');
    expect((await by(integration, 'POST', `${path}/tokens`)).status).toBe(403);
    expect((await world.send('POST', `${path}/pause`, undefined, world.creator)).status).toBe(403);
    expect((await asOwner(`${path}/resume`)).status).toBe(204);
    expect((await world.done('GET', path))['status']).toBe('active');
    expect((await by(installation, 'GET', path)).status).toBe(401);
    const { body } = await by(integration, 'POST', `${path}/tokens`);
    expect((await by(String(body['token']), 'GET', path)).status).toBe(200);
    // So does any change by who may configure it.
    await world.done('POST', `${path}/pause`);
    expect((await world.done('PATCH', path, {}))['status']).toBe('active');
  });

  it('is refused within a second when it has other keys, is uninstalled, or unpublished', async () => {
    const endings = {
      rotate: ({ path }: { path: string }) => asOwner(`${path}/signing/rotate`),
      rotateIntegration: ({ name }: { name: string }) => asOwner(`/integrations/${name}/signing/rotate`),
      uninstall: ({ path }: { path: string }) => world.send('DELETE', path),
      unpublish: ({ name }: { name: string }) => world.send('DELETE', `/integrations/${name}`),
    };
    for (const end of Object.values(endings)) {
      const one = await installed();
      expect((await by(one.installation, 'GET', one.path)).status).toBe(200);
      expect((await end(one)).status).toBeLessThan(300);
      await eventually(async () => (await by(one.installation, 'GET', one.path)).status === 401, 1_000);
    }
  });

  it('of the integration is refused when the integration has other keys, or is unpublished', async () => {
    const one = await installed();
    const list = `/integrations/${one.name}/installations`;
    expect((await by(one.integration, 'GET', list)).status).toBe(200);
    await asOwner(`/integrations/${one.name}/signing/rotate`);
    await eventually(async () => (await by(one.integration, 'GET', list)).status === 401, 1_000);
    const next = await integrationToken(world.rig, one.name);
    expect((await by(next, 'GET', list)).status).toBe(200);
    await world.done('DELETE', `/integrations/${one.name}`);
    await eventually(async () => (await by(next, 'GET', list)).status === 401, 1_000);
  });

  it('is refused when it was forged', async () => {
    const { path, installation } = await installed();
    const [head = '', body = '', mac = ''] = installation.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, organization: 'other' })).toString('base64url');
    for (const token of [
      `${head}.${other}.${mac}`,
      `${head}.${body}.${'A'.repeat(43)}`,
      `${head}.${body}`,
      'scr_inst_',
    ])
      expect((await by(token, 'GET', path)).status).toBe(401);
  });
});

describe('a space of an installation', () => {
  it('is found as long as it is selected, and never changed in what others may do there', async () => {
    const { path, installation } = await installed({ scopes: ['space:metadata:read', 'space:metadata:write'] });
    const id = await world.space('Selected');
    const space = `/spaces/${id}`;
    expect((await by(installation, 'GET', space)).status).toBe(404);
    await world.done('POST', `${path}/spaces`, { space: id });
    await eventually(async () => (await by(installation, 'GET', space)).status === 200, 1_000);
    expect((await by(installation, 'PATCH', space, { title: 'By a script' })).body['title']).toBe('By a script');
    for (const change of [{ defaultLevel: 'admin' }, { editMode: 'live' }, { mergeRules: { type: 'none' } }])
      expect(refusal(await by(installation, 'PATCH', space, change))).toEqual([
        403,
        'forbidden',
        `body.${Object.keys(change).join()}`,
      ]);
    // Content has scopes of its own.
    expect((await by(installation, 'GET', `${space}/content/pages`)).status).toBe(403);
    await world.done('DELETE', `${path}/spaces/${id}`);
    await eventually(async () => (await by(installation, 'GET', space)).status === 404, 1_000);
  });

  it('of another organization is not found, whatever is selected', async () => {
    const { installation } = await installed(
      { scopes: ['space:metadata:read'] },
      { space_selection: 'all', site_selection: 'all' },
    );
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    const foreign = String((await world.done('POST', `/orgs/${other}/spaces`, { title: 'Foreign' }))['id']);
    const own = await world.space('Own');
    await eventually(async () => (await by(installation, 'GET', `/spaces/${own}`)).status === 200, 1_000);
    expect((await by(installation, 'GET', `/spaces/${foreign}`)).status).toBe(404);
  });
});

describe('an installation that is pending', () => {
  it('reaches itself and nothing else, until a user grants what the integration asks for', async () => {
    const scopes = ['space:metadata:read'];
    const { name, path, installation } = await installed({ scopes: [] });
    const space = await world.space('Reached');
    await world.done('POST', `${path}/spaces`, { space });
    await world.done('POST', `/integrations/${name}`, publication(world.rig.organization, { scopes }));
    expect((await world.done('GET', path))['status']).toBe('pending');
    expect((await by(installation, 'GET', `/spaces/${space}`)).status).toBe(403);
    expect((await by(installation, 'PATCH', path, { externalIds: ['x'] })).body['status']).toBe('pending');
    await world.done('PATCH', path, {});
    await eventually(async () => (await by(installation, 'GET', `/spaces/${space}`)).status === 200, 1_000);
    expect(
      get((await by(installation, 'GET', `${path}/spaces?extended=true`)).body.items[0] ?? {}, 'space.title'),
    ).toBe('Reached');
    await world.done('POST', `/integrations/${name}`, publication(world.rig.organization, { scopes: [] }));
    await eventually(async () => (await by(installation, 'GET', `/spaces/${space}`)).status === 403, 1_000);
  });
});

describe('what an integration does', () => {
  it('is recorded as done by the installation in the content of a space, too', async () => {
    const { path, installation } = await installed({ scopes: ['space:content:write'] });
    const body = { title: 'Written', editMode: 'live', empty: true };
    const space = String((await world.done('POST', `${world.org}/spaces`, body))['id']);
    await world.done('POST', `${path}/spaces`, { space });
    const changes = [{ operation: 'insert_page', title: 'By a script', document: { markdown: 'Hello' } }];
    await eventually(
      async () => (await by(installation, 'POST', `/spaces/${space}/content`, { changes })).status === 200,
    );
    const actor = { object: 'integration', id: path.split('/').at(-1) };
    await eventually(async () => {
      const { items } = await world.done('GET', `${world.org}/audit-events?limit=20&action=revision_created`);
      return items.some((item) => JSON.stringify(get(item, 'actor')) === JSON.stringify(actor));
    });
  });

  it('is recorded as done by the installation', async () => {
    const { path, installation } = await installed();
    await by(installation, 'PATCH', path, { externalIds: ['y'] });
    const actor = path.split('/').at(-1);
    await eventually(async () => {
      const { items } = await world.done('GET', `${world.org}/audit-events?limit=20`);
      return items.some((item) => get(item, 'actor.object') === 'integration' && get(item, 'actor.id') === actor);
    });
  });
});
