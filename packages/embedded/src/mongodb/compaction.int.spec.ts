import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { startMongoServer, type MongoServer } from './server.js';
import { verifyMongo } from './verify.js';

interface Doc {
  readonly _id: number;
  readonly k: string;
  readonly n: number;
}

const MANY = 6_000;
const WRITERS = 3;
let folder: string;
let server: MongoServer;
let client: MongoClient;
let c: Collection<Doc>;

const file = (): string => join(folder, 'data.mdb');
const holds = (text: string): boolean => readFileSync(file()).includes(text);

async function start(): Promise<void> {
  server = await startMongoServer({ dataDir: folder });
  client = await new MongoClient(server.url).connect();
  c = client.db('d').collection<Doc>('c');
}

async function stop(): Promise<void> {
  await client.close();
  await server.stop();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mongodb-compaction-'));
  await start();
  await c.createIndexes([{ key: { k: 1 }, unique: true }, { key: { n: 1, k: -1 } }]);
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const fill = (from: number, to: number): Promise<unknown> =>
  c.insertMany(
    Array.from({ length: to - from }, (_, i) => ({ _id: from + i, k: `key-${from + i}`, n: (from + i) % 9 })),
  );

describe('compaction', () => {
  it('leaves no byte of what was deleted, and gives its room back', async () => {
    await fill(0, 20_000);
    await c.insertOne({ _id: 20_000, k: 'Ludmila Ferrer', n: 1 });
    await c.insertOne({ _id: 20_001, k: `Ludmila ${'Ferrer '.repeat(5_000)}`, n: 1 });
    await c.insertOne({ _id: 1_000_000, k: 'Ludmila Ferrer, once', n: 1 });
    await c.updateOne({ _id: 1_000_000 }, { $set: { k: 'Somebody' } });
    await c.deleteMany({ _id: { $gte: 5_000, $lt: 1_000_000 } });
    const before = statSync(file()).size;
    expect(holds('Ludmila Ferrer')).toBe(true);
    const { bytesFreed } = (await client.db('d').command({ compact: 'c' })) as { bytesFreed: number };
    expect(statSync(file()).size).toBe(before - bytesFreed);
    expect(bytesFreed).toBeGreaterThan(before / 2);
    expect(holds('Ludmila')).toBe(false);
    expect(await c.find().hint({ k: 1 }).toArray()).toHaveLength(5_001);
    await stop();
    expect(verifyMongo(folder).findings).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('compacted-'))).toEqual([]);
    await start();
    expect(await c.countDocuments()).toBe(5_001);
  });

  it('loses nothing that is written, changed, deleted or read meanwhile', async () => {
    await fill(0, MANY);
    let running = true;
    let next = MANY;
    const deleted = new Set<number>();
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let turn = 0; running && turn < MANY / WRITERS; turn += 1) {
        const id = next;
        next += 1;
        await c.insertOne({ _id: id, k: `key-${id}`, n: 1 });
        await c.updateOne({ _id: id }, { $set: { n: 50, k: `late-${id}` } });
        const old = (writer * MANY) / WRITERS + turn;
        await c.deleteOne({ _id: old });
        deleted.add(old);
        expect(await c.findOne({ k: `late-${id}` })).toEqual({ _id: id, k: `late-${id}`, n: 50 });
      }
    });
    const reader = (async () => {
      while (running) {
        let last = -1;
        for await (const { _id } of c
          .find({ _id: { $lt: MANY + 500 } })
          .sort({ _id: 1 })
          .batchSize(500)) {
          expect(_id).toBeGreaterThan(last);
          last = _id;
        }
      }
    })();
    await server.compact();
    await client.db('other').collection('new').insertOne({ made: 'between two' });
    await Promise.all([server.compact(), server.backup(join(folder, 'copy'))]);
    running = false;
    await Promise.all([...writers, reader]);
    await stop();
    expect(verifyMongo(folder).findings).toEqual([]);
    expect(verifyMongo(join(folder, 'copy')).findings).toEqual([]);
    await start();
    const ids = new Set((await c.find().project<{ _id: number }>({ _id: 1 }).toArray()).map(({ _id }) => _id));
    for (let id = 0; id < next; id += 1) expect([id, ids.has(id)]).toEqual([id, !deleted.has(id)]);
    expect(await c.countDocuments({ n: 50 })).toBe(next - MANY);
    expect(await client.db('other').collection('new').countDocuments()).toBe(1);
  }, 60_000);

  it('keeps the old file when an entry is damaged, and says so', async () => {
    await fill(0, 200);
    const at = readFileSync(file()).indexOf('key-77');
    const fd = openSync(file(), 'r+');
    for (let found = at; found >= 0; found = readFileSync(file()).indexOf('key-77', found + 1))
      writeSync(fd, 'x', found);
    closeSync(fd);
    await expect(server.compact()).rejects.toThrow(/damaged; restore this folder/);
    expect(await c.findOne({ _id: 78 })).toMatchObject({ k: 'key-78' });
    await fill(200, 210);
    expect(readdirSync(folder).filter((name) => name.startsWith('compacted-'))).toEqual([]);
  });

  it('is refused for a collection that does not exist', async () => {
    await expect(client.db('d').command({ compact: 'nothing' })).rejects.toMatchObject({
      code: 26,
      codeName: 'NamespaceNotFound',
    });
  });
});
