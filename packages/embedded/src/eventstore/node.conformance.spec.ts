import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import { counted, revisions, type ServerUnderTest, serverUnderTest } from './test/server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await serverUnderTest();
});
afterAll(() => server.stop());

describe('the node', () => {
  it('is found through gossip', async () => {
    const address = new URL(server.url.replace('esdb://', 'http://')).host;
    const client = EventStoreDBClient.connectionString(`esdb://${address},${address}?tls=false&nodePreference=leader`);
    const stream = server.stream();
    expect((await client.appendToStream(stream, counted(0))).success).toBe(true);
    expect(await revisions(client.readStream(stream))).toEqual([0]);
    await client.dispose();
  });

  it('takes credentials and serves on', async () => {
    const client = EventStoreDBClient.connectionString(server.url.replace('esdb://', 'esdb://admin:changeit@'));
    expect((await client.appendToStream(server.stream(), counted(0))).success).toBe(true);
    await client.dispose();
  });

  it('serves many clients and calls at once', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, counted(0));
    const clients = Array.from({ length: 20 }, () => EventStoreDBClient.connectionString(server.url));
    const reads = clients.flatMap((client) => Array.from({ length: 25 }, () => revisions(client.readStream(stream))));
    expect((await Promise.all(reads)).every(([first]) => first === 0)).toBe(true);
    await Promise.all(clients.map((client) => client.dispose()));
  });
});
