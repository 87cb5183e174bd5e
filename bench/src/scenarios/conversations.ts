import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../crash/random.js';
import { sendOnce, timeEach } from '../load/one-at-a-time.js';
import { percentile } from '../load/statistics.js';
import { numbersTo } from '../product/seed.js';
import { readLabelled, shuffled } from './labelled-texts.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'conversations';
const [conversations, ofCall, lists] = [10_000, 500, 50];
const goals = { seconds: 60, callMs: 2_000, listMs: 50 };
const longestMs = 600_000;

/** From ingestion to clusters: what calls of 500 conversations take, and how long it is until all are processed. */
export const conversationsProcessed: Scenario = {
  name,
  summary: `Ingest ${conversations} support conversations, and wait until all are clustered (--messages FOLDER takes those)`,
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const path = `/v1/orgs/${seed.organization}/conversations`;
    const texts = await messages(context);
    const began = performance.now();
    const calls = await timeEach(
      product,
      numbersTo(conversations / ofCall).map((call) => ({ method: 'POST', path, body: bodyOf(texts, call * ofCall) })),
    );
    const ingested = (performance.now() - began) / 1_000;
    for (;;) {
      const { body } = await sendOnce(product, { method: 'GET', path: `${path}?processed=false&limit=0` });
      if ((JSON.parse(body.toString()) as { count: number }).count === 0) break;
      if (performance.now() - began > longestMs) throw new Error('The conversations were not processed');
      await delay(200);
    }
    const processed = (performance.now() - began) / 1_000;
    const clusters = `${path}-clusters?orderBy=issues&limit=50`;
    const listed = await timeEach(
      product,
      numbersTo(lists).map(() => ({ method: 'GET', path: clusters })),
    );
    const figure = (what: string, value: number, unit: string, goal: number): Figure => ({
      scenario: name,
      what,
      value,
      unit,
      goal: `<= ${goal}`,
      met: value <= goal,
    });
    return [
      figure('from the first call to all processed', processed, 's', goals.seconds),
      figure(`call of ${ofCall}, p95`, percentile(calls, 0.95), 'ms', goals.callMs),
      figure('list of clusters, p95', percentile(listed, 0.95), 'ms', goals.listMs),
      { scenario: name, what: 'all calls', value: ingested, unit: 's' },
    ];
  },
};

function bodyOf(texts: readonly string[], from: number): string {
  const some = texts.slice(from, from + ofCall).map((body, index) => ({
    id: `bench-${from + index}`,
    parts: [{ type: 'message', role: 'user', body }],
  }));
  return JSON.stringify(some);
}

/** Messages that somebody has labelled, or made-up ones of 60 subjects. */
async function messages({ options: { messages: folder } }: Context): Promise<string[]> {
  const file = folder === undefined ? undefined : join(folder, 'train.csv');
  if (file !== undefined && existsSync(file)) {
    const known = shuffled(readLabelled(await readFile(file, 'utf8')), 1).map(({ text }) => text);
    return numbersTo(conversations).map((index) => known[index % known.length] ?? '');
  }
  const random = createRandom(1);
  const one = (words: readonly string[]): string => words[Math.floor(random.next() * words.length)] ?? '';
  return numbersTo(conversations).map(() => `${one(beginnings)} my ${one(things)} ${one(troubles)}, ${one(wishes)}?`);
}

const beginnings = ['Since yesterday', 'Today', 'Again', 'In the app', 'On my phone', 'After the update'];
const things = [
  'invoice',
  'bank card',
  'password',
  'export',
  'search',
  'theme',
  'webhook',
  'import',
  'domain',
  'table',
];
const troubles = ['is wrong', 'does not arrive', 'fails', 'is slow', 'is gone', 'shows an error'];
const wishes = ['what can I do', 'why is that', 'can you help', 'when is it repaired', 'who can change it'];
