import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { MongoClient, type Collection } from 'mongodb';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startMongoServer } from './server.js';
import { verifyMongo } from './verify.js';

const BIN = fileURLToPath(new URL('../../dist/mongodb/bin.js', import.meta.url));
const DEADLINE = 15_000;
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? sized(4, 20));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mongodb-spec-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the server as a process of its own; answers its url, or what it said when it could not start. */
async function spawnServer(): Promise<{ child: ChildProcess; line: string; failed: boolean }> {
  const child = spawn(process.execPath, [BIN, '--data', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const first = (stream: NodeJS.ReadableStream): Promise<string> =>
    new Promise((resolve) => createInterface(stream).once('line', resolve));
  const out = first(child.stdout).then((line) => ({ child, line, failed: false }));
  const err = first(child.stderr).then((line) => ({ child, line, failed: true }));
  return Promise.race([out, err]);
}

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );

interface Doc {
  readonly _id: number;
  readonly k: string;
  readonly group: number;
  readonly n: number;
}

/**
 * Writes from several sides until the server is gone, and lets it compact its file again and again; answers what was
 * acknowledged.
 */
async function writeUntilKilled(
  url: string,
  child: ChildProcess,
  from: number,
  killAfter: number,
): Promise<Map<number, number>> {
  const client = await new MongoClient(url, { maxPoolSize: 20 }).connect();
  const c = client.db('d').collection<Doc>('c');
  const acknowledged = new Map<number, number>();
  let next = from;
  let alive = true;
  // Otherwise what is under way would wait for a server to come back.
  const closed = exited(child).then(() => {
    alive = false;
    return client.close(true);
  });
  const writer = async (): Promise<void> => {
    while (alive) {
      const id = next;
      next += 1;
      try {
        await c.insertOne({ _id: id, k: `k${id}`, group: id % 7, n: 0 });
        acknowledged.set(id, 0);
        await c.updateOne({ _id: id }, { $set: { n: 1, k: `m${id}` } });
        acknowledged.set(id, 1);
      } catch {
        // The server is gone, or going.
      }
      if (acknowledged.size >= killAfter) child.kill('SIGKILL');
    }
  };
  const compactor = async (): Promise<void> => {
    while (alive)
      await client
        .db('d')
        .command({ compact: 'c' })
        .catch(() => undefined);
  };
  await Promise.all([...Array.from({ length: 20 }, writer), compactor(), closed]);
  return acknowledged;
}

async function checkIndexes(c: Collection<Doc>, docs: readonly Doc[]): Promise<void> {
  for (let group = 0; group < 7; group += 1) {
    const expected = docs
      .filter((d) => d.group === group)
      .map((d) => d.k)
      .sort();
    const found = await c.find({ group }).hint({ group: 1, k: 1 }).sort({ k: 1 }).toArray();
    expect(found.map((d) => d.k)).toEqual(expected);
    expect(await c.countDocuments({ group }, { hint: { group: 1, k: 1 } })).toBe(expected.length);
  }
  const keys = await c.find().hint({ k: 1 }).sort({ k: 1 }).toArray();
  expect(keys).toHaveLength(docs.length);
}

describe('durability', () => {
  it(
    'loses nothing acknowledged when it is killed under load, and its indexes agree with its documents',
    async () => {
      const random = randomFrom(seedOfRun('kills'));
      const acknowledged = new Map<number, number>();
      let awaited = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { child, line } = await spawnServer();
        const client = await new MongoClient(line).connect();
        const c = client.db('d').collection<Doc>('c');
        await c.createIndexes([{ key: { k: 1 }, unique: true }, { key: { group: 1, k: 1 } }]);
        const docs = await c.find().hint({ $natural: 1 }).toArray();
        const byId = new Map(docs.map((d) => [d._id, d]));
        for (const [id, n] of acknowledged) expect(byId.get(id)?.n ?? -1).toBeGreaterThanOrEqual(n);
        await checkIndexes(c, docs);
        expect(await c.estimatedDocumentCount()).toBe(docs.length);
        await client.close();
        const killAfter = 50 + random(150);
        awaited += killAfter;
        for (const [id, n] of await writeUntilKilled(line, child, round * 100_000, killAfter)) acknowledged.set(id, n);
        await exited(child);
      }
      process.stdout.write(
        `kills: ${String(ROUNDS)} rounds, ${String(acknowledged.size)} documents acknowledged, 0 lost\n`,
      );
      expect(acknowledged.size).toBeGreaterThanOrEqual(awaited);
      expect(verifyMongo(folder).findings).toEqual([]);
    },
    60_000 * ROUNDS,
  );

  it('keeps everything over a clean stop', async () => {
    const first = await startMongoServer({ dataDir: folder });
    const client = await new MongoClient(first.url).connect();
    await client.db('d').collection<{ _id: number; x: number }>('c').insertOne({ _id: 1, x: 5 });
    await client.db('d').collection('c').createIndex({ x: 1 });
    await client.close();
    await first.stop();
    expect(existsSync(join(folder, 'server.pid'))).toBe(false);
    const second = await startMongoServer({ dataDir: folder });
    const again = await new MongoClient(second.url).connect();
    expect(await again.db('d').collection('c').find({ x: 5 }).hint('x_1').toArray()).toHaveLength(1);
    await again.close();
    await second.stop();
  });

  it('says which document is damaged instead of leaving a hole: on reading it, at the next start, and when asked', async () => {
    const first = await startMongoServer({ dataDir: folder });
    const client = await new MongoClient(first.url).connect();
    const c = client.db('d').collection<{ _id: number; text: string }>('c');
    const docs = Array.from({ length: 100 }, (_, _id) => ({ _id, text: `marker-${_id}-${'x'.repeat(100)}` }));
    await c.insertMany(docs);
    const file = join(folder, 'data.mdb');
    const bytes = readFileSync(file);
    const fd = openSync(file, 'r+');
    for (let at = bytes.indexOf('marker-77-'); at >= 0; at = bytes.indexOf('marker-77-', at + 1))
      writeSync(fd, 'y', at + 30);
    closeSync(fd);
    expect(await c.findOne({ _id: 76 })).toEqual(docs[76]);
    await expect(c.findOne({ _id: 77 })).rejects.toThrow('the document of d.c under key');
    await expect(c.find().toArray()).rejects.toThrow('damaged');
    await client.close();
    await first.stop();
    await expect(startMongoServer({ dataDir: folder })).rejects.toThrow(
      /wrong checksum in .*data\.mdb at offset \d+; restore/,
    );
    const { findings } = verifyMongo(folder);
    expect(findings).toMatchObject([
      { file, offset: expect.any(Number), what: expect.stringContaining('Checksum mismatch: the document of d.c') },
    ]);
  });

  it(
    'refuses a folder that is in use and names the owner',
    async () => {
      const { child, line, failed } = await spawnServer();
      expect(failed).toBe(false);
      const second = await spawnServer();
      expect(second.failed).toBe(true);
      expect(second.line).toContain(`in use by process ${child.pid}`);
      await expect(startMongoServer({ dataDir: folder })).rejects.toThrow(`in use by process ${child.pid}`);
      child.kill('SIGTERM');
      await exited(child);
      await exited(second.child);
      expect(line).toMatch(/^mongodb:.*@127\.0\.0\.1:\d/);
      const own = await startMongoServer({ dataDir: folder });
      await expect(startMongoServer({ dataDir: folder })).rejects.toThrow(`in use by process ${process.pid}`);
      expect(JSON.parse(readFileSync(join(folder, 'server.pid'), 'utf8'))).toMatchObject({ pid: process.pid });
      await own.stop();
    },
    DEADLINE,
  );
});
