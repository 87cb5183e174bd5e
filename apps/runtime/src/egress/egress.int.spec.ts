import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RuntimeRig, somePublic, startRuntimeRig } from '../test/runtime-rig.js';

/** Sends the requests of the event, and answers with what became of them. */
const script = `
const one = async ({ url, size, ...init }) => {
  if (size) init.body = 'x'.repeat(size);
  try {
    const response = await fetch(url, init);
    return { status: response.status, refused: response.headers.get('x-scriptorium-refused'),
      headers: Object.fromEntries(response.headers), url: response.url, text: (await response.text()).slice(0, 200) };
  } catch (error) {
    return { error: String(error) };
  }
};
export default {
  async fetch(request) {
    const event = JSON.parse((await request.formData()).get('event'));
    return Response.json(await Promise.all(event.requests.map(one)));
  },
};`;

interface Sent {
  status?: number;
  refused?: string | null;
  headers?: Record<string, string>;
  url?: string;
  text?: string;
  error?: string;
}

describe('requests of scripts', () => {
  let rig: RuntimeRig;
  let hash: string;
  let seen: IncomingMessage[];
  let publicUrl: string;
  let api: ReturnType<typeof createServer>;
  beforeAll(async () => {
    api = createServer((request, response) => {
      seen.push(request);
      if (request.url === '/v1/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(`api ${request.url}`);
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const own = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    rig = await startRuntimeRig({ settings: { RUNTIME_API_ORIGIN: 'https://docs.example.com', RUNTIME_API_URL: own } });
    hash = await rig.put(script);
    publicUrl = await rig.serve((request, response) => {
      seen.push(request);
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
      else if (pathname === '/large') response.end(Buffer.alloc(10 * 1024 * 1024 + 1));
      else if (pathname === '/slow') setTimeout(() => response.end('slow'), 100);
      else response.writeHead(201, { 'x-own': 'yes', 'set-cookie': 'c=1' }).end('public');
    });
  });
  beforeEach(() => {
    seen = [];
    rig.connected.length = 0;
  });
  afterAll(async () => {
    await rig.stop();
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
  });

  const send = async (...requests: object[]): Promise<Sent[]> => {
    const { answer } = await rig.run(hash, { event: { requests } });
    return JSON.parse(answer.body.toString()) as Sent[];
  };

  it('go to public addresses, with their method, headers and body, and the answer comes back', async () => {
    const [sent] = await send({
      url: `${publicUrl}/a?b=c`,
      method: 'PUT',
      headers: {
        'x-mine': '1',
        authorization: 'Bearer t',
        cookie: 'a=b',
        'user-agent': 'me',
        'x-scriptorium-refused': 'x',
      },
      body: 'text',
    });
    expect(sent).toMatchObject({ status: 201, refused: null, text: 'public', headers: { 'x-own': 'yes' } });
    expect(sent?.headers?.['set-cookie']).toBeUndefined();
    const [{ method, url, headers } = {} as IncomingMessage] = seen;
    expect([method, url, headers['x-mine'], headers.authorization]).toEqual(['PUT', '/a?b=c', '1', 'Bearer t']);
    expect([headers.cookie, headers['user-agent'], headers['x-scriptorium-refused']]).toEqual([
      undefined,
      'Scriptorium',
      undefined,
    ]);
    expect(rig.connected).toEqual([somePublic]);
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://api.localhost:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://017700000001:1/',
    'http://0:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://100.100.100.200/',
    'http://[64:ff9b::7f00:1]/',
  ])('are refused for %s, without a connection', async (url) => {
    expect(await send({ url })).toMatchObject([{ status: 403, refused: 'address' }]);
    expect(rig.connected).toEqual([]);
  });

  it('are refused for names that lead inside, also where only one address does, and where the answer changes', async () => {
    rig.names.set('inside.example', [['127.0.0.1']]);
    rig.names.set('both.example', [[somePublic, '10.0.0.1']]);
    rig.names.set('rebinding.example', [[somePublic], ['127.0.0.1']]);
    const { port } = new URL(publicUrl);
    const names = ['inside.example', 'both.example', 'rebinding.example'];
    expect(await send(...names.map((name) => ({ url: `http://${name}:${port}/` })))).toMatchObject([
      { status: 403, refused: 'address' },
      { status: 403, refused: 'address' },
      { status: 201 },
    ]);
    expect(rig.connected).toEqual([somePublic]);
    expect(await send({ url: `http://rebinding.example:${port}/` })).toMatchObject([
      { status: 403, refused: 'address' },
    ]);
  });

  it.each(['http://169.254.169.254/', 'http://127.0.0.1:1/', 'http://[::ffff:7f00:1]/', '//localhost:1/'])(
    'are refused when a public address redirects to %s',
    async (inside) => {
      const [sent] = await send({ url: `${publicUrl}/to?url=${encodeURIComponent(inside)}` });
      expect(sent).toMatchObject({ status: 403, refused: 'address' });
      expect([seen.length, rig.connected]).toEqual([1, [somePublic]]);
    },
  );

  it('follow redirects between public addresses by a request for each', async () => {
    const [sent] = await send({ url: `${publicUrl}/to?url=${encodeURIComponent(`${publicUrl}/there`)}` });
    expect(sent).toMatchObject({ status: 201, url: `${publicUrl}/there` });
    expect(rig.connected).toEqual([somePublic, somePublic]);
  });

  it('reach the API under its public origin, and nothing says for whom they are but their token', async () => {
    const headers = {
      authorization: 'Bearer t',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=1',
      'x-real-ip': '1',
    };
    const [sent, away, other] = await send(
      { url: 'https://docs.example.com/v1/user?x=1', headers },
      { url: 'https://docs.example.com/v1/away' },
      { url: `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1/user` },
    );
    expect(sent).toMatchObject({ status: 200, text: 'api /v1/user?x=1' });
    expect([away, other]).toMatchObject([
      { status: 403, refused: 'address' },
      { status: 403, refused: 'address' },
    ]);
    const told = seen.find(({ url }) => url === '/v1/user?x=1')?.headers ?? {};
    expect([told.host, told.authorization]).toEqual(['docs.example.com', 'Bearer t']);
    expect(Object.keys(told).filter((name) => /forwarded|real-ip/.test(name))).toEqual([]);
  });

  it('are bounded in size, in both directions', async () => {
    const [large, upload] = await send(
      { url: `${publicUrl}/large` },
      { url: publicUrl, method: 'POST', size: 10 * 1024 * 1024 + 1 },
    );
    expect([large?.status, upload?.status ?? upload?.error]).toEqual([502, expect.anything()]);
    expect(upload?.status).not.toBe(201);
  });

  it('are bounded at a time and in a second', async () => {
    const many = await send(...Array.from({ length: 260 }, () => ({ url: `${publicUrl}/slow` })));
    const statuses = new Set(many.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 429]);
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
  });

  it('are told in the trace of a call that was alone', async () => {
    const { call } = await rig.run(hash, {
      event: { requests: [{ url: publicUrl }, { url: 'http://127.0.0.1:1/', method: 'POST', body: 'x' }] },
    });
    const { requests } = await rig.trace(call);
    expect(requests.sort((a, b) => a.status - b.status)).toEqual([
      { method: 'GET', host: new URL(publicUrl).host, status: 201 },
      { method: 'POST', host: '127.0.0.1:1', status: 403, refused: 'address' },
    ]);
    const together = await Promise.all(
      [1, 2].map(() => rig.run(hash, { event: { requests: [{ url: `${publicUrl}/slow` }] } })),
    );
    for (const one of together) expect((await rig.trace(one.call)).requests).toEqual([]);
  });
});
