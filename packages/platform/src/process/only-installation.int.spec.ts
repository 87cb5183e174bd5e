import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestServer, natsForTests } from '@scriptorium/embedded/test-servers';
import { type Messaging, connectMessaging } from '@scriptorium/messaging';
import { ConfigError } from './config.js';
import { parseKeyring } from './keyring.js';
import { requireOnlyInstallation } from './only-installation.js';

let nats: TestServer<unknown>;
beforeAll(async () => void (nats = await natsForTests()));
afterAll(() => nats.stop());

const open: Messaging[] = [];
let namespaces = 0;
let namespace = '';
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  namespaces += 1;
});

const keyOf = (id: string, fill: string) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const refused = (name: string) =>
  new ConfigError(
    `NAMESPACE: another installation, with other SECRET_KEYS, runs in "${name}" of this NATS server; give one of the two another NAMESPACE or NATS_URL`,
  );

/** A process that starts with this reservation key, and the lines of its log. */
async function join(reservation: string, signing = 'k1', name = `only${namespaces}x${process.pid}`) {
  namespace = name;
  const messaging = await connectMessaging({ url: nats.url, name: 'spec', namespace: name });
  open.push(messaging);
  const keys = parseKeyring([keyOf(signing, signing), keyOf('reservation', reservation)].join());
  const lines: string[] = [];
  const logger = { error: (_fields: object, line: string) => void lines.push(line) };
  const began = performance.now();
  const start = () => requireOnlyInstallation({ messaging, keys, namespace: name, logger });
  return { start, lines, took: () => performance.now() - began, messaging };
}

describe('a process of an installation', () => {
  it('starts alone, and beside replicas that have other signing keys while keys are rotated', async () => {
    const first = await join('a');
    await first.start();
    expect(first.took()).toBeLessThan(1000);
    const others = await Promise.all([join('a'), join('a', 'k2'), join('a', 'k2')]);
    await Promise.all(others.map(({ start }) => start()));
    expect([first, ...others].flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('does not start where another installation runs, which goes on and says so once', async () => {
    const first = await join('a');
    await first.start();
    const second = await join('b');
    await expect(second.start()).rejects.toEqual(refused(namespace));
    await expect(second.start()).rejects.toBeInstanceOf(ConfigError);
    expect(first.lines).toEqual([
      'another installation, with other SECRET_KEYS, uses this namespace of the NATS server',
    ]);
    const third = await join('a');
    await third.start();
  });

  it('starts where another installation runs in another namespace', async () => {
    await (await join('a')).start();
    await expect((await join('b', 'k1', `other${process.pid}`)).start()).resolves.toBeUndefined();
  });

  it('starts beside processes of a version that does not answer', async () => {
    const old = await join('b');
    const heard: string[] = [];
    await old.messaging.subscribe('installation.asked.*', (body) => void heard.push(Buffer.from(body).toString()));
    await (await join('a')).start();
    expect(heard).toHaveLength(1);
  });

  it('starts, if it is one of two that start at the same time, when the other does not', async () => {
    const both = await Promise.all([join('a'), join('b')]);
    const outcomes = await Promise.allSettled(both.map(({ start }) => start()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not misled by what others publish', async () => {
    const first = await join('a');
    await first.start();
    const other = await join('a');
    for (const body of ['', 'x'.repeat(100_000), '\0\n'])
      other.messaging.publish('installation.asked.any', Buffer.from(body));
    await (await join('a')).start();
  });
});
