import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { runLoad } from '../load/load.js';
import { warmUp } from '../load/measured.js';
import { openLoop } from '../load/open-loop.js';
import { percentile } from '../load/statistics.js';
import { renameTeams } from './requests.js';
import type { Context, Figure, Scenario } from './scenario.js';

const goalMs = 50;
const lookEveryMs = 3;
const givenUpMs = 10_000;
/** Writes a second whose appearance is looked for: more, and the looking would be the load. */
const looksPerSecond = 40;

/** From the moment when a write is due to the first read by somebody else that shows it, at half the saturated rate. */
export const visible: Scenario = {
  name: 'visible',
  summary: 'Time from a write to its appearance, at half the saturated write rate',
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
    const rate = saturated.rate / 2;
    context.say(`visible: ${Math.round(rate)} writes/s`);
    const watch = createWatch(product.endpoint, product.token, connections);
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
    await watch.close();
    return figures(rate, times);
  },
};

interface Times {
  answered: readonly number[];
  shown: readonly number[];
  failed: number;
}

function figures(rate: number, { answered, shown, failed }: Times): Figure[] {
  const p99 = percentile(shown, 0.99);
  return [
    {
      scenario: 'visible',
      what: 'p99 until others see a write',
      value: p99,
      unit: 'ms',
      goal: `<= ${goalMs}`,
      met: p99 <= goalMs,
      note: `${shown.length} watched`,
    },
    { scenario: 'visible', what: 'p50 until others see a write', value: percentile(shown, 0.5), unit: 'ms' },
    { scenario: 'visible', what: 'p99 until a write is answered', value: percentile(answered, 0.99), unit: 'ms' },
    {
      scenario: 'visible',
      what: 'offered',
      value: rate,
      unit: 'writes/s',
      ...(failed === 0 ? {} : { note: `${failed} failed` }),
    },
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
