import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { natsForTests } from '@scriptorium/embedded/test-servers';
import { largeBodyBytes, operation } from '@scriptorium/contracts';
import { parseKeyring } from '@scriptorium/platform/keyring';
import * as z from 'zod';
import { createGateway } from './create.js';
import { exchange, isWhole, parseAnswer } from './test/raw.js';
import { config, jsonAnswer, send, startRig, until, type Rig } from './test/rig.js';

const rigs: Rig[] = [];
const start = async (options: Parameters<typeof startRig>[0] = {}): Promise<Rig> => {
  const rig = await startRig(options);
  rigs.push(rig);
  return rig;
};
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const access = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
const base = { service: 'identity', tag: '', summary: '', access } as const;
const path = '/v1/user';
const getUser = 'getAuthenticatedUser';

describe('stopping', () => {
  it('finishes requests in progress and accepts no new ones', async () => {
    const rig = await start();
    let release: (() => void) | undefined;
    rig.stub.on[getUser] = () => new Promise((resolve) => (release = () => resolve(jsonAnswer({ done: true }))));
    const inProgress = rig.call('GET', path);
    await until(() => release !== undefined, 'the service has the request');
    const stopped = rig.gateway.stop();
    await until(() => refused(rig.address), 'new connections are refused');
    release?.();
    const reply = await inProgress;
    expect([reply.status, reply.json, reply.headers.get('connection')]).toEqual([200, { done: true }, 'close']);
    await stopped;
  });

  it('closes connections of requests that do not finish in time, and unused ones at once', async () => {
    const rig = await start({ config: { stopTimeoutMs: 300 } });
    let release: (() => void) | undefined;
    rig.stub.on[getUser] = () => new Promise((resolve) => (release = () => resolve(jsonAnswer({}))));
    const inProgress = rig.call('GET', path).catch(() => 'cut');
    const idle = connect({ port: Number(new URL(rig.address).port), host: '127.0.0.1' });
    const closed = new Promise((resolve) => idle.on('close', resolve));
    await new Promise((resolve) => idle.on('connect', resolve));
    await until(() => release !== undefined, 'the service has the request');
    const begun = performance.now();
    await rig.gateway.stop();
    // Not as late as it would be without this setting.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(await inProgress).toBe('cut');
    release?.();
    await closed;
  });

  it('may be called twice', async () => {
    const rig = await start();
    await Promise.all([rig.gateway.stop(), rig.gateway.stop()]);
  });
});

async function refused(address: string): Promise<boolean> {
  return send(address, 'GET', '/livez', {}).then(
    () => false,
    () => true,
  );
}

describe('starting', () => {
  it('is refused beside the gateway of another installation in the same namespace, and not beside one of its own', async () => {
    const namespace = `t${process.pid}`;
    const { nats } = await start({ config: { namespace } });
    const own = { ...config, natsUrl: nats.url, namespace };
    const others = ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, 'other').toString('base64')}`);
    await expect(createGateway({ ...own, keys: parseKeyring(others.join()) })).rejects.toThrow(
      `NAMESPACE: another installation, with other SECRET_KEYS, runs in "${namespace}" of this NATS server`,
    );
    await (await createGateway(own)).stop();
  });
});

describe('without NATS', () => {
  it('answers 503 at once, is not ready, and recovers by itself', async () => {
    const rig = await start();
    const { port } = rig.nats.ours();
    expect((await rig.call('GET', path)).status).toBe(200);
    await rig.nats.stop();
    await until(async () => (await rig.call('GET', '/readyz')).status === 503, 'not ready');
    const begun = performance.now();
    const reply = await rig.call('GET', path);
    expect([reply.status, reply.json.error.reason]).toEqual([503, 'unavailable']);
    // Long before the deadline.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect((await rig.call('GET', '/livez')).status).toBe(200);
    rig.nats = await natsForTests({ port });
    await until(async () => (await rig.call('GET', path)).status === 200, 'requests are served again');
    expect((await rig.call('GET', '/readyz')).status).toBe(200);
  });

  it('answers 503 when no replica serves the operation', async () => {
    const lonely = operation({
      ...base,
      id: 'lonely',
      service: 'conversations',
      method: 'GET',
      path: '/lonely',
    });
    const rig = await start({ table: [lonely], services: ['identity'] });
    expect((await rig.call('GET', '/v1/lonely')).status).toBe(503);
  });

  it('answers 503 when the service does not answer within the deadline', async () => {
    const slow = operation({
      ...base,
      id: 'slow',
      method: 'GET',
      path: '/slow',
      deadlineMs: 200,
    });
    const rig = await start({ table: [slow] });
    rig.stub.on['slow'] = () => new Promise(() => undefined);
    const begun = performance.now();
    expect((await rig.call('GET', '/v1/slow')).status).toBe(503);
    // Long before the deadline of other operations.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('gives a large body more time where the operation has it', async () => {
    const take = operation({
      ...base,
      id: 'take',
      method: 'POST',
      path: '/take',
      body: z.object({ text: z.string() }),
      response: z.object({}),
      deadlineMs: 200,
      largeBodyDeadlineMs: 60_000,
    });
    const rig = await start({ table: [take] });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    rig.stub.on['take'] = async () => {
      await held;
      return jsonAnswer({});
    };
    const send = (length: number) => rig.call('POST', '/v1/take', { body: { text: 'x'.repeat(length) } });
    const large = send(largeBodyBytes);
    expect((await send(1)).status).toBe(503);
    answer();
    expect((await large).status).toBe(200);
  });
});

/** Sends `start`, then `piece` again and again. Returns what comes back until the connection is closed. */
function sendSlowly(address: string, start: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    let text = '';
    const timer = setInterval(() => socket.write(piece), 20);
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
    socket.write(start);
  });
}

describe('slow and many clients', () => {
  it('must send headers and body in time', async () => {
    const rig = await start({ config: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
    const token = rig.issue();
    const headers = await exchange(rig.address, 'GET /v1/user HTTP/1.1\r\nHost: localhost\r\n');
    expect([parseAnswer(headers).status, headers.includes('did not arrive in time')]).toEqual([408, true]);
    const put = `PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    expect(parseAnswer(await exchange(rig.address, put)).status).toBe(408);
  });

  it('must send the whole request in time, even if bytes keep coming', async () => {
    const rig = await start({ config: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
    const put = `PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rig.issue()}\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{`;
    for (const [start, piece] of [
      ['GET /v1/user HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'],
      [put, ' '],
    ] as const) {
      expect(await sendSlowly(rig.address, start, piece)).toMatch(/^HTTP\/1.1 408 [^]*request_timeout/);
    }
  });

  it('are disconnected when they send nothing or do not read their answers', async () => {
    const rig = await start({ config: { keepAliveTimeoutMs: 100, idleTimeoutMs: 400, maxConnections: 1 } });
    await exchange(rig.address, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const script = 'GET /reference/script.js HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const socket = connect(Number(new URL(rig.address).port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(script.repeat(20));
    const livez = () => exchange(rig.address, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n', { done: isWhole });
    await until(async () => (await livez()) === '', 'no other connection is accepted');
    await until(async () => (await livez()) !== '', 'other connections are accepted');
    socket.destroy();
  });

  it('are limited to a number of connections', async () => {
    const rig = await start({ config: { maxConnections: 2 } });
    const port = Number(new URL(rig.address).port);
    const first = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(first.map((socket) => new Promise((resolve) => socket.on('connect', resolve))));
    expect(await exchange(rig.address, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('');
    for (const socket of first) socket.destroy();
    await until(
      async () =>
        (await exchange(rig.address, 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n', { done: isWhole })) !== '',
      'other connections are accepted',
    );
  });

  it('are limited to bytes of bodies in memory, which are released', async () => {
    const rig = await start({ config: { maxBodyBytes: 1_000_000 } });
    const token = rig.issue();
    const half = `PUT /v1/orgs/o/teams HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`;
    const holding = exchange(rig.address, half, { timeoutMs: 600 });
    const big = () => rig.call('PUT', '/v1/orgs/o/teams', { token, body: { title: 'x', other: 'y'.repeat(200_000) } });
    await until(async () => (await big()).status === 503, 'a second large body is refused');
    await holding;
    await until(async () => (await big()).status === 201, 'it is accepted');
  });
});

describe('CORS', () => {
  const preflight = {
    origin: 'https://app.test',
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization',
  };

  it('is off by default', async () => {
    const rig = await start();
    const { status, headers } = await rig.call('OPTIONS', path, { token: null, headers: preflight });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  it('allows the configured origins, also to read errors', async () => {
    const rig = await start({ config: { corsOrigins: ['https://app.test'] } });
    const { status, headers } = await rig.call('OPTIONS', path, { token: null, headers: preflight });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.test']);
    expect(headers.get('access-control-allow-methods')).toContain('PATCH');
    const refusal = await rig.call('GET', path, { token: null, headers: { origin: 'https://app.test' } });
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.test']);
    const other = await rig.call('GET', path, { headers: { origin: 'https://evil.test' } });
    expect(other.headers.get('access-control-allow-origin')).not.toBe('https://evil.test');
    const unknown = await rig.call('GET', '/v1/none', { headers: { origin: 'https://app.test' } });
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, 'https://app.test']);
  });
});
