// Usage: node bench/mongodb.bench.mjs [--large] — prints what the embedded MongoDB server does beside its limit.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { documentOf, fillDocuments } from './fill.mjs';

const IN_FLIGHT = 50;
const SECONDS = 2;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function start(script, ...args) {
  const child = spawn(process.execPath, [here(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await new Promise((resolve) => createInterface(child.stdout).once('line', (line) => resolve([line])));
  const client = await new MongoClient(url, { maxPoolSize: IN_FLIGHT }).connect();
  const stop = async () => {
    await client.close();
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  };
  return { client, stop };
}

/** Calls per second with IN_FLIGHT callers. */
async function rate(call, seconds = SECONDS) {
  let n = 0;
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  const caller = async (k) => {
    for (let i = k; performance.now() < end; i += IN_FLIGHT) {
      await call(i);
      n += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, k) => caller(k)));
  return n / ((performance.now() - started) / 1000);
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const show = (name, value) => console.log(name.padEnd(58), value);

async function byId(embedded, echo) {
  const real = embedded.client.db('bench').collection('docs');
  const constant = echo.client.db('bench').collection('echo');
  await fillDocuments(real, 0, 10_000);
  await Promise.all([
    rate((i) => real.findOne({ _id: `doc-${i % 10_000}` }), 1),
    rate(() => constant.findOne({ _id: 'echo' }), 1),
  ]);
  const runs = { real: [], echo: [] };
  for (let round = 0; round < 3; round += 1) {
    runs.real.push(await rate((i) => real.findOne({ _id: `doc-${i % 10_000}` })));
    runs.echo.push(await rate(() => constant.findOne({ _id: 'echo' })));
  }
  const [a, b] = [median(runs.real), median(runs.echo)];
  show(`find by _id, ${IN_FLIGHT} in flight, per second`, Math.round(a));
  show('  the same against a constant answer (goal: >= 80 %)', `${Math.round(b)}   ${Math.round((a / b) * 100)} %`);
}

async function upserts(embedded) {
  const db = embedded.client.db('bench');
  await db.collection('bulk').createIndex({ space: 1, rank: 1 });
  for (const [name, run] of [
    [
      'bulkWrite',
      (ops) =>
        db.collection('bulk').bulkWrite(
          ops.map((u) => ({ updateOne: { filter: u.q, update: u.u, upsert: true } })),
          { ordered: false },
        ),
    ],
    ['update command', (updates) => db.command({ update: 'bulk', updates, ordered: false })],
  ]) {
    const rates = [];
    for (let round = 0; round < 8; round += 1) {
      const updates = Array.from({ length: 1000 }, (_, k) => {
        const { _id, ...rest } = documentOf(round * 1000 + k + (name === 'bulkWrite' ? 0 : 100_000));
        return { q: { _id }, u: { $set: rest }, upsert: true };
      });
      const started = performance.now();
      await run(updates);
      rates.push(1000 / ((performance.now() - started) / 1000));
    }
    show(`1,000 upserts by ${name}, documents per second (>= 30,000)`, Math.round(median(rates)));
  }
}

async function pages(embedded, sizes) {
  const collection = embedded.client.db('bench').collection('pages');
  await collection.createIndex({ space: 1, rank: 1 });
  let have = 0;
  for (const size of sizes) {
    await fillDocuments(collection, have, size);
    have = size;
    const first = { space: 's3' };
    const keyset = { space: 's3', $or: [{ rank: { $gt: 100 } }, { rank: 100, _id: { $gt: 'doc-5' } }] };
    for (const [name, filter] of [
      ['first page', first],
      ['keyset page', keyset],
    ]) {
      const call = () => collection.find(filter).sort({ rank: 1, _id: 1 }).limit(50).toArray();
      await rate(call, 0.3);
      show(`indexed find of 50, ${size} documents, ${name}, us`, Math.round(1e6 / (await rate(call, 1))));
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'mongodb-bench-'));
const embedded = await start('../dist/mongodb/bin.js', '--data', folder);
const echo = await start('./mongodb-echo.mjs');
try {
  await byId(embedded, echo);
  await upserts(embedded);
  await pages(embedded, process.argv.includes('--large') ? [1000, 100_000, 1_000_000] : [1000, 100_000]);
} finally {
  await embedded.stop();
  await echo.stop();
  rmSync(folder, { recursive: true, force: true });
}
