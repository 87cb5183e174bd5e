import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startNatsServer, type NatsServer } from '@scriptorium/embedded/nats';
import { connectMessaging, type Messaging, type Serving } from './index.js';
import { bytes, echo, FOREVER, text, until } from './test/fixture.js';

/** The same credentials after each restart, so that the URL of the clients stays valid. */
const auth = { user: 'app', password: 'of these specs' };

let server: NatsServer;
const open: Messaging[] = [];

const connectTo = async (name: string): Promise<Messaging> => {
  const messaging = await connectMessaging({ url: server.url, name, namespace: 'recovery' });
  open.push(messaging);
  return messaging;
};
const call = (from: Messaging, body: string, timeoutMs = FOREVER) =>
  from.client().request({ service: 'svc', operation: 'echo', body: bytes(body), headers: {}, timeoutMs });

beforeEach(async () => {
  server = await startNatsServer({ auth });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((messaging) => messaging.close()));
  await server.stop();
});

describe('a server that is restarted', () => {
  it('makes waiting and new requests fail immediately, and clients recover without a restart', async () => {
    const [gateway, service] = [await connectTo('gateway'), await connectTo('service')];
    const heard: string[] = [];
    await gateway.subscribe('news', (body) => void heard.push(text(body)));
    await service.serve('svc', {
      handle: (request) => (text(request.body) === 'hang' ? new Promise(() => undefined) : echo.handle(request)),
    });
    let reconnects = 0;
    gateway.onReconnect(() => (reconnects += 1));

    const waiting = call(gateway, 'hang');
    await server.stop();
    await expect(waiting).rejects.toMatchObject({ reason: 'unavailable' });
    await until(() => !gateway.connected && !service.connected, 'disconnection noticed');
    await expect(call(gateway, 'x')).rejects.toMatchObject({ reason: 'unavailable' });
    expect(gateway.publish('news', bytes('lost'))).toBe(false);

    server = await startNatsServer({ port: server.port, auth });
    await until(() => gateway.connected && service.connected, 'reconnection', 10_000);
    expect(text((await call(gateway, 'again')).body)).toBe('again');
    expect(service.publish('news', bytes('back'))).toBe(true);
    await until(() => heard.length === 1, 'broadcast after the reconnection');
    expect(heard).toEqual(['back']);
    expect(reconnects).toBe(1);
    expect(gateway.status()).toMatchObject({ connected: true, reconnects: 1 });
  });

  it('may start after its clients', async () => {
    const { port, url } = server;
    await server.stop();
    const connecting = connectMessaging({ url, name: 'early', namespace: 'recovery', connectTimeoutMs: 10_000 });
    server = await startNatsServer({ port, auth });
    const early = await connecting;
    open.push(early);
    expect(early.connected).toBe(true);
  });

  it('that never starts causes an error without the credentials of its URL', async () => {
    const { port } = server;
    await server.stop();
    const url = `nats://user:secret@127.0.0.1:${port}`;
    const error = await connectMessaging({ url, name: 'x', namespace: 'recovery', connectTimeoutMs: 300 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ reason: 'unavailable' });
    expect(String(error)).not.toContain('secret');
    server = await startNatsServer({ port, auth });
  });
});

describe('credentials', () => {
  it('are taken from the URL, and wrong ones are refused immediately', async () => {
    const guarded = await startNatsServer({ auth: { user: 'app', password: 'p@ss word' } });
    const connectAs = (user: string) =>
      connectMessaging({ url: `nats://${user}@127.0.0.1:${guarded.port}`, name: 'x', namespace: 'recovery' });
    const messaging = await connectAs(`app:${encodeURIComponent('p@ss word')}`);
    expect(messaging.status()).toMatchObject({ connected: true, server: `127.0.0.1:${guarded.port}` });
    const error = await connectAs('app:wrong').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'unavailable', message: expect.stringContaining('refuses the credentials') });
    expect(String(error)).not.toContain('wrong');
    await messaging.close();
    await guarded.stop();
  });

  it('are not part of the error for a malformed address', async () => {
    const connecting = connectMessaging({ url: 'nats://app:secret@:x', name: 'x', namespace: 'recovery' });
    const error = await connecting.catch((thrown: unknown) => thrown);
    expect(JSON.stringify({ text: String(error), error })).not.toContain('secret');
  });
});

describe('draining', () => {
  it('makes no request fail while replicas are restarted under load', async () => {
    const gateway = await connectTo('gateway');
    const start = async (): Promise<{ messaging: Messaging; serving: Serving }> => {
      const messaging = await connectTo('replica');
      const serving = await messaging.serve('svc', {
        handle: async ({ body }) => {
          await new Promise((resolve) => setTimeout(resolve, 3));
          return { body };
        },
      });
      return { messaging, serving };
    };
    let replicas = [await start(), await start()];
    let asked = 0;
    let stop = false;
    const failures: unknown[] = [];
    const load = Array.from({ length: 40 }, async () => {
      while (!stop) {
        const body = `${asked++}`;
        await call(gateway, body).then(
          (answer) => {
            if (text(answer.body) !== body) failures.push(`${text(answer.body)} for ${body}`);
          },
          (error: unknown) => failures.push(error),
        );
      }
    });
    for (let round = 0; round < 6; round++) {
      const before = asked;
      await until(() => asked > before + 100, 'load');
      const [oldest, other] = replicas;
      const fresh = await start();
      await oldest?.serving.drain();
      await oldest?.messaging.close();
      replicas = [...(other === undefined ? [] : [other]), fresh];
    }
    stop = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(600);
  });

  it('answers requests that have arrived, also with a body in parts', async () => {
    const [gateway, service] = [await connectTo('gateway'), await connectTo('service')];
    let release: (() => void) | undefined;
    const serving = await service.serve('svc', {
      handle: async () => {
        await new Promise<void>((resolve) => (release = resolve));
        return { body: new Uint8Array(3_000_000).fill(9) };
      },
    });
    const answer = call(gateway, 'x');
    await until(() => release !== undefined, 'request in flight');
    const drained = serving.drain();
    await expect(call(gateway, 'new')).rejects.toMatchObject({ reason: 'unavailable' });
    release?.();
    await drained;
    await service.close();
    expect((await answer).body).toHaveLength(3_000_000);
  });
});
