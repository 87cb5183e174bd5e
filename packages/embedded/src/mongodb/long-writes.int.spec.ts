import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { startMongoServer, type MongoServer } from './server.js';

interface Doc {
  readonly _id: number;
  readonly group: number;
  readonly n: number;
}

const MANY = 20_000;
let server: MongoServer;
let client: MongoClient;
let c: Collection<Doc>;

beforeAll(async () => {
  server = await startMongoServer();
  client = await new MongoClient(server.url).connect();
  c = client.db('d').collection<Doc>('c');
  await c.createIndex({ group: 1, n: 1 });
  await c.insertMany(Array.from({ length: MANY }, (_, _id) => ({ _id, group: 1, n: 0 })));
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

/** Runs a write beside short commands of others; answers how many of these came in between. */
async function beside(write: Promise<unknown>, other: (turn: number) => Promise<unknown>): Promise<number> {
  let running = true;
  let turns = 0;
  const others = (async () => {
    for (; running; turns += 1) await other(turns);
  })();
  await write.finally(() => { running = false; });
  await others;
  return turns;
}

describe('a write to many documents', () => {
  it('lets others read and write in between, and counts what it changed', async () => {
    const write = c.updateMany({ group: 1, n: 0 }, { $set: { n: 1 } }).then(({ matchedCount, modifiedCount }) => {
      expect(modifiedCount).toBe(matchedCount);
      expect(matchedCount).toBeGreaterThan(MANY / 2);
    });
    const turns = await beside(write, (turn) => c.updateOne({ _id: MANY - 1 - turn }, { $set: { n: 5 } }));
    expect(turns).toBeGreaterThan(3);
    expect(await c.countDocuments({ group: 1, n: 0 })).toBe(0);
    const fives = await c.countDocuments({ n: 5 });
    expect(fives + (await c.countDocuments({ n: 1 }))).toBe(MANY);
  });

  it('leaves out what no longer matches when its turn comes', async () => {
    await c.updateMany({}, { $set: { n: 2 } });
    const saved = new Set<number>();
    const write = c.deleteMany({ group: 1 });
    await beside(write, async (turn) => {
      const { modifiedCount } = await c.updateOne({ _id: MANY - 1 - turn, group: 1 }, { $set: { group: 2 } });
      if (modifiedCount === 1) saved.add(MANY - 1 - turn);
    });
    const left = (await c.find().toArray()).map(({ _id }) => _id);
    expect(saved.size).toBeGreaterThan(0);
    expect(new Set(left)).toEqual(saved);
    expect((await write).deletedCount).toBe(MANY - saved.size);
  });
});
