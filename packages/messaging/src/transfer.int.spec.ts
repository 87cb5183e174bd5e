import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { dial } from './connection.js';
import { type Messaging } from './index.js';
import { MAX_BODY_BYTES } from './limits.js';
import { bytes, type Fixture, FOREVER, startFixture, until } from './test/fixture.js';

const MIB = 1024 * 1024;
let fixture: Fixture;
let gateway: Messaging;
const digest = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

beforeAll(async () => {
  fixture = await startFixture({ maxPayload: 64 * 1024 });
  gateway = await fixture.connect('gateway');
});
afterAll(() => fixture.stop());

const call = (service: string, operation: string, body: Uint8Array, timeoutMs = FOREVER) =>
  gateway.client().request({ service, operation, body, headers: { requestId: 'r' }, timeoutMs });

describe('bodies beyond the payload limit of the server', () => {
  it('are transferred in both directions, each to one replica', async () => {
    const heads: string[] = [];
    for (const name of ['one', 'two']) {
      const replica = await fixture.connect(name);
      await replica.serve('large', {
        handle: ({ body, headers }) => {
          heads.push(headers.requestId ?? '');
          return Promise.resolve({ body, headers: { digest: digest(body) } });
        },
      });
    }
    const sizes = [64 * 1024, 64 * 1024 + 1, 100_000, MIB, 5 * MIB, 5 * MIB + 13];
    const answers = await Promise.all(
      sizes.map(async (size) => {
        const body = randomBytes(size);
        const answer = await call('large', 'echo', body);
        return { equal: Buffer.compare(body, answer.body) === 0, digest: answer.headers.digest === digest(body) };
      }),
    );
    expect(answers).toEqual(sizes.map(() => ({ equal: true, digest: true })));
    expect(heads).toEqual(sizes.map(() => 'r'));
    expect(gateway.status().transferBytes).toBe(0);
  });

  it('are refused beyond 32 MiB in both directions', async () => {
    const replica = await fixture.connect();
    await replica.serve('huge', { handle: () => Promise.resolve({ body: new Uint8Array(MAX_BODY_BYTES + 1) }) });
    const up = call('huge', 'get', new Uint8Array(MAX_BODY_BYTES + 1));
    await expect(up).rejects.toMatchObject({ reason: 'too_large' });
    await expect(call('huge', 'get', bytes(''))).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('are refused while 128 MiB are being transferred, and accepted afterwards', async () => {
    const replica = await fixture.connect();
    let arrived = 0;
    await replica.serve('room', { handle: () => Promise.resolve({ body: bytes(`${++arrived}`) }) });
    const body = new Uint8Array(MAX_BODY_BYTES);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => call('room', 'put', body)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ reason: 'unavailable' });
    await call('room', 'put', body);
    expect(arrived).toBe(5);
  }, 90_000);

  it('are refused immediately when no replica runs', async () => {
    await expect(call('nobody', 'put', new Uint8Array(MIB))).rejects.toMatchObject({ reason: 'unavailable' });
    expect(gateway.status().transferBytes).toBe(0);
  });

  it('are discarded when parts are missing, and their bytes are released', async () => {
    const replica = await fixture.connect();
    await replica.serve('stalled', { handle: ({ body }) => Promise.resolve({ body }) });
    const subject = `${fixture.namespace}.rpc.stalled.put`;
    const nc = await dial(fixture.server.url, 'peer', 5000);
    try {
      const opening = headers();
      opening.set('Rpc-Transfer', `${2 * MIB}`);
      opening.set('Rpc-Deadline', '60000');
      const answers: string[] = [];
      const collect = { headers: opening, strategy: 'count', maxMessages: 2, maxWait: 45_000 } as const;
      for await (const message of await nc.requestMany(subject, '', collect)) {
        answers.push(message.headers?.keys().join() ?? '');
      }
      expect(answers).toEqual(['Rpc-Credit', 'Rpc-Error']);
      await until(() => replica.status().transferBytes === 0, 'room given back');
    } finally {
      await nc.close();
    }
  }, 60_000);
});
