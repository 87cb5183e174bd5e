import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectTo } from './test/connect.js';
import { counted, revisions, type ServerUnderTest, serverUnderTest } from './test/server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await serverUnderTest();
});
afterAll(() => server.stop());

describe('the node', () => {
  it('is found through gossip', async () => {
    const [, user = '', address = ''] = /^esdb:\/\/([^@]*@)?([^?/]+)/.exec(server.url) ?? [];
    const client = connectTo(`esdb://${user}${address},${address}?tls=false&nodePreference=leader`);
    const stream = server.stream();
    expect((await client.appendToStream(stream, counted(0))).success).toBe(true);
    expect(await revisions(client.readStream(stream))).toEqual([0]);
    await client.dispose();
  });

  it('serves many clients and calls at once', async () => {
    const stream = server.stream();
    await server.client.appendToStream(stream, counted(0));
    const clients = Array.from({ length: 20 }, () => connectTo(server.url));
    const reads = clients.flatMap((client) => Array.from({ length: 25 }, () => revisions(client.readStream(stream))));
    expect((await Promise.all(reads)).every(([first]) => first === 0)).toBe(true);
    await Promise.all(clients.map((client) => client.dispose()));
  });
});
