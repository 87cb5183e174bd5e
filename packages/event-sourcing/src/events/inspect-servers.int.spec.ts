import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startFakeNode } from '../test/fake-node.js';
import { inspectEventStore, inspectMongo } from './inspect-servers.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('the servers of an installation', () => {
  it('tell their versions, and MongoDB its clock', async () => {
    const eventstore = await startEventStoreServer({});
    ends.push(() => eventstore.stop());
    const mongodb = await startMongoServer({});
    ends.push(() => mongodb.stop());
    expect(await inspectEventStore(eventstore.url, 5_000)).toMatchObject({ version: expect.stringMatching(/^\d+\./) });
    const { version, aheadMs = Number.NaN } = await inspectMongo(mongodb.url, 5_000);
    expect([version, Math.abs(aheadMs) < 1_000]).toEqual([expect.stringMatching(/^\d+\./), true]);
  });

  it('are refused where EventStoreDB is too old, or nobody answers', async () => {
    const node = await startFakeNode({ version: '23.10.1' });
    ends.push(() => node.stop());
    await expect(inspectEventStore(node.url, 5_000)).rejects.toThrow('version 24.2 or newer is needed');
    await expect(inspectMongo('mongodb://127.0.0.1:1', 300)).rejects.toThrow();
  });
});
