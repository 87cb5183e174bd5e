import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { liveBytes } from '../test/heap.js';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startMongoServer, type MongoServer } from './server.js';

let server: MongoServer;
beforeAll(async () => {
  server = await startMongoServer({ maxConnections: 60, auth: 'none' });
});
afterAll(() => server.stop());

const FRAMES = Number(process.env['HOSTILE_FRAMES'] ?? 3_000);
const MOST_GROWTH = 48 * 1024 * 1024;
const random = randomFrom(seedOfRun('hostile messages'));

function message(body: Buffer, extra: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(21);
  head.writeInt32LE(21 + body.length + extra.length, 0);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body, extra]);
}

const SEEDS = [
  { insert: 'c', documents: [{ a: 1, b: { c: [1, 'x', null, /a/i] } }], $db: 'h' },
  {
    find: 'c',
    filter: { a: { $gt: 5, $in: [1, 2] }, $or: [{ b: 1 }] },
    sort: { a: 1 },
    projection: { a: 1 },
    $db: 'h',
  },
  { update: 'c', updates: [{ q: { a: 1 }, u: { $set: { 'x.y': 1 }, $push: { l: 1 } }, upsert: true }], $db: 'h' },
  { aggregate: 'c', pipeline: [{ $match: { a: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }], cursor: {}, $db: 'h' },
  { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1' }], $db: 'h' },
  { delete: 'c', deletes: [{ q: { a: 1 }, limit: 0 }], $db: 'h' },
  { hello: 1, $db: 'admin' },
].map((command) => message(Buffer.from(serialize(command))));

function mutated(): Buffer {
  const bytes = Buffer.from(SEEDS[random(SEEDS.length)] as Buffer);
  const changes = 1 + random(4);
  // The length stays right most of the time, so that the bytes behind it are read at all.
  for (let i = 0; i < changes; i += 1)
    bytes[random(10) === 0 ? random(bytes.length) : 16 + random(bytes.length - 16)] = random(256);
  return bytes;
}

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

let probes = 1_000_000;

/** A ping with a request id that no mutated message has. */
function probe(): { id: number; bytes: Buffer } {
  const bytes = message(Buffer.from(serialize({ ping: 1, $db: 'admin' })));
  bytes.writeInt32LE((probes += 1), 4);
  return { id: probes, bytes };
}

const received = new WeakMap<Socket, Buffer>();

/** Takes the complete answers out of what has come; whether one of them is to `id`. */
function isAnswered(socket: Socket, chunk: Buffer, id: number): boolean {
  let rest = Buffer.concat([received.get(socket) ?? Buffer.alloc(0), chunk]);
  let answered = false;
  while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
    answered ||= rest.readInt32LE(8) === id;
    rest = rest.subarray(rest.readInt32LE(0));
  }
  received.set(socket, rest);
  return answered;
}

/**
 * Sends a message and waits until the server is done with it. Some are rightly never answered: a ping behind each tells
 * that it was read. Behind one whose length is wrong no ping would be understood: that connection is ended.
 */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  const { id, bytes: ping } = probe();
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      if (isAnswered(socket, chunk, id)) done();
    };
    const done = (): void => {
      socket.off('data', take).off('close', done);
      resolve();
    };
    socket.on('data', take).once('close', done);
    if (bytes.readInt32LE(0) === bytes.length) socket.write(Buffer.concat([bytes, ping]));
    else socket.end(bytes);
  });
}

it(
  'survives mutated and random messages',
  async () => {
    let socket = await open();
    let early = 0;
    for (let i = 0; i < FRAMES; i += 1) {
      if (i === 1_000) early = liveBytes();
      if (socket.destroyed || random(20) === 0) {
        socket.destroy();
        socket = await open();
      }
      const noise =
        random(10) === 0 ? Buffer.from(Array.from({ length: 16 + random(60) }, () => random(256))) : mutated();
      socket.on('error', () => undefined);
      if (noise.readInt32LE(0) !== noise.length) noise.writeInt32LE(random(50) === 0 ? 17 : noise.length, 0);
      await send(socket, noise);
    }
    socket.destroy();
    const client = await new MongoClient(server.url).connect();
    expect(await client.db('h').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.db('h').collection('sane').insertOne({ a: 1 });
    expect(await client.db('h').collection('sane').countDocuments({ a: 1 })).toBe(1);
    await client.close();
    expect(liveBytes() - early).toBeLessThan(MOST_GROWTH);
  },
  60_000 + FRAMES * 10,
);

it('turns further clients away and hangs up on oversized messages', async () => {
  const sockets = await Promise.all(Array.from({ length: 70 }, () => open().catch(() => undefined)));
  const closed = sockets
    .filter((s): s is Socket => s !== undefined)
    .map((s) => new Promise((resolve) => (s.destroyed ? resolve(true) : s.once('close', resolve).resume())));
  await Promise.race(closed);
  for (const s of sockets) s?.destroy();
  const one = await open().catch(open);
  const huge = Buffer.alloc(16);
  huge.writeInt32LE(50_000_000, 0);
  const gone = new Promise((resolve) => one.once('close', () => resolve('closed')).resume());
  one.write(huge);
  expect(await gone).toBe('closed');
});
