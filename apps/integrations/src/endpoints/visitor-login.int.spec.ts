import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { startEndpointRig, type EndpointRig, type Installed } from '../test/endpoint-rig.js';
import { refusal } from '../test/integration-rig.js';
import type { Answer } from '../test/rig.js';
import { visitorScript } from '../test/visitor-script.js';

const schema = { type: 'object', properties: { plan: { type: 'string', enum: ['free', 'paid'] } } };
const changes = [
  { operation: 'insert_page', title: 'Start', ref: 'start', document: { markdown: 'Hello.' } },
  {
    operation: 'insert_page',
    title: 'Paid',
    ref: 'paid',
    condition: 'visitor.claims.plan == "paid"',
    document: { markdown: 'For those who pay.' },
  },
];
const site = { properties: { client_id: { type: 'string' }, mode: { type: 'string' } }, required: ['client_id'] };
const settings = { scopes: ['site:visitor:auth', 'site:metadata:read'], configurations: { site }, target: 'site' };
const hour = () => Math.floor(Date.now() / 1000) + 3_600;

/** A token with these claims, signed with HS256. */
function tokenOf(key: string, claims: object, head: object = { alg: 'HS256' }): string {
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

interface Signing extends Installed {
  site: string;
  /** The site in the API, and the address at which it is published. */
  sitePath: string;
  address: string;
}

let world: EndpointRig;
let space: string;
beforeAll(async () => {
  world = await startEndpointRig();
  space = await world.space('Shown');
  await world.done('PATCH', `/spaces/${space}`, { editMode: 'live' });
  await world.done('POST', `/spaces/${space}/content`, { changes });
  world.stub.answer = (path, body) => {
    const claims = { sub: 'v1', plan: new URLSearchParams(body).get('code') };
    return path.endsWith('/oauth/token') ? { id_token: tokenOf('of the provider', claims) } : claims;
  };
}, 90_000);
afterAll(() => world.stop());

/** A published site for visitors who are signed in. */
async function openSite(): Promise<Pick<Signing, 'site' | 'sitePath' | 'address'>> {
  const made = await world.done('POST', `${world.org}/sites`, {
    title: 'Docs',
    visibility: 'visitor-auth',
    spaces: [space],
  });
  const sitePath = `${world.org}/sites/${String(made['id'])}`;
  await world.done('PATCH', sitePath, { adaptiveContent: { enabled: true } });
  await world.done('PUT', `${sitePath}/adaptive-schema`, { jsonSchema: schema });
  const { urls } = await world.done('POST', `${sitePath}/publish`);
  return { site: String(made['id']), sitePath, address: String((urls as { published: string }).published) };
}

/** The same, with an integration that signs visitors in. */
async function begin(): Promise<Signing> {
  const [one, at] = [await world.begin(visitorScript, settings), await openSite()];
  await world.done('POST', `${one.path}/sites`, { site: at.site });
  await world.done('PATCH', `${one.path}/sites/${at.site}`, { configuration: { client_id: 'client' } });
  await world.done('PATCH', `${at.sitePath}/publishing/auth`, { backend: 'integration', integration: one.name });
  return { ...one, ...at };
}

const visit = (url: string, jwtToken?: string): Promise<Answer> =>
  world.rig.send('POST', '/urls/published', {
    token: null,
    body: { url, ...(jwtToken === undefined ? {} : { visitor: { jwtToken } }) },
  });
const led = async (url: string, token?: string) => {
  const { status, body } = await visit(url, token);
  return status === 200 ? ((body['redirect'] as string | undefined) ?? 'inside') : `${status} ${body.error.reason}`;
};
/** The key with which the script signs tokens of the visitors of a site. */
async function keyOf({ path, site: id }: Signing): Promise<string> {
  const { urls } = await world.done('GET', `${path}/sites/${id}`);
  const { body } = await world.ask(`${(urls as { publicEndpoint: string }).publicEndpoint}/keys`);
  return (JSON.parse(body) as { siteInstallation: string }).siteInstallation;
}
const loginOf = ({ name, endpoint, id, site: at }: Signing, query = '') =>
  `${new URL(endpoint).origin}/v1/integrations/${name}/visitor-login/${id}/${at}${query}`;

describe('an integration that signs in the visitors of a site', () => {
  let one: Signing;
  beforeAll(async () => {
    one = await begin();
  });

  it('sends them to an identity provider, and back to what they asked for', async () => {
    const asked = `${one.address}paid?visitor.beta=true`;
    const login = await led(asked);
    expect(login).toBe(loginOf(one, '?location=paid%3Fvisitor.beta%3Dtrue'));
    const sent = await world.ask(login);
    expect([sent.status, sent.headers['cache-control'], sent.body]).toEqual([302, 'no-store', '']);
    const provider = new URL(String(sent.headers.location));
    expect([provider.host, provider.searchParams.get('client_id')]).toEqual(['provider.example', 'client']);
    const state = provider.searchParams.get('state') ?? '';
    const back = `${provider.searchParams.get('redirect_uri')}?${new URLSearchParams({ code: 'paid', state }).toString()}`;
    const home = new URL(String((await world.ask(back)).headers.location));
    const token = home.searchParams.get('jwt_token') ?? '';
    home.searchParams.delete('jwt_token');
    expect(home.href).toBe(asked);
    const { status, body } = await visit(`${asked}&jwt_token=${token}`);
    expect([status, body['pathname'], body['contextId']]).toEqual([200, '/paid', expect.any(String)]);
    const page = async (content: object) =>
      (
        await world.rig.send('GET', `/spaces/${space}/content/path/paid`, {
          token: (content as { apiToken: string }).apiToken,
        })
      ).status;
    expect(await page(body)).toBe(200);
    const free = await visit(one.address, tokenOf(await keyOf(one), { plan: 'free', exp: hour() }));
    expect(await page(free.body)).toBe(404);
  });

  it('is told by the login of the site, and never where another site is', async () => {
    const at = async (location: string) =>
      new URL(await led(`${one.address}~gitbook/auth/login?location=${encodeURIComponent(location)}`)).searchParams.get(
        'location',
      );
    const { pathname } = new URL(one.address);
    expect(await at(`${pathname}start?a=b`)).toBe('start?a=b');
    for (const other of ['https://evil.example/x', '//evil.example/x', '/other/x', `${pathname}/evil.example`])
      expect(await at(other)).toMatch(/^(evil\.example)?$/);
    for (const location of ['//evil.example', 'https://evil.example', '../x', 'x?jwt_token=y']) {
      const answer = await world.ask(loginOf(one, `?location=${encodeURIComponent(location)}`));
      expect([answer.status, answer.headers.location, answer.body]).toEqual([
        400,
        undefined,
        expect.stringContaining('query.location'),
      ]);
    }
  });

  it('has logins among its events, without where visitors want to go', async () => {
    await world.ask(loginOf(one, '?location=start'));
    const { items } = await world.done('GET', `/integrations/${one.name}/events`);
    const event = items.find(({ payload }) => (payload as { type: string }).type === 'fetch_visitor_authentication');
    expect(event).toMatchObject({ status: 'success', installationId: one.id, payload: { siteId: one.site } });
    expect(JSON.stringify(event)).not.toContain('start');
  });

  it('is the only one whose tokens count', async () => {
    const other = await begin();
    const [own, foreign] = [await keyOf(one), await keyOf(other)];
    const auth = await world.done('GET', `${one.sitePath}/publishing/auth`);
    expect(auth).toMatchObject({ backend: 'integration', integration: one.name });
    expect(await led(one.address, tokenOf(own, { exp: hour() }))).toBe('inside');
    const claims = { sub: 'v', exp: hour() };
    for (const token of [
      tokenOf(foreign, claims),
      tokenOf(String(auth['privateKey']), claims),
      tokenOf(`${own}x`, claims),
      tokenOf(Buffer.from(own, 'base64').toString('latin1'), claims),
      tokenOf('', claims, { alg: 'none' }),
      tokenOf(own, { sub: 'v' }),
      tokenOf(own, { sub: 'v', exp: hour() - 3_700 }),
      tokenOf(own, { sub: 'v', exp: hour() + 48 * 3_600 }),
    ])
      expect(await led(one.address, token)).toBe(loginOf(one, '?location='));
    expect(await led(other.address, tokenOf(own, claims))).toBe(loginOf(other, '?location='));
  });

  it('signs with another key after a rotation; the one before counts for a day, and none before that', async () => {
    const turning = await begin();
    const tokens = [tokenOf(await keyOf(turning), { exp: hour() })];
    for (let times = 1; times <= 2; times += 1) {
      await world.done('POST', `${turning.path}/signing/rotate`);
      tokens.unshift(tokenOf(await keyOf(turning), { exp: hour() }));
      const [present = '', before = '', ended] = tokens;
      await eventually(async () => (await led(turning.address, present)) === 'inside');
      expect(await led(turning.address, before)).toBe('inside');
      if (ended !== undefined) expect(await led(turning.address, ended)).toBe(loginOf(turning, '?location='));
    }
  });
});

describe('the script that the documentation prints', () => {
  it('signs visitors in', async () => {
    const text = await readFile(new URL('../../../../docs/identity-provider.md', import.meta.url), 'utf8');
    const [, script = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
    const properties = { issuer: { type: 'string' }, client_id: { type: 'string' } };
    const configurations = { site: { properties, required: ['issuer', 'client_id'] } };
    const secrets = { CLIENT_SECRET: 'secret' };
    const [name, at] = [await world.publish({ ...settings, script, configurations, secrets }), await openSite()];
    const path = await world.install(name);
    await world.done('POST', `${path}/sites`, { site: at.site });
    const configuration = { issuer: 'https://docs.example/stub', client_id: 'client' };
    await world.done('PATCH', `${path}/sites/${at.site}`, { configuration });
    await world.done('PATCH', `${at.sitePath}/publishing/auth`, { backend: 'integration', integration: name });
    const { headers } = await world.ask(await led(`${at.address}paid`));
    const { origin, pathname, searchParams } = new URL(String(headers.location));
    expect(origin + pathname).toBe('https://docs.example/stub/authorize');
    const back = new URLSearchParams({ code: 'paid', state: searchParams.get('state') ?? '' });
    const home = await world.ask(`${searchParams.get('redirect_uri')}?${back.toString()}`);
    expect(String(home.headers.location)).toContain(`${at.address}paid?jwt_token=`);
    expect(await led(String(home.headers.location))).toBe('inside');
  });
});

describe('while an integration cannot sign visitors in', () => {
  it('a visitor is told to try again: the script fails, or answers with no redirect', async () => {
    const one = await begin();
    for (const mode of ['throw', 'page', 'elsewhere']) {
      await world.done('PATCH', `${one.path}/sites/${one.site}`, { configuration: { client_id: 'c', mode } });
      const { status, headers, body } = await world.ask(await led(one.address));
      expect([status, headers.location, headers['retry-after']]).toEqual([503, undefined, '5']);
      expect(body).toContain('You cannot sign in right now');
      expect(body).not.toContain('away');
    }
  });

  it('a site opens to nobody who is not signed in: the integration is paused, or lacks something', async () => {
    const one = await begin();
    const token = tokenOf(await keyOf(one), { exp: hour() });
    await world.done('POST', `${one.path}/pause`);
    expect(await led(one.address)).toBe('503 unavailable');
    expect((await world.ask(loginOf(one))).status).toBe(503);
    // Who is signed in stays so until the token ends.
    expect(await led(one.address, token)).toBe('inside');
    await world.done('POST', `${one.path}/resume`);
    expect(await led(one.address)).toBe(loginOf(one, '?location='));
    const more = { ...settings, scopes: [...settings.scopes, 'site:views:read'] };
    await world.publish({ script: 'export default { fetch: () => new Response("") };', ...more }, one.name);
    expect(await led(one.address)).toBe('503 unavailable');
    expect((await world.ask(loginOf(one))).status).toBe(503);
  });

  it.each(['uninstalled', 'unpublished', 'taken from the site'])('a site opens to nobody: it is %s', async (how) => {
    const one = await begin();
    const token = tokenOf(await keyOf(one), { exp: hour() });
    const { apiToken } = (await visit(one.address, token)).body;
    const inside = async () =>
      (await world.rig.send('GET', `/spaces/${space}/content/path/start`, { token: String(apiToken) })).status;
    expect(await inside()).toBe(200);
    if (how === 'uninstalled') await world.done('DELETE', one.path);
    else if (how === 'unpublished') await world.done('DELETE', `/integrations/${one.name}`);
    else await world.done('DELETE', `${one.path}/sites/${one.site}`);
    expect(await led(one.address)).toMatch(/^(503 unavailable|401 visitor_auth_required)$/);
    const auth = async () => world.done('GET', `${one.sitePath}/publishing/auth`);
    await eventually(async () => (await auth())['backend'] === 'custom', 20_000);
    expect((await auth())['integration']).toBeUndefined();
    expect(await led(one.address)).toBe('401 visitor_auth_required');
    expect(await led(one.address, token)).toBe('401 visitor_auth_required');
    await eventually(async () => (await inside()) === 401);
    expect((await world.ask(loginOf(one))).status).toBe(404);
    // It signs nobody in again, unless somebody wants it to.
    if (how === 'taken from the site') await world.done('POST', `${one.path}/sites`, { site: one.site });
    expect(await led(one.address)).toBe('401 visitor_auth_required');
  });
});

describe('who signs visitors in', () => {
  it('is an integration that is installed on the site, active, and has the scope', async () => {
    const { sitePath, site: id } = await openSite();
    const set = async (body: object, person = world.rig.owner) =>
      refusal(await world.send('PATCH', `${sitePath}/publishing/auth`, body, person));
    const named = [400, 'invalid_request', 'body.integration'];
    expect(await set({ backend: 'integration' })).toEqual(named);
    expect(await set({ integration: 'some' })).toEqual(named);
    expect(await set({ backend: 'custom', integration: 'some' })).toEqual(named);
    const by = (integration: string) => set({ backend: 'integration', integration });
    expect(await by('nobody-has-this')).toEqual(named);
    const one = await world.begin(visitorScript, settings);
    expect(await by(one.name)).toEqual(named);
    await world.done('POST', `${one.path}/sites`, { site: id });
    // What is required on the site is not configured.
    expect(await by(one.name)).toEqual(named);
    await world.done('PATCH', `${one.path}/sites/${id}`, { configuration: { client_id: 'c' } });
    await world.done('POST', `${one.path}/pause`);
    expect(await by(one.name)).toEqual(named);
    await world.done('POST', `${one.path}/resume`);
    expect(await set({ backend: 'integration', integration: one.name }, world.reader)).toEqual([
      403,
      'forbidden',
      undefined,
    ]);
    const without = await world.begin(
      visitorScript,
      { ...settings, scopes: ['site:metadata:read'] },
      { site_selection: 'all' },
    );
    await world.done('PATCH', `${without.path}/sites/${id}`, { configuration: { client_id: 'c' } });
    expect(await by(without.name)).toEqual(named);
    expect(await by(one.name)).toEqual([200, undefined, undefined]);
    expect(await set({ fallbackURL: 'https://example.org/in' })).toEqual([200, undefined, undefined]);
    const auth = await world.done('GET', `${sitePath}/publishing/auth`);
    expect(auth).toMatchObject({ backend: 'integration', integration: one.name });
    expect(await set({ backend: 'custom' })).toEqual([200, undefined, undefined]);
    expect((await world.done('GET', `${sitePath}/publishing/auth`))['integration']).toBeUndefined();
  });
});
