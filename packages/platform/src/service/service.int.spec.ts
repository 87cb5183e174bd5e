import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startNatsServer } from '@scriptorium/embedded/nats';
import { MongoClient } from 'mongodb';
import type { App } from '../process/admin.js';
import { parseConfig, serviceSettings } from '../process/config.js';
import { createLogger } from '../observability/logging.js';
import { createRegistry } from '../observability/metrics.js';
import { startService } from './service.js';
import { eventually, startServers, type Servers } from '../test/servers.js';
import { specService, thing, things, type ThingEvent, type Watch } from '../test/thing.js';

let servers: Servers;
let mongo: MongoClient;
let namespaces = 0;
let environment: Record<string, string>;
const namespace = () => `${servers.environment['NAMESPACE']}n${namespaces}`;
beforeAll(async () => {
  servers = await startServers();
  mongo = new MongoClient(servers.environment['MONGODB_URL'] ?? '');
});
afterAll(async () => {
  await mongo.close();
  await servers.stop();
});
beforeEach(() => {
  namespaces += 1;
  environment = { ...servers.environment, NAMESPACE: namespace() };
});

/** A start with the way to interrupt it. */
function begin(watch: Watch = { stopped: false }, more: Record<string, string> = {}) {
  const config = parseConfig(serviceSettings, { ...environment, ...more });
  let end = (): Promise<void> => Promise.resolve();
  const atEnd = (how: () => Promise<void>) => {
    end = how;
    return () => (end = () => Promise.resolve());
  };
  const starting = startService(specService(watch), config, {
    logger: createLogger('spec', config),
    registry: createRegistry(),
    atEnd,
  });
  return { starting, watch, end: () => end() };
}

const consumers = () =>
  mongo.db(`${namespace()}_spec`).collection<{ _id: string; owner: string | null }>('op_consumers');
const held = () => consumers().countDocuments({ owner: { $ne: null } });
const nowhere = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };

describe('a service', () => {
  it('does not start beside the services of another installation', async () => {
    const app = await begin().starting;
    const otherKeys = ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, 'other').toString('base64')}`).join();
    await expect(begin(undefined, { SECRET_KEYS: otherKeys }).starting).rejects.toThrow(
      /^NAMESPACE: another installation, with other SECRET_KEYS, runs in /,
    );
    await app.stop();
  });

  it('runs the durable timers that it declares', async () => {
    const { starting, watch } = begin();
    const app: App = await starting;
    const store = watch.context?.store;
    const context = { actor: { kind: 'user', id: 'u' }, organization: null, operation: 'spec', correlation: 'spec' };
    await store
      ?.scope(context)
      .handle(thing, 'a', (): ThingEvent[] => [{ type: 'ThingMade', data: { due: Date.now() + 50 } }]);
    await eventually(async () => (await store?.collection(things).byId('a'))?.reminded === true);
    await eventually(async () => (await store?.timers.count()) === 0);
    await app.stop();
    expect([watch.stopped, watch.context?.messaging.connected, await held()]).toEqual([true, false, 0]);
  });
});

describe('an interrupted start', () => {
  it('ends while no NATS server answers, and closes a connection that is made later', async () => {
    const gone = await startNatsServer({});
    const { url, port } = gone;
    await gone.stop();
    const { starting, end } = begin(undefined, { NATS_URL: url });
    const refused = expect(starting).rejects.toThrow('stopped while starting');
    await end();
    await refused;
    const lines: string[] = [];
    const late = createServer((socket) => {
      socket.write('INFO {"server_id":"late","version":"2.10.0","headers":true,"max_payload":1048576,"proto":1}\r\n');
      socket.on('data', (data) => {
        lines.push(String(data));
        if (String(data).includes('PING')) socket.write('PONG\r\n');
      });
      socket.on('close', () => lines.push('closed'));
    });
    await new Promise<void>((resolve) => late.listen(port, '127.0.0.1', resolve));
    await eventually(() => lines.at(-1) === 'closed');
    expect(lines[0]).toMatch(/^CONNECT/);
    await new Promise((resolve) => late.close(resolve));
  });

  it('ends while it waits for EventStoreDB', async () => {
    const { starting, watch, end } = begin(undefined, nowhere);
    const refused = expect(starting).rejects.toThrow('stopped while starting');
    await eventually(() => watch.context !== undefined);
    await end();
    await refused;
    expect([watch.stopped, watch.context?.messaging.connected]).toEqual([true, false]);
  });

  it('releases the leases that it has taken', async () => {
    let ended: Promise<void> | undefined;
    const first = begin({ stopped: false, answering: () => void (ended = first.end()) });
    await expect(first.starting).rejects.toThrow('stopped while starting');
    await ended;
    expect([first.watch.stopped, first.watch.context?.messaging.connected, await held()]).toEqual([true, false, 0]);
    const next = begin();
    const app = await next.starting;
    await eventually(async () => (await held()) === (await consumers().countDocuments()), 2500);
    await app.stop();
  });
});

describe('a failed start', () => {
  it('leaves nothing open when the store refuses', async () => {
    await (await begin().starting).stop();
    await consumers().updateOne({ _id: 'thing_v1' }, { $set: { fingerprint: 'other code' } });
    const { starting, watch } = begin();
    await expect(starting).rejects.toMatchObject({ reason: 'unexpected' });
    expect([watch.stopped, watch.context?.messaging.connected, await held()]).toEqual([true, false, 0]);
  });

  it('leaves nothing open when its operations cannot be served', async () => {
    const { starting, watch } = begin({
      stopped: false,
      answering: () => {
        throw new Error('no rule');
      },
    });
    await expect(starting).rejects.toThrow('no rule');
    expect([watch.stopped, watch.context?.messaging.connected, await held()]).toEqual([true, false, 0]);
  });
});

describe('a process', () => {
  const run = (more: Record<string, string>) => {
    const script = fileURLToPath(new URL('../../dist/test/spec-process.js', import.meta.url));
    return spawn(process.execPath, [script], {
      env: { PATH: process.env['PATH'], ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const signalled = async (child: ReturnType<typeof run>) => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };

  it('exits with a message and a code that forbids a retry when its read models were made by other code', async () => {
    await (await begin().starting).stop();
    await consumers().updateOne({ _id: 'thing_v1' }, { $set: { fingerprint: 'other code' } });
    const child = run({});
    let said = '';
    child.stderr.on('data', (data) => void (said += String(data)));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, said]).toEqual([
      70,
      expect.stringMatching(/^spec: thing_v1 was built by other code[^\n]+docs\/operations\.md[^\n]+\n$/),
    ]);
  });

  it('shuts down in order when a signal comes during the start', async () => {
    const child = run({ ...nowhere, LOG_LEVEL: 'warn' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => void (said += String(data)));
    await eventually(() => said.includes('waiting for the servers'), 15_000);
    expect(await signalled(child)).toBe(0);
  });

  it('releases its leases when a signal comes while it runs', async () => {
    const child = run({});
    await eventually(async () => (await held()) > 0, 15_000);
    expect(await signalled(child)).toBe(0);
    expect(await held()).toBe(0);
  });
});
