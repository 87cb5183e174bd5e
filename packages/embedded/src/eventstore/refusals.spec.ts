import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreDBClient, persistentSubscriptionToStreamSettingsFromDefaults } from '@eventstore/db-client';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { connectTo } from './test/connect.js';
import { collect, failure } from './test/server-under-test.js';

const UNIMPLEMENTED = 12;

describe('what this server refuses', () => {
  let server: EventStoreServer;
  let client: EventStoreDBClient;
  beforeAll(async () => {
    server = await startEventStoreServer();
    client = connectTo(server.url);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  it('says that persistent subscriptions are not implemented', async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    expect(await failure(client.createPersistentSubscriptionToStream('s', 'group', settings))).toMatchObject({
      code: UNIMPLEMENTED,
    });
    expect(await failure(client.getPersistentSubscriptionToStreamInfo('s', 'group'))).toMatchObject({
      code: UNIMPLEMENTED,
    });
  });

  it('says that projections are not implemented', async () => {
    expect(await failure(client.createProjection('p', 'fromAll()'))).toMatchObject({ code: UNIMPLEMENTED });
  });

  it.each<[string, (client: EventStoreDBClient) => Promise<unknown>]>([
    [
      'Projections/Create',
      (c) => c.createProjection('p', 'fromAll()', { emitEnabled: true, trackEmittedStreams: true }),
    ],
    ['Projections/Statistics', (c) => c.listProjections()],
    ['Projections/RestartSubsystem', (c) => c.restartSubsystem()],
    ['PersistentSubscriptions/List', (c) => c.listAllPersistentSubscriptions()],
    ['PersistentSubscriptions/ReplayParked', (c) => c.replayParkedMessagesToAll('group')],
    ['PersistentSubscriptions/RestartSubsystem', (c) => c.restartPersistentSubscriptionSubsystem()],
    ['PersistentSubscriptions/Read', (c) => collect(c.subscribeToPersistentSubscriptionToAll('group'))],
  ])('names the call that it does not have, at once: %s', async (call, ask) => {
    const began = performance.now();
    const refused = await failure(ask(client));
    expect(refused).toMatchObject({ code: UNIMPLEMENTED });
    expect(String(refused['message'])).toMatch(
      new RegExp(`The embedded server does not have event_store\\.client\\.[a-z_]+\\.${call}$`),
    );
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
