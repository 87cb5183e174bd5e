import { cpSync, closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Binary, MongoClient } from 'mongodb';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startMongoServer } from './server.js';
import { bytesInUse, type Span } from './test/bytes-in-use.js';
import { verifyMongo } from './verify.js';

const CASES = Number(process.env['DAMAGE_CASES'] ?? 20);

interface Doc {
  readonly _id: number | string;
  readonly k: string;
  readonly tags: readonly string[];
  readonly n: number;
  readonly long?: Binary;
}

let dir: string;
let origin: string;
let expected: string;
const COLLECTIONS = ['a', 'b'];

/** Everything that clients can see, by way of `_id` and by way of each index. */
async function contents(url: string): Promise<string> {
  const client = await new MongoClient(url, { serverSelectionTimeoutMS: 5_000 }).connect();
  try {
    const parts: unknown[] = [];
    for (const name of COLLECTIONS) {
      const c = client.db('d').collection<Doc>(name);
      parts.push(await c.listIndexes().toArray());
      parts.push(await c.find().sort({ _id: 1 }).toArray());
      for (const hint of [{ k: 1 }, { tags: 1, n: -1 }] as const)
        parts.push(await c.find().hint(hint).sort(hint).project({ long: 0 }).toArray());
      parts.push(await c.estimatedDocumentCount());
      for (let id = 0; id < 400; id += 29)
        parts.push(await c.findOne({ _id: id }), await c.findOne({ k: `key-${String(id)}` }));
    }
    return JSON.stringify(parts);
  } finally {
    await client.close();
  }
}

async function outcomeOf(folder: string): Promise<{ refused: string } | { failed: string } | { seen: string }> {
  let server;
  try {
    server = await startMongoServer({ dataDir: folder });
  } catch (error) {
    return { refused: String(error) };
  }
  try {
    return { seen: await contents(server.url) };
  } catch (error) {
    return { failed: String(error) };
  } finally {
    await server.stop();
  }
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mongodb-damage-'));
  origin = join(dir, 'origin');
  const server = await startMongoServer({ dataDir: origin });
  const client = await new MongoClient(server.url).connect();
  for (const name of COLLECTIONS) {
    const c = client.db('d').collection<Doc>(name);
    await c.createIndexes([{ key: { k: 1 }, unique: true }, { key: { tags: 1, n: -1 } }]);
    for (let from = 0; from < 400; from += 100) {
      await c.insertMany(
        Array.from({ length: 100 }, (_, i) => ({
          _id: from + i,
          k: `key-${String(from + i)}`,
          tags: [`t${String(i % 7)}`, 'x'.repeat(i)],
          n: i % 5,
          ...(i % 40 === 0 ? { long: new Binary(Buffer.alloc(9_000, i)) } : {}),
        })),
      );
    }
    await c.updateMany({ n: 3 }, { $set: { n: 9 } });
    await c.deleteMany({ n: 2 });
  }
  await client.close();
  await server.stop();
  const again = await startMongoServer({ dataDir: origin });
  expected = await contents(again.url);
  await again.stop();
}, 60_000);
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Damages a copy, and demands that it is told or that nothing is missing. @returns whether it was told at the start */
async function damaged(name: string, harm: (file: string) => string): Promise<boolean> {
  const copy = join(dir, name);
  cpSync(origin, copy, { recursive: true });
  const file = join(copy, 'data.mdb');
  const what = harm(file);
  const { findings } = verifyMongo(copy);
  const outcome = await outcomeOf(copy);
  rmSync(copy, { recursive: true });
  const told = findings.length > 0;
  if ('seen' in outcome) expect({ what, whole: outcome.seen === expected }).toEqual({ what, whole: true });
  else expect({ what, told, outcome }).toEqual({ what, told: true, outcome });
  if ('refused' in outcome) expect(outcome.refused).toMatch(/data\.mdb/);
  for (const finding of findings)
    expect(finding).toMatchObject({ file, offset: expect.any(Number), remedy: expect.stringContaining('restore') });
  return 'refused' in outcome;
}

describe('damaged documents', () => {
  it('are found sound when nothing happened to them', async () => {
    expect(await damaged('whole', () => 'nothing')).toBe(false);
    const { checked, findings } = verifyMongo(origin);
    expect(findings).toEqual([]);
    expect(checked).toMatchObject({ collections: 2, documents: 640 });
  });

  it(
    'never show a flipped bit as if it were right',
    async () => {
      const random = randomFrom(seedOfRun('flipped bits'));
      for (let i = 0; i < CASES; i += 1) {
        // A third of them in the pages that say where everything is; much of the file is room that nothing uses.
        await damaged(`flip-${String(i)}`, (file) =>
          flip(file, random(3) === 0 ? random(8_192) : random(statSync(file).size), random(8)),
        );
      }
    },
    10_000 + CASES * 5_000,
  );

  it(
    'are refused at the start when a bit is flipped in a document or an entry of an index',
    async () => {
      const random = randomFrom(seedOfRun('flipped bits in use'));
      const { checked } = bytesInUse(join(origin, 'data.mdb'));
      for (let i = 0; i < CASES; i += 1) {
        const { offset, length } = checked[random(checked.length)] as Span;
        const [at, bit] = [offset + random(length), random(8)];
        const refused = await damaged(`used-${String(i)}`, (file) => flip(file, at, bit));
        expect({ at, bit, refused }).toEqual({ at, bit, refused: true });
      }
    },
    10_000 + CASES * 5_000,
  );

  it('are found by verify when an entry of an index says another length of its `_id`', () => {
    const random = randomFrom(seedOfRun('flipped lengths'));
    const { idLengths } = bytesInUse(join(origin, 'data.mdb'));
    const copy = join(dir, 'lengths');
    cpSync(origin, copy, { recursive: true });
    for (let i = 0; i < CASES; i += 1) {
      const { offset, length } = idLengths[random(idLengths.length)] as Span;
      const [at, bit] = [offset + random(length), random(8)];
      const what = flip(join(copy, 'data.mdb'), at, bit);
      expect({ what, found: verifyMongo(copy).findings.length > 0 }).toEqual({ what, found: true });
      flip(join(copy, 'data.mdb'), at, bit);
    }
    expect(verifyMongo(copy).findings).toEqual([]);
  });

  it(
    'are refused when the file was cut short',
    async () => {
      const random = randomFrom(seedOfRun('short files'));
      for (let i = 0; i < CASES; i += 1) {
        await damaged(`cut-${String(i)}`, (file) => {
          const size = 1 + random(statSync(file).size - 1);
          truncateSync(file, size);
          return `cut to ${String(size)}`;
        });
      }
    },
    10_000 + CASES * 5_000,
  );
});

/** Flips a bit, and says which. */
function flip(file: string, offset: number, bit: number): string {
  const fd = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, offset);
  byte[0] = (byte[0] ?? 0) ^ (1 << bit);
  writeSync(fd, byte, 0, 1, offset);
  closeSync(fd);
  return `bit ${String(bit)} at ${String(offset)}`;
}
