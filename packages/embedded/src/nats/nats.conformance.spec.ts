import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connect,
  createInbox,
  deferred,
  errors,
  headers,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
  type Subscription,
} from '@nats-io/transport-node';
import { startNatsServer, type NatsServer } from './index.js';

// Against the embedded server, or against CONFORMANCE_NATS_URL when it is set.
let server: NatsServer | undefined;
let url = process.env.CONFORMANCE_NATS_URL ?? '';
const open: NatsConnection[] = [];
/** Milliseconds beyond those of a spec. */
const FOREVER = 600_000;

beforeAll(async () => {
  if (url !== '') return;
  server = await startNatsServer({ auth: 'none' });
  url = server.url;
});
afterAll(async () => {
  await server?.stop();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

async function client(options: NodeConnectionOptions = {}): Promise<NatsConnection> {
  const connection = await connect({ servers: url, reconnect: false, ...options });
  open.push(connection);
  return connection;
}

function on(nc: NatsConnection, subject: string, handle: (message: Msg) => unknown, queue?: string): Subscription {
  return nc.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (_, message) => {
      handle(message);
    },
  });
}

async function take(subscription: AsyncIterable<Msg>, count: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of subscription) {
    if (texts.push(message.string()) === count) break;
  }
  return texts;
}

describe('connecting', () => {
  it('announces headers, a version and the payload limit', async () => {
    const { info } = await client();
    expect(info).toMatchObject({ headers: true, proto: 1, max_payload: 1024 * 1024 });
    expect(info?.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(info?.client_id).toBeGreaterThan(0);
    expect(info?.client_ip).toMatch(/^(\d+\.){3}\d+$|:/);
    expect(info?.jetstream ?? false).toBe(false);
  });

  it('answers a flush and measures the round trip', async () => {
    const nc = await client();
    await nc.flush();
    expect(await nc.rtt()).toBeGreaterThanOrEqual(0);
  });

  it('serves clients in verbose and pedantic mode', async () => {
    const nc = await client({ verbose: true, pedantic: true });
    const subscription = nc.subscribe('verbose', { max: 1 });
    nc.publish('verbose', 'x');
    expect(await take(subscription, 1)).toEqual(['x']);
  });
});

describe('publish and subscribe', () => {
  it('carries empty, binary and large payloads unchanged', async () => {
    const nc = await client();
    const subscription = nc.subscribe('payloads', { max: 3 });
    const binary = Uint8Array.from({ length: 256 }, (_, at) => at);
    const large = new Uint8Array(1024 * 1024).fill(7);
    large[1_000_000] = 13;
    for (const payload of [new Uint8Array(0), binary, large]) nc.publish('payloads', payload);
    const seen: Uint8Array[] = [];
    for await (const message of subscription) seen.push(message.data.slice());
    expect(seen.map((data) => data.length)).toEqual([0, 256, 1024 * 1024]);
    expect(Buffer.compare(seen[1] ?? large, binary)).toBe(0);
    expect(Buffer.compare(seen[2] ?? binary, large)).toBe(0);
  });

  it('keeps the order of one publisher', async () => {
    const nc = await client();
    const receiver = await client();
    const subscription = receiver.subscribe('order', { max: 2000 });
    await receiver.flush();
    for (let at = 0; at < 2000; at++) nc.publish('order', `${at}`);
    expect(await take(subscription, 2000)).toEqual(Array.from({ length: 2000 }, (_, at) => `${at}`));
  });

  it.each([
    ['wild.*', ['wild.a'], ['wild', 'wild.a.b']],
    ['wild.>', ['wild.a', 'wild.a.b'], ['wild', 'other.a']],
    ['*.b', ['a.b', 'wild.b'], ['b', 'a.b.c']],
    ['wild.*.c', ['wild.b.c'], ['wild.c', 'wild.b.c.d']],
    ['*.*', ['wild.b'], ['wild', 'a.b.c']],
    ['wild.*.*.>', ['wild.1.2.3'], ['wild.1.2']],
    ['wild*', ['wild*'], ['wildx', 'wild.x']],
  ])('routes by the pattern %s', async (pattern, matching, others) => {
    const nc = await client();
    const subscription = nc.subscribe(pattern);
    for (const subject of [...others, ...matching]) nc.publish(subject, subject);
    expect(await take(subscription, matching.length)).toEqual(matching);
  });

  it('delivers once to each of several matching subscriptions', async () => {
    const nc = await client();
    const counts = { literal: 0, star: 0, rest: 0 };
    on(nc, 'many.a', () => (counts.literal += 1));
    on(nc, 'many.*', () => (counts.star += 1));
    on(nc, 'many.>', () => (counts.rest += 1));
    nc.publish('many.a');
    await nc.flush();
    expect(counts).toEqual({ literal: 1, star: 1, rest: 1 });
  });

  it('carries headers with repeated keys', async () => {
    const nc = await client();
    const subscription = nc.subscribe('headers', { max: 1 });
    const sent = headers();
    sent.append('Trace', 'a');
    sent.append('Trace', 'b');
    nc.publish('headers', 'body', { headers: sent });
    for await (const message of subscription) {
      expect(message.headers?.values('Trace')).toEqual(['a', 'b']);
      expect(message.string()).toBe('body');
    }
  });

  it('does not echo when asked not to', async () => {
    const [quiet, other] = [await client({ noEcho: true }), await client()];
    const heard: string[] = [];
    on(quiet, 'echo', (message) => heard.push(message.string()));
    await quiet.flush();
    quiet.publish('echo', 'own');
    await quiet.flush();
    other.publish('echo', 'foreign');
    await other.flush();
    await quiet.flush();
    expect(heard).toEqual(['foreign']);
  });

  it('ends a subscription after its maximum', async () => {
    const nc = await client();
    const subscription = nc.subscribe('max', { max: 2 });
    for (const text of ['1', '2', '3']) nc.publish('max', text);
    const texts: string[] = [];
    for await (const message of subscription) texts.push(message.string());
    expect(texts).toEqual(['1', '2']);
  });

  it('stops delivering after an unsubscription', async () => {
    const nc = await client();
    const heard: string[] = [];
    const subscription = on(nc, 'unsub', (message) => heard.push(message.string()));
    nc.publish('unsub', '1');
    await nc.flush();
    subscription.unsubscribe();
    nc.publish('unsub', '2');
    await nc.flush();
    expect(heard).toEqual(['1']);
  });
});

describe('queue groups', () => {
  it('give each message to one member, in fair shares', async () => {
    const publisher = await client();
    const shares = [0, 0, 0, 0];
    for (const at of shares.keys()) {
      const member = await client();
      on(member, 'work', () => (shares[at] = (shares[at] ?? 0) + 1), 'q');
      await member.flush();
    }
    for (let at = 0; at < 2000; at++) publisher.publish('work');
    await publisher.flush();
    await Promise.all(open.map((connection) => connection.flush()));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(2000);
    for (const share of shares) expect(share).toBeGreaterThan(350);
  });

  it('are known by name: one copy over several patterns, one for each group, one for each plain', async () => {
    const nc = await client();
    const counts = { q1: 0, q2: 0, plain: 0 };
    on(nc, 'group.a', () => (counts.q1 += 1), 'q1');
    on(nc, 'group.*', () => (counts.q1 += 1), 'q1');
    on(nc, 'group.a', () => (counts.q2 += 1), 'q2');
    on(nc, 'group.a', () => (counts.plain += 1));
    for (let at = 0; at < 10; at++) nc.publish('group.a');
    await nc.flush();
    expect(counts).toEqual({ q1: 10, q2: 10, plain: 10 });
  });

  it('go on with the others when a member leaves', async () => {
    const [publisher, leaver, stayer] = [await client(), await client(), await client()];
    let stayed = 0;
    on(leaver, 'leave', () => undefined, 'q');
    on(stayer, 'leave', () => (stayed += 1), 'q');
    await Promise.all([leaver.flush(), stayer.flush()]);
    await leaver.close();
    await publisher.flush();
    for (let at = 0; at < 20; at++) publisher.publish('leave');
    await publisher.flush();
    await stayer.flush();
    expect(stayed).toBe(20);
  });
});

describe('requests', () => {
  it('are answered, also without the shared inbox', async () => {
    const nc = await client();
    on(nc, 'svc', (message) => message.respond(`re:${message.string()}`));
    expect((await nc.request('svc', 'a', { timeout: FOREVER })).string()).toBe('re:a');
    expect((await nc.request('svc', 'b', { noMux: true, timeout: FOREVER })).string()).toBe('re:b');
  });

  it('fail at once when nobody serves the subject', async () => {
    const nc = await client();
    // A wait for the time to pass would end the spec.
    await expect(nc.request('nobody', '', { timeout: FOREVER })).rejects.toThrow(errors.RequestError);
    const plain = nc.request('nobody', '', { timeout: FOREVER, noMux: true });
    await expect(plain).rejects.toThrow(/no responders/);
  });

  it('collect many answers', async () => {
    const nc = await client();
    for (const name of ['a', 'b', 'c']) on(nc, 'poll', (message) => message.respond(name));
    const answers: string[] = [];
    for await (const message of await nc.requestMany('poll', '', {
      strategy: 'count',
      maxMessages: 3,
      maxWait: FOREVER,
    })) {
      answers.push(message.string());
    }
    expect(answers.sort()).toEqual(['a', 'b', 'c']);
  });

  it('keep 500 in flight apart', async () => {
    const [nc, service] = [await client(), await client()];
    on(service, 'echo.*', (message) => message.respond(message.data), 'echo');
    await service.flush();
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, at) => nc.request(`echo.${at}`, `${at}`, { timeout: FOREVER })),
    );
    expect(answers.map((answer) => answer.string())).toEqual(Array.from({ length: 500 }, (_, at) => `${at}`));
  });

  it('refuse the system account', async () => {
    const nc = await client();
    await expect(nc.request('$SYS.REQ.SERVER.PING', '', { timeout: 2000 })).rejects.toThrow();
    await expect(nc.request('$JS.API.INFO', '', { timeout: 2000 })).rejects.toThrow();
    await nc.flush();
  });
});

describe('drain', () => {
  it('handles what arrived and leaves the rest to the other members', async () => {
    const [publisher, first, second] = [await client(), await client(), await client()];
    const seen = new Set<string>();
    const note = (message: Msg) => seen.add(message.string());
    const drained = on(first, 'drain', (message) => note(message), 'q');
    on(second, 'drain', (message) => note(message), 'q');
    await Promise.all([first.flush(), second.flush()]);
    for (let at = 0; at < 500; at++) publisher.publish('drain', `${at}`);
    const done = drained.drain();
    for (let at = 500; at < 1000; at++) publisher.publish('drain', `${at}`);
    await publisher.flush();
    await done;
    await second.flush();
    expect(seen.size).toBe(1000);
  });

  it('closes a connection after its last message left', async () => {
    const [nc, receiver] = [await client(), await client()];
    const subscription = receiver.subscribe('last', { max: 100 });
    await receiver.flush();
    for (let at = 0; at < 100; at++) nc.publish('last', `${at}`);
    await nc.drain();
    expect(await take(subscription, 100)).toHaveLength(100);
  });
});

describe('violations', () => {
  it('an invalid subject is refused and the connection stays', async () => {
    const nc = await client();
    const told = deferred<string>();
    void (async () => {
      for await (const status of nc.status()) if (status.type === 'error') told.resolve(status.error.message);
    })();
    nc.subscribe('a.>.b');
    expect(await told).toMatch(/Invalid Subject/i);
    await nc.flush();
  });

  it('a client whose payload exceeds the limit is disconnected', async () => {
    const nc = await client();
    if (nc.info !== undefined) nc.info.max_payload = 10 * 1024 * 1024;
    nc.publish('large', new Uint8Array(1024 * 1024 + 1));
    const reason = await nc.closed();
    expect(String(reason ?? 'closed')).toMatch(/Maximum Payload Violation|closed|EPIPE|ECONNRESET/i);
  });
});

describe('scale', () => {
  it('holds 200 connections and 5,000 subscriptions', async () => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => client()));
    let heard = 0;
    const inboxes = clients.flatMap((nc) =>
      Array.from({ length: 25 }, () => {
        const inbox = createInbox();
        on(nc, inbox, () => (heard += 1));
        return inbox;
      }),
    );
    await Promise.all(clients.map((nc) => nc.flush()));
    const publisher = await client();
    for (const inbox of inboxes) publisher.publish(inbox);
    await publisher.flush();
    await Promise.all(clients.map((nc) => nc.flush()));
    expect(heard).toBe(5000);
  });
});
