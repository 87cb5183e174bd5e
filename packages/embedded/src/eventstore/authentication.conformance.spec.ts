import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startEventStoreServer } from './server.js';
import { connectTo, sendAuthorization } from './test/connect.js';
import { collect, counted, failure, revisions, until } from './test/server-under-test.js';

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
const HEADERS = 500;

/** The server of CONFORMANCE_EVENTSTORE_URL when it has users and its URL names one, else an embedded one. */
const given = /:[^@/]+@/.test(process.env['CONFORMANCE_EVENTSTORE_URL'] ?? '')
  ? process.env['CONFORMANCE_EVENTSTORE_URL']
  : undefined;
let url = given ?? '';
let stop = (): Promise<void> => Promise.resolve();
const clients: EventStoreDBClient[] = [];
const kept = (client: EventStoreDBClient): EventStoreDBClient => {
  clients.push(client);
  return client;
};
beforeAll(async () => {
  if (given !== undefined) return;
  const server = await startEventStoreServer();
  url = server.url;
  stop = () => server.stop();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  await stop();
});

const withoutCredentials = () => url.replace(/\/\/[^@]*@/, '//');
const stream = () => `authentication-${randomUUID()}`;

/** Every kind of call that touches events. */
const attempts: Record<string, (client: EventStoreDBClient, name: string) => Promise<unknown>> = {
  append: (client, name) => client.appendToStream(name, counted(0)),
  'append in a call of its own': (client, name) =>
    client.appendToStream(name, counted(0), { credentials: { username: 'a', password: 'b' } }),
  read: (client, name) => collect(client.readStream(name)),
  'read of everything': (client) => collect(client.readAll({ maxCount: 1 })),
  subscription: (client) =>
    new Promise((_resolve, reject) => {
      client.subscribeToAll().once('error', reject);
    }),
  delete: (client, name) => client.deleteStream(name),
  tombstone: (client, name) => client.tombstoneStream(name),
  metadata: (client, name) => client.setStreamMetadata(name, {}),
};

async function expectRefused(client: EventStoreDBClient, code: number): Promise<void> {
  for (const [what, attempt] of Object.entries(attempts)) {
    const { type, code: found } = await failure(attempt(client, stream()));
    expect({ what, type, found }).toEqual({ what, type: 'access-denied', found: code });
  }
}

describe('clients with the right credentials', () => {
  it('append, read, subscribe and delete', async () => {
    const client = kept(connectTo(url));
    const name = stream();
    await client.appendToStream(name, [counted(0), counted(1)]);
    expect(await revisions(client.readStream(name))).toEqual([0, 1]);
    let heard = 0;
    const subscription = client.subscribeToStream(name).on('data', () => (heard += 1));
    await until(() => heard === 2);
    await subscription.unsubscribe();
    await client.deleteStream(name);
    await client.tombstoneStream(name);
  });
});

describe('clients without credentials', () => {
  it('are denied every call that touches events', async () => {
    const client = kept(EventStoreDBClient.connectionString(withoutCredentials()));
    await expectRefused(client, PERMISSION_DENIED);
  });

  it('are told which calls there are: the official client asks without credentials', async () => {
    const client = kept(EventStoreDBClient.connectionString(withoutCredentials()));
    const { serverVersion } = (await Reflect.get(client, 'capabilities')) as { serverVersion: string };
    expect(serverVersion).toMatch(/^\d+\./);
  });
});

describe('clients with wrong credentials', () => {
  it.each([
    ['wrong password', 'Basic ' + Buffer.from('scriptorium:wrong').toString('base64')],
    ['unknown user', 'Basic ' + Buffer.from('nobody:nothing').toString('base64')],
    ['empty password', 'Basic ' + Buffer.from('scriptorium:').toString('base64')],
  ])('are refused every call: %s', async (_what, header) => {
    const client = kept(EventStoreDBClient.connectionString(withoutCredentials()));
    sendAuthorization(client, header);
    await expectRefused(client, UNAUTHENTICATED);
  });
});

describe('headers that no client sends', () => {
  const right = () => {
    const [, user = '', password = ''] = /\/\/([^:]*):([^@]*)@/.exec(url) ?? [];
    return Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64');
  };
  const status = (session: ClientHttp2Session, authorization: string, path: string): Promise<unknown> =>
    new Promise((resolve) => {
      const call = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        authorization,
      });
      call.on('response', (headers: IncomingHttpHeaders) => {
        resolve(headers['grpc-status']);
      });
      call.on('error', () => {
        resolve('closed');
      });
      call.resume();
      call.end();
    });

  it('are refused, whatever the call', async () => {
    const random = randomFrom(seedOfRun('headers'));
    const session = connectHttp2(withoutCredentials().replace('esdb://', 'http://').replace(/\?.*/, ''));
    const printable = (length: number) => String.fromCharCode(...Array.from({ length }, () => 33 + random(94)));
    const flipped = () => {
      const at = random(right().length - 4);
      const other = right()[at] === 'A' ? 'B' : 'A';
      return `Basic ${right().slice(0, at)}${other}${right().slice(at + 1)}`;
    };
    const headers = [
      ...['Basic', 'Basic ====', 'Bearer x', right(), `Bearer ${right()}`, `Basic ${right()}x`],
      ...[`Basic ${right().slice(0, -4)}`, `Basic ${'A'.repeat(20_000)}`],
      ...Array.from({ length: HEADERS }, (_, i) => (i % 2 === 0 ? `Basic ${printable(1 + random(200))}` : flipped())),
    ];
    const methods = [
      'streams.Streams/Read',
      'streams.Streams/BatchAppend',
      'server_features.ServerFeatures/GetSupportedMethods',
    ];
    for (const header of headers) {
      const path = `/event_store.client.${methods[random(methods.length)] ?? ''}`;
      expect([header.slice(0, 60), await status(session, header, path)]).toEqual([header.slice(0, 60), '16']);
    }
    session.destroy();
    const client = kept(connectTo(url));
    expect(await collect(client.readAll({ maxCount: 0 }))).toEqual([]);
  });
});
