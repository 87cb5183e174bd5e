// Usage: node bench/start.bench.mjs [events and documents, default 1000000] — how soon the three servers, in one
// process as in the product, take clients with that much data, after a clean stop and after a kill, and how much memory
// they then hold; and how much of the documents' file a compaction gives back.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectTo } from '../dist/eventstore/test/connect.js';
import { MongoClient } from 'mongodb';
import { fillDocuments, fillEvents } from './fill.mjs';

const self = fileURLToPath(import.meta.url);
const GOAL_MS = 2000;
const GOAL_MB = 350;

async function serve(folder) {
  const [{ startEventStoreServer }, { startMongoServer }, { startNatsServer }] = await Promise.all([
    import('../dist/eventstore/index.js'),
    import('../dist/mongodb/index.js'),
    import('../dist/nats/index.js'),
  ]);
  const servers = await Promise.all([
    startEventStoreServer({ dataDir: join(folder, 'eventstore') }),
    startMongoServer({ dataDir: join(folder, 'mongodb') }),
    startNatsServer({ port: 0 }),
  ]);
  const [eventstore, mongodb] = servers;
  process.send({ urls: servers.map(({ url }) => url) });
  process.once('SIGTERM', () => void Promise.all(servers.map((server) => server.stop())).then(() => process.exit(0)));
  process.on('message', async (what) => {
    if (what === 'compact') await mongodb.compact();
    process.send({ rss: process.memoryUsage().rss, events: eventstore.url });
  });
}

async function start(folder) {
  const started = performance.now();
  const child = fork(self, ['serve', folder]);
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const { urls } = await next();
  const ms = performance.now() - started;
  return {
    ms,
    urls,
    ask: (what) => (child.send(what), next()),
    end: (signal) => new Promise((resolve) => (child.once('exit', resolve), child.kill(signal))),
  };
}

/** Asks both stores for something old and something new, as a client would that comes back. */
async function use([eventstore, mongodb], count) {
  const log = connectTo(eventstore);
  for await (const _ of log.readAll({ maxCount: 1000, direction: 'backwards', fromPosition: 'end' }));
  for (let n = 0; n < 100; n += 1) for await (const _ of log.readStream(`scriptorium.content.document-${n * 7}`));
  await log.dispose();
  const client = await new MongoClient(mongodb).connect();
  const documents = client.db('bench').collection('docs');
  for (let n = 0; n < 1000; n += 1) await documents.findOne({ _id: `doc-${(n * 997) % count}` });
  await documents.find({ space: 's3' }).sort({ rank: 1 }).limit(50).toArray();
  await client.close();
}

async function measure(folder, count) {
  let server = await start(folder);
  console.log(`empty: ready in ${Math.round(server.ms)} ms, ${Math.round((await server.ask('usage')).rss / 1e6)} MB`);
  const log = connectTo(server.urls[0]);
  const client = await new MongoClient(server.urls[1]).connect();
  const documents = client.db('bench').collection('docs');
  await documents.createIndex({ space: 1, rank: 1 });
  await fillEvents(log, count);
  await fillDocuments(documents, 0, count);
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM']) {
    await server.end(signal);
    server = await start(folder);
    const fresh = await server.ask('usage');
    await use(server.urls, count);
    const used = await server.ask('usage');
    console.log(
      `${count} events and documents, after ${signal}: ready in ${Math.round(server.ms)} ms (goal ${GOAL_MS}), ${Math.round(fresh.rss / 1e6)} MB then, ${Math.round(used.rss / 1e6)} MB after some reads (goal ${GOAL_MB})`,
    );
  }
  await log.dispose();
  await client.close();
  await compaction(server, join(folder, 'mongodb/data.mdb'));
  await server.end('SIGTERM');
}

async function compaction(server, file) {
  const client = await new MongoClient(server.urls[1]).connect();
  await client
    .db('bench')
    .collection('docs')
    .deleteMany({ space: { $in: ['s1', 's2', 's3', 's4', 's5'] } });
  await client.close();
  const before = statSync(file).size;
  const started = performance.now();
  await server.ask('compact');
  const ms = Math.round(performance.now() - started);
  console.log(
    `compaction after half of the documents were deleted: ${Math.round(before / 1e6)} -> ${Math.round(statSync(file).size / 1e6)} MB in ${ms} ms`,
  );
}

if (process.argv[2] === 'serve') await serve(process.argv[3]);
else {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-start-'));
  try {
    await measure(folder, Number(process.argv[2] ?? 1_000_000));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(0);
}
