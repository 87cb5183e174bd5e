import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreDBClient, persistentSubscriptionToStreamSettingsFromDefaults } from '@eventstore/db-client';
import { type EventStoreServer, startEventStoreServer } from './server.js';
import { connectTo } from './test/connect.js';
import { failure } from './test/server-under-test.js';

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
});
