import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { dial } from './connection.js';
import { type Messaging } from './index.js';
import { bytes, echo, type Fixture, FOREVER, startFixture, text, until } from './test/fixture.js';

let fixture: Fixture;
let gateway: Messaging;
let peer: NatsConnection;

beforeAll(async () => {
  fixture = await startFixture();
  gateway = await fixture.connect('gateway');
  peer = await dial(fixture.server.url, 'peer', 5000);
});
afterAll(async () => {
  await peer.close();
  await fixture.stop();
});

const call = (service: string, body: Uint8Array = bytes('x'), timeoutMs = FOREVER) =>
  gateway.client().request({ service, operation: 'get', body, headers: {}, timeoutMs });

const answerWith = async (service: string, answer: (message: Msg, reply: Reply) => void) => {
  const subscription = peer.subscribe(`${fixture.namespace}.rpc.${service}.get`, {
    callback: (_, message) => answer(message, (own, body = '', reply) => respond(message, own, body, reply)),
  });
  await peer.flush();
  return subscription;
};

type Reply = (own: Record<string, string>, body?: string, reply?: string) => void;
function respond(message: Msg, own: Record<string, string>, body: string, reply?: string): void {
  const sent = headers();
  for (const [name, value] of Object.entries(own)) sent.set(name, value);
  message.respond(body, { headers: sent, ...(reply !== undefined && { reply }) });
}

it.each<[string, (message: Msg, reply: Reply) => void, string]>([
  ['credit nobody asked for', (_, reply) => reply({ 'Rpc-Credit': '100' }, '', 'elsewhere'), 'unavailable'],
  ['a part of nothing', (_, reply) => reply({ 'Rpc-Part': '0' }, 'abc'), 'unavailable'],
  ['an unknown refusal', (_, reply) => reply({ 'Rpc-Error': 'made_up' }, '{broken'), 'unexpected'],
  ['a transfer without a size', (_, reply) => reply({ 'Rpc-Transfer': 'lots' }, '', 'elsewhere'), 'unavailable'],
  ['a transfer without a sender', (_, reply) => reply({ 'Rpc-Transfer': '10' }), 'unavailable'],
  ['a transfer beyond the bound', (_, reply) => reply({ 'Rpc-Transfer': '99999999999' }, '', 'elsewhere'), 'too_large'],
  ['a transfer that stalls', (_, reply) => reply({ 'Rpc-Transfer': '33000000' }, '', 'elsewhere'), 'unavailable'],
  [
    'a part at the wrong place',
    (_, reply) => {
      reply({ 'Rpc-Transfer': '10' }, '', 'elsewhere');
      reply({ 'Rpc-Part': '5' }, 'abcde');
    },
    'unavailable',
  ],
  [
    'more bytes than announced',
    (_, reply) => {
      reply({ 'Rpc-Transfer': '10' }, '', 'elsewhere');
      reply({ 'Rpc-Part': '0' }, 'abcdefghijk');
    },
    'unavailable',
  ],
])('%s does no harm', async (name, answer, reason) => {
  const service = `evil-${name.replaceAll(' ', '-')}`;
  const subscription = await answerWith(service, answer);
  // A request without an answer ends at its deadline.
  const timeoutMs = reason === 'unavailable' ? 400 : FOREVER;
  await expect(call(service, bytes('x'), timeoutMs)).rejects.toMatchObject({ reason });
  expect(gateway.status().transferBytes).toBe(0);
  subscription.unsubscribe();
});

it('credit without a reply subject, or of any size, makes the sender send at most the body', async () => {
  let parts = 0;
  let refuse = () => undefined as unknown;
  const inbox = 'collector';
  peer.subscribe(inbox, { callback: () => void (parts += 1) });
  const subscription = await answerWith('greedy', (_, reply) => {
    reply({ 'Rpc-Credit': '100' });
    reply({ 'Rpc-Credit': '99999999999999' }, '', inbox);
    for (let at = 0; at < 50; at++) reply({ 'Rpc-Credit': '33554432' }, '', inbox);
    refuse = () => reply({ 'Rpc-Error': 'conflict' }, '{}');
  });
  const refused = expect(call('greedy', new Uint8Array(3 * 1024 * 1024))).rejects.toMatchObject({ reason: 'conflict' });
  await until(() => parts >= 12, 'the whole body');
  refuse();
  await refused;
  await peer.flush();
  expect(parts).toBe(12);
  expect(gateway.status().transferBytes).toBe(0);
  subscription.unsubscribe();
});

it('second answers, late answers and answers of others are ignored', async () => {
  const replies: string[] = [];
  const subscription = await answerWith('twice', (message) => {
    replies.push(message.reply ?? '');
    message.respond('first');
    message.respond('second');
  });
  expect(text((await call('twice')).body)).toBe('first');
  const [used = ''] = replies;
  peer.publish(used, 'late');
  peer.publish(used.replace(/[^.]+$/, 'zzzz'), 'foreign');
  peer.publish(used.replace(/[^.]+$/, '__proto__'), 'foreign');
  await peer.flush();
  expect(text((await call('twice')).body)).toBe('first');
  subscription.unsubscribe();
});

it('a service answers malformed requests and keeps running', async () => {
  const service = await fixture.connect('service');
  await service.serve('sturdy', echo);
  const subject = `${fixture.namespace}.rpc.sturdy.get`;
  const ask = async (own: Record<string, string>) => {
    const sent = headers();
    for (const [name, value] of Object.entries(own)) sent.set(name, value);
    return (
      (await peer.request(subject, 'x', { headers: sent, timeout: FOREVER })).headers?.get('Rpc-Error') ?? 'answered'
    );
  };
  peer.publish(subject, 'nobody waits');
  expect(await ask({ 'Rpc-Transfer': 'lots' })).toBe('unavailable');
  expect(await ask({ 'Rpc-Transfer': '99999999' })).toBe('too_large');
  expect(await ask({ 'Rpc-Deadline': 'soon' })).toBe('answered');
  expect((await peer.request(subject, 'plain', { timeout: FOREVER })).string()).toBe('plain');
  expect(text((await call('sturdy')).body)).toBe('x');
  expect(service.status().transferBytes).toBe(0);
});
