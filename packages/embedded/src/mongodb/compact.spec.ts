import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { startMongoServer, type MongoServer } from './server.js';
import { verifyMongo } from './verify.js';

interface Doc {
  _id: string;
  text: string;
}

let folder: string;
let server: MongoServer;
let client: MongoClient;
let docs: Collection<Doc>;

async function start(): Promise<void> {
  server = await startMongoServer({ dataDir: folder });
  client = await new MongoClient(server.url).connect();
  docs = client.db('d').collection<Doc>('c');
}

async function stop(): Promise<void> {
  await client.close();
  await server.stop();
}

/** Files of the data folder that have the text in them. */
const filesWith = (text: string): string[] => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));

describe('compaction', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mongodb-compact-'));
    await start();
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([40, 3_000, 30_000])('leaves no byte of what was deleted or replaced, of texts of %d', async (length) => {
    await docs.createIndex({ text: 1 });
    const secret = (i: number) => `unmistakable-${i}-`.padEnd(length, 'x');
    await docs.insertMany(Array.from({ length: 30 }, (_, i) => ({ _id: `id${i}`, text: secret(i) })));
    await docs.updateMany({ _id: { $in: ['id0', 'id1', 'id2'] } }, { $set: { text: 'harmless' } });
    await docs.deleteMany({ _id: { $nin: ['id0', 'id1', 'id2', 'id29'] } });
    expect(filesWith('unmistakable-7-')).toEqual(['data.mdb']);
    await server.compact();
    expect([filesWith('unmistakable-7-'), filesWith('unmistakable-0-')]).toEqual([[], []]);
    expect(filesWith('unmistakable-29-')).toEqual(['data.mdb']);
    expect(await docs.find().sort({ _id: 1 }).toArray()).toEqual([...[0, 1, 2].map((i) => ({ _id: `id${i}`, text: 'harmless' })), { _id: 'id29', text: secret(29) }]);
  });

  it('loses nothing that is written meanwhile, and serves reads and cursors', async () => {
    const filler = 'y'.repeat(500);
    await docs.insertMany(Array.from({ length: 5_000 }, (_, i) => ({ _id: `old${i}`, text: filler })));
    const cursor = docs.find({}, { batchSize: 100 });
    expect(await cursor.next()).not.toBeNull();
    let compacting = true;
    const written: string[] = [];
    const writer = (async () => {
      for (let i = 0; compacting; i += 1) {
        await docs.insertOne({ _id: `new${i}`, text: 'z' });
        written.push(`new${i}`);
      }
    })();
    const reader = (async () => {
      while (compacting) expect((await docs.findOne({ _id: 'old4999' }))?.text).toBe(filler);
    })();
    for (let round = 0; round < 5; round += 1) await server.compact();
    compacting = false;
    await Promise.all([writer, reader]);
    expect(written.length).toBeGreaterThan(0);
    expect((await cursor.toArray()).filter(({ _id }) => _id.startsWith('old'))).toHaveLength(4_999);
    await stop();
    await start();
    expect(await docs.countDocuments({ _id: { $in: written } })).toBe(written.length);
    expect(await docs.countDocuments({})).toBe(5_000 + written.length);
  });

  it('makes the file smaller, and one that verifies', async () => {
    await docs.insertMany(Array.from({ length: 5_000 }, (_, i) => ({ _id: `old${i}`, text: 'y'.repeat(500) })));
    await docs.deleteMany({ _id: { $ne: 'old1' } });
    expect(await server.compact()).toBeGreaterThan(2_000_000);
    await stop();
    expect(verifyMongo(folder).findings).toEqual([]);
    await start();
    expect(await docs.find().toArray()).toHaveLength(1);
  });

  it('is begun anew after a process that died in the middle', async () => {
    await docs.insertOne({ _id: 'kept', text: 'kept' });
    await stop();
    mkdirSync(join(folder, 'compacting'));
    writeFileSync(join(folder, 'compacting', 'data.mdb'), 'half');
    await start();
    expect(readdirSync(folder)).not.toContain('compacting');
    await Promise.all([server.compact(), server.compact()]);
    expect(await docs.find().toArray()).toEqual([{ _id: 'kept', text: 'kept' }]);
  });
});
