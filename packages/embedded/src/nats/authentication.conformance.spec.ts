import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startNatsServer } from './index.js';
import { rawClient } from './test/raw-client.js';

const CONNECTS = 300;

/** The server of CONFORMANCE_NATS_URL when its URL names a user, else an embedded one. */
const given = /:[^@/]+@/.test(process.env['CONFORMANCE_NATS_URL'] ?? '')
  ? process.env['CONFORMANCE_NATS_URL']
  : undefined;
let url = new URL('nats://127.0.0.1');
let stop = (): Promise<void> => Promise.resolve();
let witness: NatsConnection;
const heard: string[] = [];

beforeAll(async () => {
  const server = given === undefined ? await startNatsServer() : undefined;
  url = new URL(given ?? server?.url ?? '');
  stop = () => server?.stop() ?? Promise.resolve();
  witness = await connectWith(right());
  witness.subscribe('>', { callback: (_, message) => void heard.push(message.subject) });
  await witness.flush();
});
afterAll(async () => {
  await witness.close();
  await stop();
});
afterEach(() => void heard.splice(0));

const right = () => ({ user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) });
const connectWith = (credentials: NodeConnectionOptions) =>
  connect({ servers: url.host, reconnect: false, ...credentials });
const raw = () => rawClient(Number(url.port), url.hostname);
const line = (fields: object) => `CONNECT ${JSON.stringify({ verbose: false, ...fields })}\r\n`;

describe('clients with the right credentials', () => {
  it('publish and subscribe', async () => {
    const client = await connectWith(right());
    client.publish('here');
    await client.flush();
    await witness.flush();
    expect(heard).toEqual(['here']);
    await client.close();
  });
});

describe('clients without the right credentials', () => {
  it.each<[string, () => NodeConnectionOptions]>([
    ['none', () => ({})],
    ['wrong password', () => ({ ...right(), pass: 'wrong' })],
    ['unknown user', () => ({ ...right(), user: 'nobody' })],
    ['password alone', () => ({ user: '', pass: right().pass })],
    ['password as a token', () => ({ token: right().pass })],
  ])('are refused: %s', async (_what, credentials) => {
    await expect(connectWith(credentials())).rejects.toThrow(/Authorization Violation/i);
  });

  it('are told so and disconnected, whatever they send instead of CONNECT', async () => {
    for (const operation of ['SUB > 1\r\n', 'PUB secret 1\r\nx\r\n', 'UNSUB 1\r\n', 'PING\r\n']) {
      const client = await raw();
      client.write(operation);
      expect([operation, await client.closed()]).toEqual([operation, "-ERR 'Authorization Violation'|"]);
    }
    await witness.flush();
    expect(heard).toEqual([]);
  });

  it('hear nothing that others publish', async () => {
    const client = await raw();
    client.write(`SUB > 1\r\n${line(right())}`);
    witness.publish('for.others');
    await witness.flush();
    expect(await client.closed()).toBe("-ERR 'Authorization Violation'|");
  });

  it('lose a connection that was open when they give others', async () => {
    const client = await raw();
    client.write(`${line(right())}PING\r\n`);
    await client.until((received) => received === 'PONG|');
    client.write(line({ ...right(), pass: 'wrong' }));
    expect(await client.closed()).toBe("PONG|-ERR 'Authorization Violation'|");
  });
});

describe('a CONNECT that no client sends', () => {
  it('opens nothing, whatever bytes it has', async () => {
    const random = randomFrom(seedOfRun('connects'));
    const { user, pass } = right();
    const values: unknown[] = [
      null,
      true,
      0,
      1e99,
      [],
      {},
      [pass],
      { toString: pass },
      '',
      `${pass} `,
      pass.slice(1),
      user,
    ];
    const value = () => values[random(values.length)];
    const hostile = (): Buffer => {
      const bytes = Buffer.from(line({ user: random(3) === 0 ? value() : user, pass: value() }));
      // Never inside of the line's end, behind which the server waits for more.
      for (let flips = random(4); flips > 0; flips -= 1) bytes[random(bytes.length - 2)] = 1 + random(9);
      return bytes;
    };
    for (let sent = 0; sent < CONNECTS; sent += 1) {
      const client = await raw();
      client.write(hostile());
      client.write('PUB secret 1\r\nx\r\n');
      expect(await client.closed()).not.toContain('PONG');
    }
    await witness.flush();
    expect(heard).toEqual([]);
  });
});
