import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { startEndpointRig, type EndpointAnswer, type EndpointRig, type Installed } from '../test/endpoint-rig.js';

let world: EndpointRig;
beforeAll(async () => {
  world = await startEndpointRig();
}, 90_000);
afterAll(() => world.stop());

const MiB = 1024 * 1024;
/** Answers with what it has got. */
const echo = `return runtime.createIntegration({
  fetch: async (request, { environment }) => {
    const url = new URL(request.url);
    const mode = url.searchParams.get('mode');
    if (mode === 'throw') throw new Error('secret of the script');
    if (mode === 'loop') for (;;);
    if (mode === 'large') return new Response(new Uint8Array(Number(url.searchParams.get('size'))));
    if (mode === 'status') return new Response('as told', { status: Number(url.searchParams.get('status')) });
    globalThis.count = (globalThis.count ?? 0) + 1;
    const { installation, spaceInstallation, siteInstallation, integration } = environment;
    const body = JSON.stringify({
      method: request.method, url: request.url, headers: Object.fromEntries(request.headers), text: await request.text(),
      installation: installation?.id, status: installation?.status, endpoint: installation?.urls.publicEndpoint,
      space: spaceInstallation?.urls.publicEndpoint, site: siteInstallation?.site,
      integration: integration.urls.publicEndpoint, count: globalThis.count,
    });
    const headers = { 'content-type': 'application/json', 'x-own': 'yes', 'set-cookie': 'a=1; Domain=localhost; Path=/' };
    if (url.searchParams.has('cached')) return new Response(body, { headers: { 'cache-control': 'max-age=60' } });
    return new Response(body, { status: 201, headers });
  },
});`;
const parsed = ({ body }: EndpointAnswer) => JSON.parse(body) as Record<string, unknown> & { headers: object };
const reasonOf = ({ status, body }: EndpointAnswer) => {
  const { error } = JSON.parse(body) as { error: { reason: string; details?: { path: string }[]; requestId: string } };
  expect(error.requestId).toBeTruthy();
  return [status, error.reason, error.details?.[0]?.path];
};

describe('the public address of an installation', () => {
  let one: Installed;
  beforeAll(async () => {
    one = await world.begin(echo, { contentSecurityPolicy: { 'script-src': "'self'" } });
  });

  it('is answered by the script, which gets the request as it was sent', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS']) {
      const body = method === 'GET' ? undefined : 'a body';
      const sent = { method, headers: { 'x-given': 'v', authorization: 'Bearer theirs' }, ...(body ? { body } : {}) };
      const answer = await world.ask(`${one.endpoint}/any/path?a=b&c=d%20e`, sent);
      expect(answer.status).toBe(201);
      expect(parsed(answer)).toMatchObject({
        method,
        url: `${one.endpoint}/any/path?a=b&c=d%20e`,
        text: body ?? '',
        installation: one.id,
        endpoint: one.endpoint,
        headers: { 'x-given': 'v', authorization: 'Bearer theirs' },
      });
    }
    const head = await world.ask(one.endpoint, { method: 'HEAD' });
    expect([head.status, head.bytes, head.headers['x-own']]).toEqual([201, 0, 'yes']);
  });

  it('shows what the script has answered, with the policy of the integration and cookies for its host alone', async () => {
    const { headers } = await world.ask(one.endpoint);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-own': 'yes',
      'content-security-policy': "script-src 'self'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'set-cookie': ['a=1; Path=/'],
    });
    expect(headers['x-frame-options']).toBeUndefined();
    const sent = { authorization: `Bearer ${world.rig.owner.token}`, 'x-forwarded-for': '1.2.3.4', cookie: 'a=1' };
    const got = parsed(await world.ask(one.endpoint, { headers: sent })).headers;
    expect(got).toMatchObject({ cookie: 'a=1', host: new URL(one.endpoint).host });
    expect(Object.keys(got).filter((name) => /authorization|forwarded|scriptorium/.test(name))).toEqual([]);
  });

  it('takes bodies of 6 MiB and answers of 10 MiB, and no more', async () => {
    const post = (size: number) => world.ask(one.endpoint, { method: 'POST', body: Buffer.alloc(size, 'x') });
    expect((parsed(await post(6 * MiB))['text'] as string).length).toBe(6 * MiB);
    expect(reasonOf(await post(6 * MiB + 1))).toEqual([413, 'too_large', 'body']);
    async function* chunks() {
      for (let i = 0; i < 7; i += 1) yield await Promise.resolve(Buffer.alloc(MiB));
    }
    expect(reasonOf(await world.ask(one.endpoint, { method: 'POST', body: chunks() }))).toEqual([
      413,
      'too_large',
      'body',
    ]);
    expect((await world.ask(`${one.endpoint}?mode=large&size=${10 * MiB}`)).bytes).toBe(10 * MiB);
    const beyond = await world.ask(`${one.endpoint}?mode=large&size=${10 * MiB + 1}`);
    expect(reasonOf(beyond)).toEqual([502, 'integration_failed', undefined]);
    expect(beyond.body).toContain('more than 10 MiB');
  });

  it('passes on the status of the script, and says when it has failed, without what it says', async () => {
    for (const status of [200, 404, 418, 503])
      expect((await world.ask(`${one.endpoint}?mode=status&status=${status}`)).status).toBe(status);
    const failed = await world.ask(`${one.endpoint}?mode=throw`);
    expect(reasonOf(failed)).toEqual([502, 'integration_failed', undefined]);
    expect(failed.body).not.toContain('secret of the script');
    expect(reasonOf(await world.ask(`${one.endpoint}?mode=loop`))).toEqual([502, 'script_blocked', undefined]);
  });

  it('has failures among the events of the integration, with what the script did, and delivers none again', async () => {
    await world.ask(`${one.endpoint}?mode=throw`);
    const events = `/integrations/${one.name}/events`;
    const { items } = await world.done('GET', `${events}?status=failed`);
    const [event] = items.filter(({ reason }) => reason === 'status_500');
    expect(event).toMatchObject({ installationId: one.id, payload: { type: 'fetch', installationId: one.id } });
    const path = `${events}/${String(event?.['id'])}`;
    await eventually(
      async () => JSON.stringify(await world.done('GET', path)).includes('secret of the script'),
      40_000,
    );
    const again = await world.send('POST', `${path}/redeliver`);
    expect([again.status, again.body.error.message]).toEqual([409, 'Calls and tasks are not delivered again']);
    expect(items.every(({ payload }) => (payload as { type: string }).type === 'fetch')).toBe(true);
  });

  it('is there under the name of its integration alone', async () => {
    const other = await world.begin(echo);
    const [host, foreign] = [new URL(one.endpoint).host, new URL(other.endpoint).host];
    expect(host).not.toBe(foreign);
    for (const name of [foreign, host.replace(/^[^.]+/, 'else'), host.replace(/^[^.]+\./, ''), '127.0.0.1'])
      expect(reasonOf(await world.ask(one.endpoint, { headers: { host: name } }))).toEqual([
        421,
        'misdirected',
        'headers.host',
      ]);
    const mixed = one.endpoint.replace(`/${one.name}/`, `/${other.name}/`);
    expect((await world.ask(mixed, { headers: { host: foreign } })).status).toBe(404);
    const wrong = one.endpoint.replace(`/${one.name}/`, `/${one.name.toUpperCase()}/`);
    for (const url of [
      wrong,
      `${one.endpoint}x`,
      `${one.endpoint}/spaces/none`,
      `${new URL(one.endpoint).origin}/v1/user`,
    ])
      expect((await world.ask(url)).status).toBe(404);
    expect((await fetch(`${world.rig.endpoint}${new URL(one.endpoint).pathname}`)).status).not.toBe(201);
  });

  it('answers while the installation is pending, and not while it is paused or gone', async () => {
    const required = {
      properties: { login: { type: 'button', callback_url: '/x', button_text: 'x' } },
      required: ['login'],
    };
    const { endpoint, path } = await world.begin(echo, { configurations: { account: required } });
    expect(parsed(await world.ask(endpoint))['status']).toBe('pending');
    await world.done('POST', `${path}/pause`);
    expect((await world.ask(endpoint)).status).toBe(404);
    await world.done('POST', `${path}/resume`);
    expect((await world.ask(endpoint)).status).toBe(201);
    await world.done('DELETE', path);
    expect((await world.ask(endpoint)).status).toBe(404);
  });

  it.each(['space', 'site'] as const)('is there for a %s that the installation reaches', async (kind) => {
    const { path } = await world.begin(echo);
    const id = await (kind === 'space' ? world.space('In') : world.site('In'));
    const outside = await (kind === 'space' ? world.space('Out') : world.site('Out'));
    await world.done('POST', `${path}/${kind}s`, { [kind]: id });
    const { urls } = await world.done('GET', `${path}/${kind}s/${id}`);
    const { publicEndpoint = '' } = urls as Record<string, string>;
    const got = parsed(await world.ask(`${publicEndpoint}/hook`));
    expect(kind === 'space' ? got['space'] : got['site']).toBe(kind === 'space' ? publicEndpoint : id);
    expect((await world.ask(publicEndpoint.replace(id, outside))).status).toBe(404);
    await world.done('DELETE', `${path}/${kind}s/${id}`);
    expect((await world.ask(publicEndpoint)).status).toBe(404);
  });
});

describe('the public address of an integration', () => {
  it('has no installation, and that of its content is kept as long as the script allows', async () => {
    const { name, content } = await world.begin(echo);
    const { urls } = await world.done('GET', `/integrations/${name}`);
    const { publicEndpoint = '', publicContentEndpoint } = urls as Record<string, string>;
    expect(publicContentEndpoint).toBe(content);
    const got = parsed(await world.ask(publicEndpoint));
    expect(got).toMatchObject({ integration: publicEndpoint, url: publicEndpoint });
    expect(got['installation']).toBeUndefined();
    const count = async (url: string, headers = {}) => parsed(await world.ask(url, { headers }))['count'];
    const first = await count(`${content}/a?cached`);
    expect(await count(`${content}/a?cached`)).toBe(first);
    expect(await count(`${content}/a?cached`, { cookie: 'a=1' })).not.toBe(first);
    expect(await count(`${content}/b?cached`)).not.toBe(first);
    expect(await count(`${publicEndpoint}/a?cached`)).not.toBe(await count(`${publicEndpoint}/a?cached`));
  });

  it('is gone when the integration is unpublished', async () => {
    const { name, content } = await world.begin(echo);
    await world.ask(`${content}?cached`);
    await world.done('DELETE', `/integrations/${name}`);
    expect((await world.ask(`${content}?cached`)).status).toBe(404);
  });
});

describe('a script that nobody can run', () => {
  it('is 503 with a time after which it may be sent again', async () => {
    const { endpoint } = await world.begin(echo);
    await world.stopRuntime();
    const answer = await world.ask(endpoint);
    expect(reasonOf(answer)).toEqual([503, 'runtime_unavailable', undefined]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
