import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { AppError } from '@scriptorium/contracts';
import { dial } from './connection.js';
import { type Answer, type Messaging, type ServedAnswer } from './index.js';
import { bytes, echo, type Fixture, FOREVER, startFixture, text, until } from './test/fixture.js';

let fixture: Fixture;
let gateway: Messaging;
let service: Messaging;
let peer: NatsConnection;

beforeAll(async () => {
  fixture = await startFixture();
  [gateway, service] = [await fixture.connect('gateway'), await fixture.connect('service')];
  peer = await dial(fixture.server.url, 'peer', 5_000);
});
afterAll(async () => {
  await peer.close();
  await fixture.stop();
});

const call = (name: string, body: string | Uint8Array, timeoutMs = FOREVER): Promise<Answer> =>
  gateway.client().request({
    service: name,
    operation: 'get',
    body: typeof body === 'string' ? bytes(body) : body,
    headers: { n: 'x' },
    timeoutMs,
  });

/** Counts the messages that a service gets. */
async function countMessages(name: string): Promise<{ subjects: string[] }> {
  const subjects: string[] = [];
  peer.subscribe(`${fixture.namespace}.rpc.${name}.*`, { callback: (_, { subject }) => void subjects.push(subject) });
  await peer.flush();
  return { subjects };
}

describe('requests of one turn to one service', () => {
  it('share a message, and each gets its own answer', async () => {
    await service.serve('shared', {
      handle: ({ body, headers: sent, operation }) =>
        Promise.resolve({ body, headers: { etag: text(body), as: `${operation} ${sent['n']}` } }),
    });
    const counted = await countMessages('shared');
    const answers = await Promise.all(['a', 'b', 'c'].map((body) => call('shared', body)));
    expect(answers.map(({ body, headers }) => [text(body), headers['etag'], headers['as']])).toEqual([
      ['a', 'a', 'get x'],
      ['b', 'b', 'get x'],
      ['c', 'c', 'get x'],
    ]);
    await peer.flush();
    expect(counted.subjects).toEqual([`${fixture.namespace}.rpc.shared.-many`]);
  });

  it('do not wait for each other', async () => {
    let finish = (_: ServedAnswer): void => undefined;
    await service.serve('uneven', {
      handle: ({ body }) =>
        text(body) === 'slow' ? new Promise((resolve) => void (finish = resolve)) : Promise.resolve({ body }),
    });
    let slow: Answer | undefined;
    const first = call('uneven', 'slow').then((answer) => (slow = answer));
    expect(text((await call('uneven', 'fast')).body)).toBe('fast');
    expect(slow).toBeUndefined();
    finish({ body: bytes('at last') });
    expect(text((await first).body)).toBe('at last');
  });

  it('fail one by one', async () => {
    await service.serve('picky', {
      handle: ({ body }) =>
        text(body) === 'bad' ? Promise.reject(new AppError('conflict')) : Promise.resolve({ body }),
    });
    const outcomes = await Promise.allSettled(['good', 'bad', 'good'].map((body) => call('picky', body)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { reason: 'conflict' } });
  });

  it('are all refused at once when no replica is there', async () => {
    const outcomes = await Promise.allSettled(['a', 'b'].map((body) => call('nobody', body)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { reason: 'unavailable' } });
  });

  it('have their own deadlines', async () => {
    await service.serve('silent', { handle: () => new Promise(() => undefined) });
    const patient = call('silent', 'a', 3_000).catch(() => 'late');
    await expect(call('silent', 'b', 50)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await Promise.race([patient, Promise.resolve('waits')])).toBe('waits');
    await patient;
  });

  it('can have large answers', async () => {
    await service.serve('generous', {
      handle: ({ body }) => Promise.resolve({ body: new Uint8Array(Number(text(body))).fill(1) }),
    });
    const sizes = [1, 100_000, 3_000_000, 2];
    const answers = await Promise.all(sizes.map((size) => call('generous', String(size))));
    expect(answers.map(({ body }) => body.length)).toEqual(sizes);
  });

  it('are sent alone when they are large, beside those that share', async () => {
    await service.serve('wide', echo);
    const counted = await countMessages('wide');
    const sizes = [10, 50_000, 20];
    const answers = await Promise.all(sizes.map((size) => call('wide', new Uint8Array(size))));
    expect(answers.map(({ body }) => body.length)).toEqual(sizes);
    await until(() => counted.subjects.length >= 2, 'both messages');
    expect(counted.subjects.map((subject) => subject.split('.').at(-1)).toSorted()).toEqual(['-many', 'get']);
  });

  it('are sent one by one when the replica knows no messages with several', async () => {
    const subjects: string[] = [];
    const old = peer.subscribe(`${fixture.namespace}.rpc.old.*`, {
      callback: (_, message) => {
        subjects.push(message.subject.split('.').at(-1) ?? '');
        const refused = message.subject.endsWith('-many') ? headers() : undefined;
        refused?.set('Rpc-Error', 'unavailable');
        message.respond(refused === undefined ? message.data : '{}', refused && { headers: refused });
      },
    });
    await peer.flush();
    const answers = await Promise.all(['a', 'b', 'c'].map((body) => call('old', body)));
    expect([answers.map(({ body }) => text(body)), subjects]).toEqual([
      ['a', 'b', 'c'],
      ['-many', 'get', 'get', 'get'],
    ]);
    old.unsubscribe();
  });

  it('are sent one by one when they are too large together', async () => {
    const small = await startFixture({ maxPayload: 64 * 1024 });
    const [from, to] = [await small.connect('from'), await small.connect('to')];
    const principal = 'p'.repeat(12_000);
    await to.serve('narrow', {
      handle: ({ body, headers: { principal: sent } }) =>
        Promise.resolve({ body: bytes(`${text(body)}${sent?.length}`) }),
    });
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((body) =>
        from.client().request({
          service: 'narrow',
          operation: 'get',
          body: bytes(body),
          headers: { principal },
          timeoutMs: FOREVER,
        }),
      ),
    );
    expect(answers.map(({ body }) => text(body))).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}12000`));
    await small.stop();
  });

  it('are answered before a service that drains is gone', async () => {
    const leaving = await fixture.connect('leaving');
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => void (finish = resolve));
    let begun = 0;
    await leaving.serve('leaving', {
      handle: async ({ body }) => {
        begun += 1;
        await finished;
        return { body };
      },
    });
    const answers = Promise.all(['a', 'b'].map((body) => call('leaving', body)));
    await until(() => begun === 2, 'both requests');
    const closed = leaving.close();
    finish();
    expect((await answers).map(({ body }) => text(body))).toEqual(['a', 'b']);
    await closed;
  });

  it('are refused when the connection ends before they are answered', async () => {
    const cut = await fixture.connect('cut');
    const ask = (body: string) =>
      cut.client().request({ service: 'silent', operation: 'get', body: bytes(body), headers: {}, timeoutMs: 3_000 });
    const ended = Promise.allSettled(['a', 'b'].map(ask));
    await cut.close();
    const lost = { reason: 'unavailable', message: 'The connection to the services was lost, try again' };
    for (const outcome of await ended) expect(outcome).toMatchObject({ reason: lost });
  });

  it('are spread over replicas in batches', async () => {
    const other = await fixture.connect('other');
    const shares = [0, 0];
    for (const [at, messaging] of [service, other].entries()) {
      await messaging.serve('twins', {
        handle: ({ body }) => {
          shares[at] = (shares[at] ?? 0) + 1;
          return Promise.resolve({ body });
        },
      });
    }
    await Promise.all(Array.from({ length: 320 }, (_, n) => call('twins', String(n))));
    expect(shares.reduce((sum, share) => sum + share)).toBe(320);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  });
});

it('a malformed message with several requests, or answers, does no harm', async () => {
  await service.serve('tough', echo);
  const subject = `${fixture.namespace}.rpc.tough.-many`;
  for (const body of ['', 'x', '[["a","get",{},{},9]]\nx', '[["zz","get",{},{},0]]\n'])
    peer.publish(subject, body, { reply: '_INBOX.nobody.1' });
  let reply = '';
  const subscription = peer.subscribe(`${fixture.namespace}.rpc.strange.*`, {
    callback: (_, message) => {
      reply = message.reply ?? '';
      for (const body of ['', 'x', '[["zz","",{},{},0]]\n']) message.respond(body);
    },
  });
  await peer.flush();
  const strange = Promise.allSettled(['a', 'b'].map((body) => call('strange', body, 400)));
  await until(() => reply !== '', 'the requests');
  for (const outcome of await strange) expect(outcome).toMatchObject({ reason: { reason: 'unavailable' } });
  expect(text((await call('tough', 'still there')).body)).toBe('still there');
  subscription.unsubscribe();
});
