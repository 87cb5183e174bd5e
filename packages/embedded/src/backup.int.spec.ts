import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonEvent } from '@eventstore/db-client';
import { connectTo } from './eventstore/test/connect.js';
import { MongoClient } from 'mongodb';
import { startEventStoreServer, verifyEventStore } from './eventstore/index.js';
import { startMongoServer, verifyMongo } from './mongodb/index.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'embedded-backup-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('a copy of a server that is being written to', () => {
  it('of the event log is sound, ends at one place and holds all that was acknowledged before', async () => {
    const server = await startEventStoreServer({ dataDir: join(dir, 'events') });
    const client = connectTo(server.url);
    let acknowledged = 0;
    let writing = true;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      while (writing) {
        await client.appendToStream(`s-${String(writer)}`, [jsonEvent({ type: 'T', data: { text: 'x'.repeat(500) } })]);
        acknowledged += 1;
        if (acknowledged % 50 > 0) continue;
        // Something for the scavenge that runs beside it.
        await client.appendToStream(`gone-${String(acknowledged)}`, [jsonEvent({ type: 'T', data: {} })]);
        await client.deleteStream(`gone-${String(acknowledged)}`);
      }
    });
    while (acknowledged < 300) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = acknowledged;
    const scavenged = server.scavenge();
    const position = await server.backup(join(dir, 'events-copy'));
    await scavenged;
    const goOn = acknowledged + 50;
    while (acknowledged < goOn) await new Promise((resolve) => setTimeout(resolve, 5));
    writing = false;
    await Promise.all(writers);
    await client.dispose();
    await server.stop();
    const { checked, findings, notes } = await verifyEventStore(join(dir, 'events-copy'));
    expect(findings).toEqual([]);
    expect(notes).toHaveLength(1);
    expect(checked['records']).toBeGreaterThan(0);
    expect(readdirSync(join(dir, 'events-copy'))).toEqual(['log']);

    const copy = await startEventStoreServer({ dataDir: join(dir, 'events-copy') });
    const reader = connectTo(copy.url);
    let last = 0n;
    for await (const { event } of reader.readAll()) last = event?.position?.commit ?? last;
    expect(last).toBeLessThan(BigInt(position));
    let events = 0;
    for (let writer = 0; writer < 8; writer += 1) {
      for await (const { event } of reader.readStream(`s-${String(writer)}`, {
        direction: 'backwards',
        fromRevision: 'end',
        maxCount: 1,
      }))
        events += Number(event?.revision ?? -1n) + 1;
    }
    expect(events).toBeGreaterThanOrEqual(before);
    await reader.dispose();
    await copy.stop();
    expect((await verifyEventStore(join(dir, 'events-copy'))).findings).toEqual([]);
  }, 60_000);

  it('of the documents is sound and holds all that was acknowledged before', async () => {
    const server = await startMongoServer({ dataDir: join(dir, 'documents') });
    const client = await new MongoClient(server.url).connect();
    const c = client.db('d').collection<{ _id: number; k: string; n: number }>('c');
    await c.createIndexes([{ key: { k: 1 }, unique: true }, { key: { n: -1, k: 1 } }]);
    let next = 0;
    const acknowledged: number[] = [];
    let writing = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) {
        next += 1;
        const id = next;
        await c.insertOne({ _id: id, k: `k${String(id)}`, n: id % 5 });
        acknowledged.push(id);
        if (id % 3 === 0) await c.updateOne({ _id: id }, { $set: { n: 7 } });
      }
    });
    while (acknowledged.length < 500) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = [...acknowledged];
    await server.backup(join(dir, 'documents-copy'));
    writing = false;
    await Promise.all(writers);
    await client.close();
    await server.stop();
    expect(readdirSync(join(dir, 'documents-copy'))).toEqual(['data.mdb']);
    expect(verifyMongo(join(dir, 'documents-copy')).findings).toEqual([]);
    expect(verifyMongo(join(dir, 'documents')).findings).toEqual([]);
    const copy = await startMongoServer({ dataDir: join(dir, 'documents-copy') });
    const reader = await new MongoClient(copy.url).connect();
    expect(
      await reader
        .db('d')
        .collection<{ _id: (typeof before)[number] }>('c')
        .countDocuments({ _id: { $in: before } }),
    ).toBe(before.length);
    await reader.close();
    await copy.stop();
  }, 60_000);
});
