/**
 * Figures of the embedded EventStoreDB server through the official client, beside their limits.
 * Run by hand after a build: `node bench/eventstore.bench.mjs [events for the read part, default 100000]`.
 * The servers run in a process of their own, as they do in the product.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectTo } from '../dist/eventstore/test/connect.js';
import { EVENT_BYTES, fillEvents } from './fill.mjs';

const require = createRequire(import.meta.url);
const grpc = require('@grpc/grpc-js');
const { jsonEvent, streamNameFilter } = require('@eventstore/db-client');
const self = fileURLToPath(import.meta.url);
const identity = (bytes) => bytes;
const UNARY = {
  path: '/bench/Append',
  requestStream: false,
  responseStream: false,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
};

async function serve(kind, dataDir) {
  const started = performance.now();
  if (kind === 'unary') {
    const { EventStore } = await import('../dist/eventstore/storage/store.js');
    const { randomUUID } = await import('node:crypto');
    const store = await EventStore.open({ dataDir, logger: console.error });
    const server = new grpc.Server();
    const handler = ({ request }, reply) => {
      const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
      const event = { id, type: 'Written', json: true, data: request, metadata: Buffer.alloc(0) };
      store
        .submit({ kind: 'append', stream: `bench-${request.length % 100}`, expected: 'any', events: [event] })
        .then(() => reply(null, Buffer.alloc(8)), reply);
    };
    server.addService({ append: UNARY }, { append: handler });
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, port) => process.send({ port }));
  } else {
    const { startEventStoreServer } = await import('../dist/eventstore/index.js');
    const server = await startEventStoreServer({ dataDir, logger: console.error });
    process.once('SIGTERM', () => server.stop().then(() => process.exit(0)));
    process.send({ url: server.url, ms: performance.now() - started });
  }
  process.on('message', (what) => {
    if (what === 'usage') process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss });
    else process.exit(0);
  });
}

async function child(kind, dataDir) {
  const process_ = fork(self, ['serve', kind, dataDir]);
  const next = () => new Promise((resolve) => process_.once('message', resolve));
  const ready = await next();
  return {
    ...ready,
    usage: () => (process_.send('usage'), next()),
    kill: (signal) => new Promise((resolve) => (process_.once('exit', resolve), process_.kill(signal))),
  };
}

/** `count` appends by `writers` that each wait for the answer; returns per second. */
async function writers(count, writers_, append) {
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: writers_ }, async (_, writer) => {
      while ((left -= 1) >= 0) await append(writer);
    }),
  );
  return count / ((performance.now() - started) / 1000);
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const payload = { text: 'x'.repeat(140), n: 1 };

async function appends(dir) {
  const unary = await child('unary', join(dir, 'unary'));
  const store = await child('store', join(dir, 'appends'));
  const raw = new grpc.Client(`127.0.0.1:${unary.port}`, grpc.credentials.createInsecure());
  const client = connectTo(store.url);
  const bytes = Buffer.from(JSON.stringify(payload));
  const bare = () =>
    new Promise((resolve, reject) =>
      raw.makeUnaryRequest(UNARY.path, identity, identity, bytes, (error) => (error ? reject(error) : resolve())),
    );
  const real = (writer) => client.appendToStream(`bench-${writer}`, jsonEvent({ type: 'Written', data: payload }));
  const rates = { bare: [], real: [] };
  for (let round = 0; round < 3; round += 1) {
    rates.bare.push(await writers(6_000, 50, bare));
    rates.real.push(await writers(12_000, 50, real));
  }
  rates.one = await writers(500, 1, real);
  console.log(
    `appends, 50 writers: bare unary ${median(rates.bare).toFixed(0)}/s, through the client ${median(rates.real).toFixed(0)}/s, ratio ${(median(rates.real) / median(rates.bare)).toFixed(2)} (goal 1.2); one writer ${rates.one.toFixed(0)}/s`,
  );
  raw.close();
  await client.dispose();
  await unary.kill('SIGKILL');
  await store.kill('SIGKILL');
}

async function reads(dir, events) {
  const data = join(dir, 'reads');
  let server = await child('store', data);
  let client = connectTo(server.url);
  await fillEvents(client, events);
  const bytes = readdirSync(data, { recursive: true })
    .map((name) => [name, statSync(join(data, name))])
    .filter(([, stat]) => stat.isFile())
    .reduce((sum, [, stat]) => sum + stat.blocks * 512, 0);
  console.log(
    `${events} events filled; ${(bytes / events).toFixed(0)} bytes an event on disk for ${EVENT_BYTES} of data and metadata (goal 1.6 x); server ${((await server.usage()).rss / 1e6).toFixed(0)} MB`,
  );
  const rates = [];
  for (let round = 0; round < 3; round += 1) {
    const before = (await server.usage()).cpu;
    const started = performance.now();
    let count = 0;
    await new Promise((resolve, reject) =>
      client
        .readAll({})
        .on('data', () => (count += 1))
        .on('end', resolve)
        .on('error', reject),
    );
    rates.push(count / ((performance.now() - started) / 1000));
    const after = (await server.usage()).cpu;
    console.log(
      `$all: ${rates[round].toFixed(0)} events/s through the client (goal 25000), server ${((after.user + after.system - before.user - before.system) / count).toFixed(1)} us CPU an event`,
    );
  }
  await fanOut(client, server.url);
  await client.dispose();
  for (const signal of ['SIGKILL', 'SIGTERM']) {
    await server.kill(signal);
    server = await child('store', data);
    console.log(
      `start after ${signal}: ${server.ms.toFixed(0)} ms, ${((await server.usage()).rss / 1e6).toFixed(0)} MB`,
    );
  }
  client = connectTo(server.url);
  const started = performance.now();
  for (let n = 0; n < 500; n += 1)
    for await (const _ of client.readStream(`scriptorium.content.document-${(n * 7) % 100}`));
  console.log(
    `stream read: ${(500 / ((performance.now() - started) / 1000)).toFixed(0)}/s one after the other; ${((await server.usage()).rss / 1e6).toFixed(0)} MB`,
  );
  await client.dispose();
  await server.kill('SIGKILL');
}

const SUBSCRIBERS = 10;
const PACE_MS = 5;

/**
 * Ten live filtered subscribers: how many deliveries they get of all that 10 writers write, and how late these are at
 * 15,000 a second.
 */
async function fanOut(client, url) {
  const lags = [];
  let left = 0;
  let done;
  const subscriptions = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, async () => {
      const subscription = client.subscribeToAll({
        fromPosition: 'end',
        filter: streamNameFilter({ prefixes: ['fan-'], checkpointInterval: 1000 }),
      });
      subscription.on('data', ({ event }) => {
        lags.push(Date.now() - event.data.at);
        if ((left -= 1) === 0) done();
      });
      await new Promise((resolve) => subscription.once('confirmation', resolve));
      return subscription;
    }),
  );
  const deliveriesOf = async (events, write) => {
    left = events * SUBSCRIBERS;
    lags.length = 0;
    const finished = new Promise((resolve) => (done = resolve));
    const started = performance.now();
    await write(events);
    await finished;
    return (events * SUBSCRIBERS) / ((performance.now() - started) / 1000);
  };
  const most = await deliveriesOf(2_000, (events) => writers(events, 10, (writer) => fanned(client, writer)));
  console.log(`10 live filtered subscribers: ${most.toFixed(0)} deliveries/s (goal 15000)`);
  const rate = await deliveriesOf(
    6_000,
    (events) => new Promise((resolve) => fork(self, ['write', url, events]).once('exit', resolve)),
  );
  lags.sort((a, b) => a - b);
  console.log(
    `  at ${rate.toFixed(0)} deliveries/s: p99 lag ${lags[Math.floor(lags.length * 0.99)]} ms (goal 20), with all subscribers in one process and the writers in another`,
  );
  await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
}

const fanned = (client, writer) =>
  client.appendToStream(`fan-${writer % 10}`, jsonEvent({ type: 'Fanned', data: { at: Date.now() } }));

/** Writes 1,500 events a second, some every few milliseconds. */
async function pacedWrites(url, count) {
  const client = connectTo(url);
  await fanned(client, 0);
  const started = performance.now();
  const writes = [];
  while (writes.length < count - 1) {
    const due = Math.min(count - 1, Math.ceil((performance.now() - started) * 1.5));
    while (writes.length < due) writes.push(fanned(client, writes.length));
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  await Promise.all(writes);
  await client.dispose();
  process.exit(0);
}

if (process.argv[2] === 'serve') await serve(process.argv[3], process.argv[4]);
else if (process.argv[2] === 'write') await pacedWrites(process.argv[3], Number(process.argv[4]));
else {
  const dir = mkdtempSync(join(tmpdir(), 'eventstore-bench-'));
  try {
    console.log(`node ${process.version}, ${readFileSync('/proc/loadavg', 'utf8').trim()}`);
    await appends(dir);
    await reads(dir, Number(process.argv[2] ?? 100_000));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  process.exit(0);
}
