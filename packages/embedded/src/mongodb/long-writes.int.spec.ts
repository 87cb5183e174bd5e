import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { startMongoServer, type MongoServer } from './server.js';

interface Doc {
  readonly _id: number;
  readonly group: number;
  readonly n: number;
}

const MANY = 20_000;
/** Commands that others carry out beside one write, at most: far fewer than it has documents. */
const MOST_TURNS = 2_000;
let server: MongoServer;
let client: MongoClient;
let c: Collection<Doc>;

const fill = (collection: Collection<Doc>): Promise<unknown> =>
  collection.insertMany(Array.from({ length: MANY }, (_, _id) => ({ _id, group: 1, n: 0 })));

beforeAll(async () => {
  server = await startMongoServer();
  client = await new MongoClient(server.url).connect();
  c = client.db('d').collection<Doc>('c');
  await c.createIndex({ group: 1, n: 1 });
  await fill(c);
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

/** How often a spec may find that a write was over before anybody came in between. */
const TRIES = 50;

/** Runs a write beside short commands of others, one after another, and waits for both. */
async function beside(write: Promise<unknown>, other: (turn: number) => Promise<unknown>): Promise<void> {
  let running = true;
  const others = (async () => {
    for (let turn = 0; running && turn < MOST_TURNS; turn += 1) await other(turn);
  })();
  await write.finally(() => {
    running = false;
  });
  await others;
}

describe('a write to many documents', () => {
  it('lets others read and write in between, and counts what it changed', async () => {
    const [first, last] = [0, MANY - MOST_TURNS - 1];
    let seenHalf = false;
    for (let n = 1; n <= TRIES && !seenHalf; n += 1) {
      const write = c
        .updateMany({ group: 1, n: { $ne: n } }, { $set: { n } })
        .then(({ matchedCount, modifiedCount }) => {
          expect(modifiedCount).toBe(matchedCount);
          expect(matchedCount).toBeGreaterThanOrEqual(MANY - MOST_TURNS);
        });
      await beside(write, async (turn) => {
        const ends = await c.find({ _id: { $in: [first, last] } }).toArray();
        seenHalf ||= ends.some((doc) => doc.n === n) && ends.some((doc) => doc.n !== n);
        await c.updateOne({ _id: MANY - 1 - turn }, { $set: { n } });
      });
      expect(await c.countDocuments({ n })).toBe(MANY);
    }
    expect(seenHalf).toBe(true);
  }, 120_000);

  it('leaves out what no longer matches when its turn comes', async () => {
    const saved = new Set<number>();
    for (let tries = 0; tries < TRIES && saved.size === 0; tries += 1) {
      await c.deleteMany({});
      await fill(c);
      const write = c.deleteMany({ group: 1 });
      await beside(write, async (turn) => {
        const { modifiedCount } = await c.updateOne({ _id: MANY - 1 - turn, group: 1 }, { $set: { group: 2 } });
        if (modifiedCount === 1) saved.add(MANY - 1 - turn);
      });
      expect((await write).deletedCount).toBe(MANY - saved.size);
    }
    expect(saved.size).toBeGreaterThan(0);
    expect(new Set((await c.find().toArray()).map(({ _id }) => _id))).toEqual(saved);
  }, 120_000);

  it('is refused when its collection goes meanwhile', async () => {
    const doomed = client.db('d').collection<Doc>('doomed');
    let refusal: unknown;
    for (let n = 1; n <= TRIES && refusal === undefined; n += 1) {
      await fill(doomed);
      const ended = doomed.updateMany({ group: 1 }, { $set: { n } }).then(
        () => undefined,
        (error: unknown) => error,
      );
      while ((await doomed.countDocuments({ _id: 0, n })) === 0) continue;
      await doomed.drop();
      refusal = await ended;
      expect(await client.db('d').listCollections({ name: 'doomed' }).toArray()).toEqual([]);
    }
    expect(refusal).toMatchObject({ code: 175 });
  }, 120_000);
});
