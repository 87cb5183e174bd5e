import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { startEndpointRig, type EndpointRig, type Installed } from '../test/endpoint-rig.js';

let world: EndpointRig;
beforeAll(async () => {
  world = await startEndpointRig();
}, 90_000);
afterAll(() => world.stop());

/** Logs in as authors of integrations do it: with the helper of the official runtime. */
const source = `
const oauth = runtime.createOAuthHandler({
  clientId: 'client', clientSecret: 'hidden', authorizeURL: 'https://provider.example/authorize',
  accessTokenURL: 'https://docs.example/stub/token',
  extractCredentials: ({ access_token }) => ({ configuration: { login: { access_token } } }),
}, { replace: false });
return runtime.createIntegration({
  fetch: async (request, context) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/oauth')) return oauth(request, context);
    const { installation, spaceInstallation, siteInstallation } = context.environment;
    return Response.json((spaceInstallation ?? siteInstallation ?? installation ?? { configuration: null }).configuration);
  },
});`;
const component = source.replace(
  'return runtime.createIntegration({',
  `const settings = runtime.createComponent({
  componentId: 'settings',
  render: async (element, { environment }) => {
    const endpoint = environment.installation.urls.publicEndpoint;
    const open = (url) => ({ type: 'button', label: 'Log in', onPress: { action: '@ui.url.open', url } });
    const { host, pathname } = new URL(endpoint);
    const url = { host, pathname: pathname + '/oauth', query: { of: 'b' } };
    const link = { type: 'link', target: { url }, children: ['Log in'] };
    const children = [open(endpoint + '/oauth?of=a'), { type: 'text', children: [link] }, open(endpoint + 'x/oauth')];
    return { type: element.context.type === 'document' ? 'block' : 'configuration', children };
  },
});
return runtime.createIntegration({ components: [settings],`,
);
const properties = {
  key: { type: 'string' },
  login: { type: 'button', callback_url: '/oauth', button_text: 'Log in' },
};
const configuration = { properties, required: ['login'] };
const configurations = { account: configuration, space: configuration, site: configuration };
const begin = () => world.begin(source, { configurations });

/** Presses the button of a configuration; where the browser goes then, and the cookie that it has. */
async function press(path: string) {
  const { url } = await world.done('POST', `${path}/callbacks/login`, undefined, world.creator);
  const { status, headers } = await world.ask(String(url));
  const [set = ''] = headers['set-cookie'] ?? [];
  return { url: String(url), status, location: String(headers.location), set, cookie: set.split(';')[0] ?? '' };
}

/** What the other service sends a browser back to, once somebody has logged in there. */
async function logIn(location: string, cookie: string, code: string): Promise<string> {
  const { status, headers } = await world.ask(location, { headers: { cookie } });
  expect(status).toBe(302);
  const to = new URL(String(headers.location));
  expect(to.origin + to.pathname).toBe('https://provider.example/authorize');
  const state = to.searchParams.get('state') ?? '';
  return `${to.searchParams.get('redirect_uri')}?${new URLSearchParams({ code, state }).toString()}`;
}

async function secretOf(endpoint: string): Promise<unknown> {
  return JSON.parse((await world.ask(`${endpoint}/configuration`)).body);
}

describe('a button of a configuration', () => {
  beforeAll(() => {
    world.stub.answer = (path, body) => {
      const sent = new URLSearchParams(body);
      return path === '/stub/token' && sent.get('client_secret') === 'hidden'
        ? { ok: true, access_token: `token-of-${sent.get('code')}`, expires_in: 60 }
        : { ok: false };
    };
  });

  it('connects an account, whose token the script has and no user sees', async () => {
    const { path, endpoint } = await begin();
    await world.done('PATCH', path, { configuration: { key: 'k' } });
    expect((await world.done('GET', path))['status']).toBe('pending');
    const { status, location, set, cookie } = await press(path);
    expect([status, location]).toEqual([303, `${endpoint}/oauth`]);
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
    const back = await logIn(location, cookie, 'ann');
    expect(back.startsWith(`${endpoint}/oauth?`)).toBe(true);
    expect((await world.ask(back, { headers: { cookie } })).status).toBe(200);
    expect(await world.done('GET', path)).toMatchObject({ status: 'active', configuration: { key: 'k' } });
    expect(JSON.stringify(await world.done('GET', path))).not.toContain('token-of-ann');
    expect(await secretOf(endpoint)).toEqual({ key: 'k', login: { access_token: 'token-of-ann' } });
  });

  it.each(['space', 'site'] as const)('is there on a %s, too', async (kind) => {
    const { path } = await begin();
    const id = await (kind === 'space' ? world.space('In') : world.site('In'));
    await world.done('POST', `${path}/${kind}s`, { [kind]: id });
    const target = `${path}/${kind}s/${id}`;
    const { urls } = await world.done('GET', target);
    const { publicEndpoint = '' } = urls as Record<string, string>;
    const grants = { users: { [world.creator.id]: 'create' } };
    if (kind === 'site') await world.send('PATCH', `${world.org}/sites/${id}/permissions`, grants);
    const begun = await world.send('POST', `${target}/callbacks/login`);
    const { headers } = await world.ask(String(begun.body['url']));
    expect(headers.location).toBe(`${publicEndpoint}/oauth`);
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const back = await logIn(String(headers.location), cookie, 'bob');
    expect((await world.ask(back, { headers: { cookie } })).status).toBe(200);
    expect(await world.done('GET', target)).toMatchObject({ status: 'active', configuration: {} });
    expect(await secretOf(publicEndpoint)).toEqual({ login: { access_token: 'token-of-bob' } });
  });

  it('is no way to connect an account to the installation of somebody else', async () => {
    const [victim, own] = [await begin(), await begin()];
    const { cookie, location } = await press(own.path);
    const back = await logIn(location, cookie, 'eve');
    const forged = (one: Installed, state: object | string) =>
      `${one.endpoint}/oauth?${new URLSearchParams({
        code: 'eve',
        state: typeof state === 'string' ? state : JSON.stringify(state),
      }).toString()}`;
    const state = { installationId: victim.id };
    for (const url of [
      forged(victim, state),
      forged(victim, state).replace(`installations/${victim.id}`, 'integration'),
      forged(victim, { deep: { of: [victim.id] } }),
      forged(victim, victim.id),
      `${forged(victim, 'other')}&state=${encodeURIComponent(JSON.stringify(state))}`,
    ])
      for (const sent of ['', cookie, cookie.replace(own.id, victim.id)]) {
        const answer = await world.ask(url, { headers: sent === '' ? {} : { cookie: sent } });
        expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
        expect(answer.body).toContain('Begin again');
      }
    expect(await secretOf(victim.endpoint)).toEqual({});
    expect((await world.ask(back)).status).toBe(403);
    // Other states are for the script to judge.
    expect((await world.ask(`${victim.endpoint}/other?code=x&state=of-a-visitor`)).status).toBe(200);
  });

  it('leads to an address that works once', async () => {
    const { path } = await begin();
    const { url } = await press(path);
    const again = await world.ask(url);
    expect([again.status, again.headers['set-cookie']]).toEqual([404, undefined]);
    const { body } = await world.send('POST', `${path}/callbacks/login`);
    const fresh = String(body['url']);
    expect((await world.ask(fresh, { method: 'POST' })).status).toBe(405);
    const other = await begin();
    const foreign = fresh
      .replace(new URL(fresh).origin, new URL(other.endpoint).origin)
      .replace(/integrations\/[^/]+/, `integrations/${other.name}`);
    expect((await world.ask(foreign)).status).toBe(404);
    expect((await world.ask(fresh)).status).toBe(303);
  });

  it('is removed with its installation', async () => {
    const { path, id } = await begin();
    const stored = () => world.rig.store.database.collection('op_callbacks').countDocuments({ installation: id });
    await world.done('POST', `${path}/callbacks/login`);
    expect(await stored()).toBe(1);
    await world.done('DELETE', path);
    await eventually(async () => (await stored()) === 0, 20_000);
  });

  it('can be one of a component that configures, whose links are such addresses for whoever may configure', async () => {
    const one = await world.begin(component, { configurations: { account: { componentId: 'settings' } } });
    const space = await world.space('In');
    await world.done('POST', `${one.path}/spaces`, { space });
    const render = async (context: object, person = world.creator) => {
      const body = { componentId: 'settings', props: {}, context: { theme: 'light', ...context } };
      return (await world.send('POST', `/integrations/${one.name}/render`, body, person)).body;
    };
    const urlsIn = (body: object) => JSON.stringify(body).match(/"url":"[^"]*"/g) ?? [];
    const shown = await render({ type: 'configuration_account', organizationId: world.rig.organization });
    const [button = '', link = '', elsewhere = ''] = urlsIn(shown).map((text) => text.slice(7, -1));
    expect(elsewhere).toBe(`${one.endpoint}x/oauth`);
    for (const url of [button, link]) {
      expect(url).toContain(`/v1/integrations/${one.name}/callbacks/`);
      const { status, headers } = await world.ask(url);
      expect([status, headers.location]).toEqual([303, `${one.endpoint}/oauth?of=${url === button ? 'a' : 'b'}`]);
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const back = await logIn(String(headers.location), cookie, 'ann');
      expect((await world.ask(back, { headers: { cookie } })).status).toBe(200);
    }
    // Who reads a block may not log in for an installation.
    const block = await render({ type: 'document', spaceId: space, editable: false }, world.rig.owner);
    expect(urlsIn(block)).toContain(`"url":"${one.endpoint}/oauth?of=a"`);
  });

  it('is pressed by whoever may configure, and has to be declared', async () => {
    const { path } = await begin();
    const by = async (person: typeof world.reader) =>
      (await world.send('POST', `${path}/callbacks/login`, undefined, person)).status;
    expect([await by(world.creator), await by(world.reader), await by(world.guest), await by(world.stranger)]).toEqual([
      200, 403, 403, 404,
    ]);
    for (const property of ['key', 'none', 'constructor'])
      expect((await world.send('POST', `${path}/callbacks/${property}`)).body.error).toMatchObject({
        reason: 'not_found',
        message: 'The configuration has no such button',
        details: [{ path: 'params.property', message: 'Must be one of: login' }],
      });
    await world.done('POST', `${path}/pause`);
    expect((await world.send('POST', `${path}/callbacks/login`)).body.error.reason).toBe('conflict');
  });
});

describe('an origin that all integrations share', () => {
  it('has pages in a sandbox, and cookies below each integration', async () => {
    const shared = await startEndpointRig({ INTEGRATIONS_ORIGIN: 'http://run.localhost:1' });
    try {
      const { name, endpoint, content } = await shared.begin(`return runtime.createIntegration({ fetch: async () =>
        new Response('<h1>Hi</h1>', { headers: { 'content-type': 'text/html', 'set-cookie': 'a=1; Path=/; HttpOnly' } }) });`);
      expect([endpoint, content].map((url) => new URL(url).host)).toEqual(['run.localhost:1', 'run.localhost:1']);
      const { headers } = await shared.ask(endpoint);
      expect(headers['content-security-policy']).toBe('sandbox allow-scripts allow-forms allow-popups');
      expect(headers['set-cookie']).toEqual([`a=1; HttpOnly; Path=/v1/integrations/${name}`]);
    } finally {
      await shared.stop();
    }
  }, 90_000);
});
