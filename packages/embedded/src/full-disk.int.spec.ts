import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonEvent } from '@eventstore/db-client';
import { connectTo } from './eventstore/test/connect.js';
import { MongoClient } from 'mongodb';
import { verifyEventStore } from './eventstore/index.js';
import { verifyMongo } from './mongodb/index.js';

let dir: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'embedded-full-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/**
 * Runs a server whose files may not grow beyond `blocks` of 512 bytes: the system refuses its writes as on a full disk.
 */
async function start(
  server: 'eventstore' | 'mongodb',
  data: string,
  blocks?: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const bin = fileURLToPath(new URL(`../dist/${server}/bin.js`, import.meta.url));
  const limit = blocks === undefined ? '' : `trap '' XFSZ; ulimit -f ${String(blocks)}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, bin, '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code, signal) => {
      reject(new Error(`ended with ${String(code ?? signal)}`));
    });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await gone;
  };
  return { url, stop };
}

/** Repeats a write until it is refused. @returns how many were acknowledged, and the refusal */
async function fill(write: (n: number) => Promise<unknown>): Promise<{ acknowledged: number; refusal: unknown }> {
  for (let acknowledged = 0; acknowledged < 5_000; acknowledged += 1) {
    try {
      await write(acknowledged);
    } catch (refusal) {
      return { acknowledged, refusal };
    }
  }
  throw new Error('nothing was refused');
}

const text = 'x'.repeat(20_000);

describe('a server without room', () => {
  it('refuses events as a real one that cannot write, serves reads, and goes on when there is room', async () => {
    const data = join(dir, 'events');
    const full = await start('eventstore', data, 8_192);
    const client = connectTo(full.url);
    const { acknowledged, refusal } = await fill((n) =>
      client.appendToStream('s', jsonEvent({ type: 'T', data: { n, text } })),
    );
    expect(acknowledged).toBeGreaterThan(20);
    // A batch has no status of its own for it; the single append, which the client uses with credentials, has.
    expect(refusal).toMatchObject({ type: 'unknown' });
    const single = client.appendToStream('s', jsonEvent({ type: 'T', data: { text } }), {
      credentials: { username: 'u', password: 'p' },
    });
    await expect(single).rejects.toMatchObject({ type: 'unavailable' });
    let read = 0;
    for await (const { event } of client.readStream('s')) read += event === undefined ? 0 : 1;
    expect(read).toBe(acknowledged);
    await client.dispose();
    await full.stop();
    expect((await verifyEventStore(data)).findings).toEqual([]);
    const roomy = await start('eventstore', data);
    const again = connectTo(roomy.url);
    const { nextExpectedRevision } = await again.appendToStream('s', jsonEvent({ type: 'T', data: { text } }), {
      expectedRevision: BigInt(acknowledged - 1),
    });
    expect(nextExpectedRevision).toBe(BigInt(acknowledged));
    await again.dispose();
    await roomy.stop();
    expect((await verifyEventStore(data)).findings).toEqual([]);
  }, 60_000);

  it('refuses documents by OutOfDiskSpace, serves reads, and goes on when there is room', async () => {
    const data = join(dir, 'documents');
    const full = await start('mongodb', data, 4_096);
    const client = await new MongoClient(full.url).connect();
    const c = client.db('d').collection<{ _id: number; text: string }>('c');
    const { acknowledged, refusal } = await fill((n) => c.insertOne({ _id: n, text }));
    expect(acknowledged).toBeGreaterThan(20);
    expect(refusal).toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
    expect(await c.countDocuments()).toBe(acknowledged);
    expect((await c.find().toArray()).map(({ _id }) => _id)).toEqual(Array.from({ length: acknowledged }, (_, n) => n));
    await client.close();
    await full.stop();
    expect(verifyMongo(data).findings).toEqual([]);
    const roomy = await start('mongodb', data);
    const again = await new MongoClient(roomy.url).connect();
    await again.db('d').collection<{ _id: number }>('c').insertOne({ _id: acknowledged });
    expect(await again.db('d').collection('c').countDocuments()).toBe(acknowledged + 1);
    await again.close();
    await roomy.stop();
    expect(verifyMongo(data).findings).toEqual([]);
  }, 60_000);
});
