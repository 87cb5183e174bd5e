import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { startNatsServer, type NatsServer, type NatsServerOptions } from './index.js';
import { rawClient } from './test/raw-client.js';

let server: NatsServer;
let log: string[] = [];
const start = async (options: NatsServerOptions) => {
  log = [];
  server = await startNatsServer({ logger: (line) => log.push(line), auth: 'none', ...options });
  return server;
};
afterEach(() => server.stop());

const HELLO = 'CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"protocol":1}\r\n';

describe('credentials', () => {
  it('user and password open the server, anything else does not', async () => {
    const { url } = await start({ auth: { user: 'app', password: 'right' } });
    const nc = await connect({ servers: url, user: 'app', pass: 'right' });
    await nc.flush();
    await nc.close();
    for (const wrong of [{ user: 'app', pass: 'wrong' }, { user: 'other', pass: 'right' }, { token: 'right' }, {}]) {
      await expect(connect({ servers: url, reconnect: false, ...wrong })).rejects.toThrow(/Authorization Violation/i);
    }
    expect(log.join()).not.toContain('right');
  });

  it('a token opens the server, anything else does not', async () => {
    const { url } = await start({ auth: { token: 'tok' } });
    const nc = await connect({ servers: url, token: 'tok' });
    await nc.flush();
    await nc.close();
    await expect(connect({ servers: url, reconnect: false, token: 'no' })).rejects.toThrow(/Authorization Violation/i);
  });

  it('are demanded before any other operation, and in time', async () => {
    await start({ auth: { token: 'tok' }, authTimeoutMs: 60_000 });
    const eager = await rawClient(server.port);
    eager.write('SUB > 1\r\n');
    expect(await eager.closed()).toBe("-ERR 'Authorization Violation'|");
    await server.stop();
    await start({ auth: { token: 'tok' }, authTimeoutMs: 100 });
    const silent = await rawClient(server.port);
    expect(await silent.closed()).toBe("-ERR 'Authentication Timeout'|");
  });

  it('are a must beyond loopback', async () => {
    await start({});
    await expect(startNatsServer({ host: '0.0.0.0' })).rejects.toThrow(/without credentials/);
  });
});

describe('slow clients', () => {
  const isDropped = () => log.some((line) => line.endsWith('slow consumer'));

  /**
   * Publishes until the slow client is disconnected, however much the system keeps for it; `settled` is awaited now and
   * then.
   */
  const floodUntilDropped = async (settled: () => Promise<void>): Promise<number> => {
    const nc = await connect({ servers: server.url });
    const payload = new Uint8Array(64 * 1024);
    let published = 0;
    for (; !isDropped(); published += 1) {
      nc.publish('flood', payload);
      if (published % 16 < 15) continue;
      await nc.flush();
      await settled();
    }
    await nc.close();
    return published;
  };

  it('are disconnected when too much waits for them, without harm to others', async () => {
    await start({ maxPending: 2 * 1024 * 1024 });
    const slow = await rawClient(server.port);
    slow.write(`${HELLO}SUB flood 1\r\nPING\r\n`);
    await slow.until((text) => text.endsWith('PONG|'));
    slow.socket.pause();
    const good = await connect({ servers: server.url });
    let heard = 0;
    good.subscribe('flood', { callback: () => void (heard += 1) });
    await good.flush();
    const published = await floodUntilDropped(() => good.flush());
    await good.flush();
    expect(heard).toBe(published);
    expect(log.filter((line) => line.endsWith('slow consumer'))).toHaveLength(1);
    slow.socket.destroy();
    await good.close();
  });

  it('are disconnected when they take nothing for too long', async () => {
    await start({ writeDeadlineMs: 200 });
    const slow = await rawClient(server.port);
    slow.write(`${HELLO}SUB flood 1\r\nPING\r\n`);
    await slow.until((text) => text.endsWith('PONG|'));
    slow.socket.pause();
    await floodUntilDropped(() => Promise.resolve());
    slow.socket.destroy();
  });
});

describe('silent clients', () => {
  it('that answer no ping are disconnected, those that do stay', async () => {
    await start({ pingIntervalMs: 500, maxPingsOut: 2 });
    const nc = await connect({ servers: server.url });
    const silent = await rawClient(server.port);
    silent.write(HELLO);
    expect(await silent.closed()).toBe("PING|PING|-ERR 'Stale Connection'|");
    await nc.flush();
    expect(nc.isClosed()).toBe(false);
    await nc.close();
  });
});

describe('counts', () => {
  it('of connections are bounded', async () => {
    await start({ maxConnections: 2 });
    const [one, two] = [await rawClient(server.port), await rawClient(server.port)];
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow();
    one.socket.destroy();
    two.write('PING\r\n');
    await two.until((text) => text === 'PONG|');
    two.socket.destroy();
  });

  it('of subscriptions are bounded', async () => {
    await start({ maxSubscriptions: 2 });
    const client = await rawClient(server.port);
    client.write(`${HELLO}SUB a 1\r\nSUB b 2\r\nSUB c 3\r\nPING\r\n`);
    expect(await client.until((text) => text.endsWith('PONG|'))).toBe("-ERR 'maximum subscriptions exceeded'|PONG|");
    client.socket.destroy();
  });
});

describe('message tracing', () => {
  it('is refused aloud, and what was to be traced is delivered to nobody', async () => {
    const { url } = await start({});
    const nc = await connect({ servers: url, reconnect: false });
    const heard: string[] = [];
    nc.subscribe('s', { callback: (_error, { data }) => void heard.push(Buffer.from(data).toString()) });
    const errors = nc.status()[Symbol.asyncIterator]();
    nc.publish('s', 'traced', { traceDestination: 'traces', traceOnly: true });
    expect(await errors.next()).toMatchObject({
      value: { type: 'error', error: { message: expect.stringMatching(/Message Tracing Not Supported/i) } },
    });
    nc.publish('s', 'plain, Nats-Trace-Dest: in its payload');
    await expect(nc.request('s', 'traced', { timeout: 5000, traceDestination: 'traces' })).rejects.toThrow(
      /no responders/i,
    );
    await nc.flush();
    expect(heard).toEqual(['plain, Nats-Trace-Dest: in its payload']);
    await nc.close();
  });
});

describe('the system account', () => {
  it('is refused with the permission error that clients understand', async () => {
    await start({});
    const nc = await connect({ servers: server.url });
    await expect(nc.request('$SYS.REQ.SERVER.PING', '', { timeout: 2000 })).rejects.toThrow(/Permissions Violation/);
    const subscription = nc.subscribe('$SYS.>');
    expect(String(await subscription.closed)).toMatch(/Permissions Violation for Subscription to "\$SYS.>"/);
    await nc.close();
  });
});

describe('stopping', () => {
  it('writes out what was published and closes every connection', async () => {
    await start({});
    const client = await rawClient(server.port);
    client.write(`${HELLO}SUB a 1\r\nPUB a 100000\r\n${'x'.repeat(100_000)}\r\nPING\r\n`);
    await client.until((text) => text.endsWith('PONG|'));
    await server.stop();
    expect(await client.closed()).toMatch(/^MSG a 1 100000\|x+\|PONG\|$/);
    await expect(connect({ servers: server.url, reconnect: false, timeout: 1000 })).rejects.toThrow();
  });

  it('does not wait for clients that take nothing', async () => {
    await start({});
    const client = await rawClient(server.port);
    client.socket.pause();
    // A wait for the client would end the spec.
    await server.stop();
    client.socket.destroy();
  });
});
