import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { runLoad } from '../load/load.js';
import { warmUp } from '../load/measured.js';
import { openLoop } from '../load/open-loop.js';
import { percentile } from '../load/statistics.js';
import { renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

const goalMs = 50;
/** Half the saturated rate when the goal was set: the product makes more writes since, so half of that is more load. */
const firstRate = 330;
const lookEveryMs = 3;
const givenUpMs = 10_000;
/** Writes a second whose appearance is looked for: more, and the looking would be the load. */
const looksPerSecond = 40;

/** From the moment when a write is due to the first read by somebody else that shows it. */
export const visible: Scenario = {
  name: 'visible',
  summary: 'Time from a write to its appearance, at half the saturated write rate, and at 330 writes a second',
  async run(context: Context): Promise<Figure[]> {
    const { product, seed } = await context.product();
    const { connections, seconds } = context.options;
    const run = `v${Date.now()}`;
    const requests = renameTeams(seed, run);
    await warmUp(product, { requests, perConnection: true, connections });
    const saturated = await runLoad({
      endpoint: product.endpoint,
      token: product.token,
      requests,
      perConnection: true,
      connections,
      seconds,
    });
    const watch = createWatch(product.endpoint, product.token, connections);
    const found: Figure[] = [];
    for (const { at, rate } of [
      { at: 'at half the saturated rate', rate: saturated.rate / 2 },
      { at: `at ${firstRate} writes/s`, rate: firstRate },
    ]) {
      context.say(`visible: ${Math.round(rate)} writes/s`);
      const times = await watched(watch, requests, { run: `${run}${Math.round(rate)}`, rate, seconds });
      found.push(...figures({ at, rate }, times));
    }
    await watch.close();
    return found;
  },
};

/** Writes at this rate, and looks when others see them. */
async function watched(
  watch: Watch,
  requests: ReturnType<typeof renameTeams>,
  { run, rate, seconds }: { run: string; rate: number; seconds: number },
): Promise<Times> {
  const times = { answered: [] as number[], shown: [] as number[], failed: 0 };
  const every = Math.max(1, Math.round(rate / looksPerSecond));
  await openLoop(rate, seconds, async (index, due) => {
    const { path } = requests[index % requests.length] as { path: string };
    const write = watch.write(path, `${run} ${index}`).then((ok) => {
      if (ok) times.answered.push(performance.now() - due);
      else times.failed += 1;
    });
    if (index % every === 0) times.shown.push((await watch.shownAt(path, run, index)) - due);
    await write;
  });
  return times;
}

type Watch = ReturnType<typeof createWatch>;

interface Times {
  answered: readonly number[];
  shown: readonly number[];
  failed: number;
}

function figures({ at, rate }: { at: string; rate: number }, { answered, shown, failed }: Times): Figure[] {
  const [p50, p99] = [percentile(shown, 0.5), percentile(shown, 0.99)];
  const notes = [
    `${Math.round(rate)} writes/s`,
    `${shown.length} watched`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  const common = { scenario: 'visible', unit: 'ms' };
  return [
    {
      ...common,
      what: `p99 until others see a write, ${at}`,
      value: p99,
      goal: `<= ${goalMs}`,
      met: p99 <= goalMs,
      note: notes.join(', '),
    },
    { ...common, what: `p50 until others see a write, ${at}`, value: p50 },
    { ...common, what: `p99 until a write is answered, ${at}`, value: percentile(answered, 0.99) },
  ];
}

/** Writers and readers with connections of their own. */
function createWatch(endpoint: string, token: string, connections: number) {
  const writers = new Pool(endpoint, { connections: connections * 4, pipelining: 1 });
  const readers = new Pool(endpoint, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    async write(path: string, title: string): Promise<boolean> {
      const { statusCode, body } = await writers.request({
        method: 'PATCH',
        path,
        headers,
        body: JSON.stringify({ title }),
      });
      await body.dump();
      return statusCode === 200;
    },
    /** When a read first shows the write with this number, or a later one of this run. */
    async shownAt(path: string, run: string, index: number): Promise<number> {
      const end = performance.now() + givenUpMs;
      while (performance.now() < end) {
        const { body } = await readers.request({ method: 'GET', path, headers });
        const { title } = (await body.json()) as { title?: string };
        const [first, number] = title?.split(' ') ?? [];
        if (first === run && Number(number) >= index) break;
        await delay(lookEveryMs);
      }
      return performance.now();
    },
    close: async () => {
      await Promise.all([writers.destroy(), readers.destroy()]);
    },
  };
}
