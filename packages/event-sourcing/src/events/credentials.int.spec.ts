import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startEventStoreServer, type EventStoreServer } from '@scriptorium/embedded/eventstore';
import { someMetadata } from '../testing.js';
import { isAway } from '../database/database.js';
import { forClient, openWithCredentials } from './client.js';
import { openEventStore } from './event-store.js';

const auth = { user: 'writer', password: "every:sign/of?an#URL@and more'" };
let server: EventStoreServer;
beforeAll(async () => void (server = await startEventStoreServer({ auth })));
afterAll(() => server.stop());

const event = () => ({ id: crypto.randomUUID(), type: 'Noted', data: {}, metadata: someMetadata() });
const connect = (url: string) => openWithCredentials(url, (plain) => EventStoreDBClient.connectionString(plain));

describe('credentials in the URL of the event store', () => {
  it('open a server that requires them', async () => {
    const store = openEventStore(server.url);
    expect(await store.append('t.identity.credentials-1', -1n, [event()])).toMatchObject({ kind: 'appended' });
    expect(await store.readStream('t.identity.credentials-1', 0n, 10)).toMatchObject({ kind: 'events' });
    expect(await store.tail()).toBeGreaterThan(-1n);
    const source = store.subscribe(['t.identity.credentials-1'], -1n);
    expect((await source.next(1, 0)).events).toMatchObject([{ type: 'Noted' }]);
    await source.stop();
    await store.erase('t.identity.credentials-1');
    await store.close();
  });

  it.each([
    ['none', '//', 'EventStoreDB denies access: the user of EVENTSTORE_URL must be a member of $admins'],
    ['others', '//writer:other@', 'EventStoreDB does not accept the user and password of EVENTSTORE_URL'],
  ])(
    'are required: with %s calls fail with what is wrong, without the credentials in the error',
    async (_, user, message) => {
      const store = openEventStore(server.url.replace(/\/\/.*@/, user));
      const refused = await store.append('t.identity.credentials-2', -1n, [event()]).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        reason: 'unexpected',
        message:
          'EventStoreDB denies access: the user and password of EVENTSTORE_URL must be right, and the user a member of $admins',
      });
      await expect(store.tail()).rejects.toMatchObject({ reason: 'unexpected', message });
      expect(isAway(refused)).toBe(true);
      await store.close();
    },
  );

  it('do not disable batches: one stream sends all appends', async () => {
    const client = connect(server.url);
    const streams = jest.fn();
    const create = Reflect.get(client, 'GRPCStreamCreator') as (...parameters: unknown[]) => unknown;
    Reflect.set(client, 'GRPCStreamCreator', (...parameters: unknown[]) => {
      streams(parameters[1]);
      return create(...parameters);
    });
    await client.appendToStream('t.identity.credentials-3', jsonEvent({ type: 'Noted', data: {} }));
    expect(streams.mock.calls).toEqual([['appendToStream']]);
    await client.dispose();
  });

  it('are not sent to other machines without TLS, as in the official client', () => {
    const open = jest.fn((url: string) => ({ url }));
    const urls = [
      'esdb://user:secret@node.example:2113?tls=false',
      'esdb://user:secret@127.0.0.1:2113,node.example:2113?tls=false',
      'esdb://user:secret@127.0.0.1:2113',
      'esdb://user:secret@127.0.0.1.example:2113?tls=false',
    ];
    for (const url of urls) expect(openWithCredentials(url, open)).toEqual({ url });
  });

  it('are not part of the error for a malformed URL', () => {
    for (const url of [
      'esdb://user:secret@?tls=false',
      'esdb://user:secret@127.0.0.1:none?tls=false',
      'http://a:secret@b',
    ])
      expect(() => connect(url)).toThrow(/^The connection string of EventStoreDB is malformed$/);
  });

  it('are not part of a warning of the client for an option that it does not read', () => {
    const warned = jest.spyOn(console, 'warn').mockReturnValue(undefined);
    for (const url of [
      'esdb://user:secret@node.example?a=1&tls=true&tlsVerifyCert=false',
      'kdb://user:secret@node.example?b',
    ])
      connect(forClient(url));
    expect(warned).not.toHaveBeenCalled();
    expect(forClient('kurrentdb://u:p@h:1/?a=1&TLS=false')).toBe('esdb://u:p@h:1/?TLS=false');
    expect(forClient('kdb://u:p?a=b@h?b&tls=true')).toBe('esdb://u:p?a=b@h?tls=true');
    warned.mockRestore();
  });

  it('require the version of the client whose internals are known', () => {
    expect(() => openWithCredentials('esdb://a:b@127.0.0.1:1?tls=false', () => ({}))).toThrow(/another way/);
  });
});
