// A process that writes: `node writer.js <place as JSON> <acknowledge | hang | many | measure>`. It is killed by the
// spec that started it.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { manyPieces } from './bytes.js';
import { openStore, type StorePlace } from './stores.js';

const [place = '', mode = ''] = process.argv.slice(2);
const blobs = openStore(JSON.parse(place) as StorePlace);
const POOL = 'killed';
const MOST = 200 * 1024 * 1024;
const options = () => ({ most: MOST, deadline: Date.now() + 120_000 });
const say = (what: unknown): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

/** 20 MiB, and then nothing more. */
async function* hanging(): AsyncGenerator<Uint8Array> {
  yield* manyPieces(320);
  say('written');
  await delay(60_000);
}

/** The most bytes that the process had in memory while `work` ran, above those before it. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage.rss()) - before;
}

/** Writes and reads 100 MB. What it loads and compiles at the first time does not count. */
async function measure(): Promise<void> {
  const warm = await blobs.write(POOL, manyPieces(160, 7), options());
  for await (const _ of (await blobs.read(POOL, warm.hash))?.stream ?? []);
  let hash = '';
  const writing = await growthDuring(async () => ({ hash } = await blobs.write(POOL, manyPieces(1_600), options())));
  const digest = createHash('sha256');
  const reading = await growthDuring(async () => {
    for await (const part of (await blobs.read(POOL, hash))?.stream ?? []) digest.update(part as Uint8Array);
  });
  say({ writing, reading, same: digest.digest('hex') === hash });
}

/** Blob after blob, of every size up to 2 MiB, until it is killed or there are 10,000. */
async function many(): Promise<void> {
  for (let seed = 1; seed <= 10_000; seed++)
    say((await blobs.write(POOL, manyPieces((seed * 7) % 33, seed), options())).hash);
}

if (mode === 'acknowledge') say(await blobs.write(POOL, manyPieces(200), options()));
else if (mode === 'hang') await blobs.write(POOL, hanging(), options());
else if (mode === 'many') await many();
else await measure();
if (mode === 'acknowledge') await delay(60_000);
await blobs.close();
